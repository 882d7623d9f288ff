import Wire

extension Connection {
  package struct Settings: Sendable {
    package var limits = FrameParser.Limits()
    /// How long a peer with unsent replies may accept no byte before it is closed; nil for no limit.
    package var stallLimit: Duration? = .seconds(30)
    /// How long a peer that has begun a frame may send no byte of it before it is closed; nil for no limit.
    package var frameLimit: Duration? = .seconds(30)
    /// The most concurrent clients of a listener; further ones get an error and are closed.
    package var mostConnections = 256
    /// The clock of those limits; tests advance it manually.
    package var now: @Sendable () -> ContinuousClock.Instant = { .now }
    /// How long a peer that sent a bad frame may continue to send before it is disconnected.
    package var linger: Duration = .seconds(1)
    /// The framing of our messages; nil to use that of the peer's first byte.
    package var framing: Framing?
    /// Parses a frame of more than `Connection.largeFrame` bytes, on a separate thread; tests block it there.
    package var readLarge: @Sendable ([UInt8]) -> Frame = { Frame(reading: $0) }
    /// The message for a frame that cannot be parsed; the connection itself has no language.
    package var render: @Sendable (RPCError) -> (message: String, data: JSONObject)

    package init(render: @escaping @Sendable (RPCError) -> (message: String, data: JSONObject)) {
      self.render = render
    }
  }
}
