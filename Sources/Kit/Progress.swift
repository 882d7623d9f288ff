import Display
import Wire

/// Tells a client how far a long request is (`$/progress` of its `workDoneToken`). Where the client gave no token it
/// goes nowhere.
///
/// With a `partialResultToken` parts of the result go out as they are found, as LSP has it: then the reply has only what
/// was not sent before.
package struct Progress: Sendable {
  private let send: (@Sendable (ProgressReport) -> Void)?
  private let sendPart: (@Sendable (JSONValue) -> Void)?
  private let waitForRoom: @Sendable () async -> Void

  /// `room` returns when a reply of megabytes may be made.
  package init(
    _ send: (@Sendable (ProgressReport) -> Void)?, parts: (@Sendable (JSONValue) -> Void)? = nil,
    room: @escaping @Sendable () async -> Void = {}
  ) {
    self.send = send
    sendPart = parts
    waitForRoom = room
  }

  /// Waits until the client has taken its earlier replies. To be asked before megabytes are read into memory for a reply:
  /// of one client only one at a time may.
  package func room() async throws {
    await waitForRoom()
    try Task.checkCancellation()
  }

  package static let none = Progress(nil)

  /// `percentage` 0 to 100 where the end is known; `sizes` fill places of the message.
  package func report(message: Text? = nil, sizes: [String: ByteCount] = [:], percentage: Int? = nil) {
    send?(ProgressReport(message, sizes: sizes, percentage: percentage))
  }

  /// Whether the client takes parts of the result before the reply.
  package var takesParts: Bool { sendPart != nil }

  /// Sends a part of the result; none is lost, and all come before the reply.
  package func part(_ value: JSONValue) {
    sendPart?(value)
  }

  /// Hands on what another progress reported, for work that several requests wait for.
  package func forward(_ report: ProgressReport) {
    send?(report)
  }
}
