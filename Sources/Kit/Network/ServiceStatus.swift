import HTTP
import Wire

extension RPCError {
  /// What a failure of a service's API is to a client. Its URLs are nothing that a person could open, and what was asked
  /// stands in them; so the service is named, and where it is.
  package init(_ failure: HTTPFailure, of service: String) {
    guard case .httpStatus(let code, let url) = failure, let origin = Origin(url) else {
      self.init(failure)
      return
    }
    self.init(
      .httpStatus,
      text: Text(
        "network.serviceStatus", ["service": service, "origin": origin.description, "code": String(code)]),
      data: ["status": .integer(Int64(code))])
  }
}
