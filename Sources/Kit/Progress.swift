import Display
import Wire

/// Reports the progress of a long request to its client (`$/progress` of its `workDoneToken`). Without a token reports
/// are dropped.
///
/// With a `partialResultToken` parts of the result are sent as they are found, as in LSP: then the reply contains only
/// parts that were not sent before.
package struct Progress: Sendable {
  private let send: (@Sendable (ProgressReport) -> Void)?
  private let sendPart: (@Sendable (JSONValue) -> Void)?
  private let waitForRoom: @Sendable () async -> Void

  /// - Parameter room: returns when a reply of megabytes may be created.
  package init(
    _ send: (@Sendable (ProgressReport) -> Void)?, parts: (@Sendable (JSONValue) -> Void)? = nil,
    room: @escaping @Sendable () async -> Void = {}
  ) {
    self.send = send
    sendPart = parts
    waitForRoom = room
  }

  /// Waits until the client has received its earlier replies. Called before megabytes are read into memory for a reply:
  /// only one request per client may do so at a time.
  ///
  /// - Throws: `CancellationError`.
  package func room() async throws {
    await waitForRoom()
    try Task.checkCancellation()
  }

  package static let none = Progress(nil)

  /// Reports progress.
  ///
  /// - Parameters:
  ///   - sizes: values for placeholders of the message.
  ///   - percentage: 0 to 100, if the end is known.
  package func report(message: Text? = nil, sizes: [String: ByteCount] = [:], percentage: Int? = nil) {
    send?(ProgressReport(message, sizes: sizes, percentage: percentage))
  }

  /// Whether the client accepts parts of the result before the reply.
  package var takesParts: Bool { sendPart != nil }

  /// Sends a part of the result; no part is lost, and all are sent before the reply.
  package func part(_ value: JSONValue) {
    sendPart?(value)
  }

  /// Forwards a report of another progress, for work that several requests wait for.
  package func forward(_ report: ProgressReport) {
    send?(report)
  }
}
