import Contract
import Store
import Wire

/// A client's notification that a feature handles, in the client's order, such as LSP's `textDocument/didOpen`.
package struct NotificationHandler: Sendable {
  package let name: String
  /// Whether it concerns a client: editors send all of LSP's notifications, and others none that can be read.
  package let isWanted: @Sendable (any Session) -> Bool
  package let body: Body
  package let description: @Sendable () -> NotificationDescription

  package enum Body: Sendable {
    /// Runs on the connection's loop.
    case control(@Sendable (JSONValue, any Session) throws -> Void)
    /// Runs as a write of the client. `committed` is called on the connection's loop with the result of the write.
    case write(
      @Sendable (JSONValue) throws -> Route.Writing, committed: @Sendable ([UInt8], FeatureCaller) -> Void)
  }
}

/// A notification that is handled on the connection's loop, in the client's order.
package protocol HandledNotification: Contract.Notification {
  static func isWanted(by session: any Session) -> Bool
  static func run(_ params: Params, in session: any Session) throws
}

/// A notification that writes, in the client's order: its later reads see the write.
package protocol WritingNotification: Contract.Notification {
  associatedtype Outcome: Payload
  static func isWanted(by session: any Session) -> Bool
  static func run(_ params: Params, in transaction: Transaction) throws -> Outcome
  /// Called after the commit.
  static func committed(_ outcome: Outcome, for caller: FeatureCaller)
}

extension NotificationHandler {
  package init<N: HandledNotification>(_ notification: N.Type) {
    name = N.name
    isWanted = { N.isWanted(by: $0) }
    // LSP's own notifications ignore unknown params.
    body = .control { try N.run(N.Params.decode(from: $0, strict: false), in: $1) }
    description = { NotificationDescription(notification) }
  }

  package init<N: WritingNotification>(_ notification: N.Type) {
    name = N.name
    isWanted = { N.isWanted(by: $0) }
    body = .write { params in
      let params = try N.Params.decode(from: params, strict: false)
      return { try N.run(params, in: $0).json() }
    } committed: { output, caller in
      guard let value = try? JSONParser.parse(output),
        let outcome = try? JSONDecoding.decode(N.Outcome.self, from: value)
      else { return }
      N.committed(outcome, for: caller)
    }
    description = { NotificationDescription(notification) }
  }
}
