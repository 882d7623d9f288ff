import Glibc
import NIOCore
import NIOPosix

/// A Unix socket at which clients knock; each that may come in becomes a connection on one of the loops, in turn.
package final class Listener: Sendable {
  private let channel: any Channel
  /// The file that we made, and only that; nil for a socket that was handed to us.
  private let made: (path: String, identity: UnixSocket.Identity)?

  private init(channel: any Channel, made: (path: String, identity: UnixSocket.Identity)?) {
    self.channel = channel
    self.made = made
  }

  /// Listens at a path of its own, mode 0600 from the first moment. The folder is the caller's to make and to guard.
  ///
  /// `accept` runs on the loop of each new connection and gives its delegate. A peer whose user is not `owner` is
  /// closed before it is heard.
  package static func bind<Delegate: ConnectionDelegate>(
    path: String, on loops: Loops, settings: Connection.Settings, owner: UInt32 = geteuid(),
    accept: @escaping @Sendable (Connection) -> Delegate
  ) async throws -> Listener {
    let descriptor = try UnixSocket.bind(path)
    let identity = UnixSocket.Identity(of: path)
    do {
      let channel = try await listen(descriptor, on: loops, settings: settings, owner: owner, accept: accept)
      return Listener(channel: channel, made: identity.map { (path, $0) })
    } catch {
      // The descriptor is NIO's by now; closing it a second time might close somebody else's.
      if let identity, UnixSocket.Identity(of: path) == identity { unlink(path) }
      throw error
    }
  }

  /// Listens on a socket that whoever started us has bound (socket activation); its file is never removed.
  /// The descriptor belongs to the listener from then on.
  package static func inherit<Delegate: ConnectionDelegate>(
    _ descriptor: Int32, on loops: Loops, settings: Connection.Settings, owner: UInt32 = geteuid(),
    accept: @escaping @Sendable (Connection) -> Delegate
  ) async throws -> Listener {
    let channel = try await listen(descriptor, on: loops, settings: settings, owner: owner, accept: accept)
    return Listener(channel: channel, made: nil)
  }

  /// Takes no more clients and removes the socket if it is still the one that was made here. Those that are connected
  /// stay. Safe to call twice.
  package func shutdown() async {
    // First the file: whoever comes now finds nobody, instead of a socket that answers no more.
    if let made, UnixSocket.Identity(of: made.path) == made.identity { unlink(made.path) }
    try? await channel.close()
  }

  private static func listen<Delegate: ConnectionDelegate>(
    _ descriptor: Int32, on loops: Loops, settings: Connection.Settings, owner: UInt32,
    accept: @escaping @Sendable (Connection) -> Delegate
  ) async throws -> any Channel {
    try await ServerBootstrap(group: loops.group)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelInitializer { channel in
        // Without it a process that is out of descriptors would spin on accept.
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler())
        }
      }
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.autoRead, value: false)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          // The file's mode keeps others out already; a folder that is open to all, or a descriptor that was passed
          // on, would not.
          guard PeerCredentials(of: channel)?.uid == owner else { throw RefusedPeer() }
          try Connection.install(on: channel, settings: settings, make: accept)
        }
      }
      .withBoundSocket(descriptor)
      .get()
  }

  private struct RefusedPeer: Error {}
}
