import NIOCore
import NIOPosix

extension Connection {
  /// Connects to a Unix socket and gives the connection to the delegate that `make` returns, on the connection's loop.
  ///
  /// Throws when nobody listens there.
  package static func open<Delegate: ConnectionDelegate>(
    socket path: String, on loops: Loops, settings: Settings, make: @escaping @Sendable (Connection) -> Delegate
  ) async throws -> Confined<Delegate> {
    try await ClientBootstrap(group: loops.group)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .channelOption(.autoRead, value: false)
      .connect(unixDomainSocketPath: path) { channel in
        channel.eventLoop.makeCompletedFuture { try install(on: channel, settings: settings, make: make) }
      }
  }

  /// Speaks over two descriptors, pipes or terminals, which belong to the connection from then on.
  ///
  /// Regular files cannot be waited for and are refused. The descriptors stay the caller's when it throws.
  package static func open<Delegate: ConnectionDelegate>(
    input: Int32, output: Int32, on loops: Loops, settings: Settings,
    make: @escaping @Sendable (Connection) -> Delegate
  ) async throws -> Confined<Delegate> {
    try await NIOPipeBootstrap(group: loops.group)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .channelOption(.autoRead, value: false)
      .takingOwnershipOfDescriptors(input: input, output: output) { channel in
        channel.eventLoop.makeCompletedFuture { try install(on: channel, settings: settings, make: make) }
      }
  }

  /// Called on the channel's loop, before the channel is active.
  @discardableResult
  static func install<Delegate: ConnectionDelegate>(
    on channel: any Channel, settings: Settings, make: (Connection) -> Delegate
  ) throws -> Confined<Delegate> {
    let connection = Connection(channel: channel, settings: settings)
    let delegate = make(connection)
    connection.attach(delegate)
    try channel.pipeline.syncOperations.addHandler(ConnectionHandler(connection))
    // A channel that is closed before it was active tells no handler, and the delegate waits for its last call.
    channel.closeFuture.assumeIsolated().whenComplete { _ in connection.channelClosed() }
    return Confined(delegate, to: connection.loop)
  }
}
