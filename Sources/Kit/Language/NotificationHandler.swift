import Contract
import Store
import Wire

/// A client's notification that a feature handles, in the client's order, such as LSP's `textDocument/didOpen`.
package struct NotificationHandler: Sendable {
  package let name: String
  /// Whether it concerns a client: editors send all of LSP's notifications, and others none that can be read.
  package let isWanted: @Sendable (JSONValue, any Session) -> Bool
  package let body: Body
  package let description: @Sendable () -> NotificationDescription

  package enum Body: Sendable {
    /// Runs on the connection's loop.
    case control(@Sendable (JSONValue, any Session) throws -> Void)
    /// Runs as a write of the client. `ended` is called on the connection's loop with the result of the write.
    case write(
      @Sendable (JSONValue) throws -> Route.Writing,
      ended: @Sendable (JSONValue, Result<[UInt8], any Error>, FeatureCaller) -> Void)
  }
}

/// A notification that is handled on the connection's loop, in the client's order.
package protocol HandledNotification: Contract.Notification {
  static func isWanted(_ params: JSONValue, by session: any Session) -> Bool
  static func run(_ params: Params, in session: any Session) throws
}

/// A notification that writes, in the client's order: its later reads see the write.
package protocol WritingNotification: Contract.Notification {
  associatedtype Outcome: Payload
  static func isWanted(_ params: JSONValue, by session: any Session) -> Bool
  static func run(_ params: Params, in transaction: Transaction) throws -> Outcome
  /// Called after the commit, or after the failure.
  static func ended(_ params: Params, _ outcome: Result<Outcome, any Error>, for caller: FeatureCaller)
}

extension NotificationHandler {
  package init<N: HandledNotification>(_ notification: N.Type) {
    name = N.name
    isWanted = { N.isWanted($0, by: $1) }
    // LSP's own notifications ignore unknown params.
    body = .control { try N.run(N.Params.decode(from: $0, strict: false), in: $1) }
    description = { NotificationDescription(notification) }
  }

  package init<N: WritingNotification>(_ notification: N.Type) {
    name = N.name
    isWanted = { N.isWanted($0, by: $1) }
    body = .write { params in
      let params = try N.Params.decode(from: params, strict: false)
      return { try N.run(params, in: $0).json() }
    } ended: { params, result, caller in
      guard let params = try? N.Params.decode(from: params, strict: false) else { return }
      let outcome = result.flatMap { output in
        Result { try JSONDecoding.decode(N.Outcome.self, from: JSONParser.parse(output)) }
      }
      N.ended(params, outcome, for: caller)
    }
    description = { NotificationDescription(notification) }
  }
}
