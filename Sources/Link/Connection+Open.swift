import NIOCore
import NIOPosix

extension Connection {
  /// Passes the connection of a connected socket, of which it takes ownership, to the delegate that `make` returns, on
  /// the connection's loop.
  ///
  /// - Throws: the error of adopting the socket.
  package static func open<Delegate: ConnectionDelegate>(
    socket descriptor: Int32, on loops: Loops, settings: Settings, make: @escaping @Sendable (Connection) -> Delegate
  ) async throws -> Confined<Delegate> {
    try await adopt(descriptor, on: loops, settings: settings, make: make).get()
  }

  /// Creates a connection for a connected socket, of which it takes ownership. The future returns the delegate, which
  /// `make` creates on the connection's loop.
  @discardableResult
  static func adopt<Delegate: ConnectionDelegate>(
    _ descriptor: Int32, on loops: Loops, settings: Settings, make: @escaping @Sendable (Connection) -> Delegate,
    closed: @escaping @Sendable () -> Void = {}
  ) -> EventLoopFuture<Confined<Delegate>> {
    let loop = loops.group.next()
    let adopted = loop.makePromise(of: Confined<Delegate>.self)
    ClientBootstrap(group: loop)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .channelOption(.autoRead, value: false)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          channel.closeFuture.whenComplete { _ in closed() }
          adopted.succeed(try install(on: channel, descriptor: descriptor, settings: settings, make: make))
        }
      }
      .withConnectedSocket(descriptor)
      .whenFailure { adopted.fail($0) }
    return adopted.futureResult
  }

  /// Opens a connection over two descriptors, pipes or terminals, of which it takes ownership.
  ///
  /// Regular files cannot be polled and are refused. When it throws, the descriptors still belong to the caller.
  ///
  /// - Throws: the error of a descriptor that cannot be polled.
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
    on channel: any Channel, descriptor: Int32? = nil, settings: Settings, make: (Connection) -> Delegate
  ) throws -> Confined<Delegate> {
    let connection = Connection(channel: channel, descriptor: descriptor, settings: settings)
    let delegate = make(connection)
    connection.attach(delegate)
    try channel.pipeline.syncOperations.addHandler(ConnectionHandler(connection))
    // A channel that is closed before it was active notifies no handler, but the delegate must get its last call.
    channel.closeFuture.assumeIsolated().whenComplete { _ in connection.channelClosed() }
    return Confined(delegate, to: connection.loop)
  }
}
