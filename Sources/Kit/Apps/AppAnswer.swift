import Contract
import Store
import Wire

/// The answer to one request of an app, which `commonplace web` sends as an HTTP response.
package struct AppAnswer: Payload {
  package var status: Int
  package var type: String
  package var body: String
  package static let example = AppAnswer(type: "application/json", body: "{\"subscriptions\":[]}")
  package static let fields = [
    "status": "The status of the HTTP response.", "type": "Its media type.", "body": "Its body.",
  ]

  package init(status: Int = 200, type: String, body: String) {
    (self.status, self.type, self.body) = (status, type, body)
  }

  package static func json(_ value: JSONValue, status: Int = 200) -> AppAnswer {
    AppAnswer(status: status, type: "application/json", body: value.description)
  }
}

/// A method that answers one request of an app in the app's own protocol. `commonplace web` passes it on: it speaks HTTP
/// and has neither tokens nor items.
package protocol AppMethod: ExternalLongWriteMethod
where Plan == AppPlan<Request>, Fetched == AppAnswer?, Result == AppAnswer {
  associatedtype Request: Sendable
}

package struct AppPlan<Request: Sendable>: Sendable {
  /// Nil for one that is no call of the protocol.
  package let request: Request?
  /// Nil for a stranger.
  package let app: ReaderApp?
  package let caller: any Caller
  /// Whether it has to be noted that the app has asked for something.
  fileprivate let isNoteDue: Bool

  package init(_ request: Request?, of app: ReaderApp?, in snapshot: Snapshot) {
    (self.request, self.app, caller) = (request, app, snapshot.caller)
    isNoteDue = app?.isNoteDue(at: snapshot.services.now()) ?? false
  }
}

extension AppMethod {
  /// A stranger never waits for the writer, nor keeps it from others.
  ///
  /// - Parameter answer: nil if it is the result of a write.
  package static func unwritten(_ answer: AppAnswer?, of plan: AppPlan<Request>) -> AppAnswer? {
    plan.isNoteDue ? nil : answer
  }
}
