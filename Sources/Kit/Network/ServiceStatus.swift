import HTTP
import Wire

extension RPCError {
  /// The error for a failure of a service's API. Its URLs cannot be opened by users and contain the query; so the
  /// message names the service and its origin.
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
