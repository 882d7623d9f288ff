import Wire

/// Tells a client how far a long request is (`$/progress` of its `workDoneToken`). Where the client gave no token it
/// goes nowhere.
package struct Progress: Sendable {
  private let send: (@Sendable (JSONValue) -> Void)?

  package init(_ send: (@Sendable (JSONValue) -> Void)?) {
    self.send = send
  }

  package static let none = Progress(nil)

  /// `percentage` 0 to 100 where the end is known.
  package func report(message: String? = nil, percentage: Int? = nil) {
    guard let send else { return }
    var value: JSONObject = ["kind": "report"]
    if let message { value["message"] = .string(message) }
    if let percentage { value["percentage"] = .integer(Int64(percentage)) }
    send(.object(value))
  }

  /// Hands on what another progress reported, for work that several requests wait for.
  package func forward(_ report: JSONValue) {
    send?(report)
  }
}
