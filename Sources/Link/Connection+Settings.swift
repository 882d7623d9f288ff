import Wire

extension Connection {
  package struct Settings: Sendable {
    package var limits = FrameParser.Limits()
    /// How long a peer with unsent replies may take no byte before it is closed; nil for ever.
    package var stallLimit: Duration? = .seconds(30)
    /// How long a peer that has begun a frame may send no byte of it before it is closed; nil for ever.
    package var frameLimit: Duration? = .seconds(30)
    /// So many clients of a listener are connected at once; the next one is told so, and closed.
    package var mostConnections = 256
    /// The time by which those limits are measured; a test moves it by hand.
    package var now: @Sendable () -> ContinuousClock.Instant = { .now }
    /// How long a peer that sent a bad frame may go on sending before it is cut off in its sentence.
    package var linger: Duration = .seconds(1)
    /// The framing of what we send; nil to answer in the one that the peer's first byte chose.
    package var framing: Framing?
    /// Reads a frame of more than `Connection.largeFrame` bytes, on a thread of its own; a test holds it there.
    package var readLarge: @Sendable ([UInt8]) -> Frame = { Frame(reading: $0) }
    /// The words for a frame that cannot be read; the connection itself speaks no language.
    package var render: @Sendable (RPCError) -> (message: String, data: JSONObject)

    package init(render: @escaping @Sendable (RPCError) -> (message: String, data: JSONObject)) {
      self.render = render
    }
  }
}
