import HTTP
import Store
import Wire

extension RPCError {
  /// The error for a network failure. The mapping for all features is defined here.
  ///
  /// `rateLimited`, and other temporary errors, contain `retryAfter` in seconds, rounded up.
  ///
  /// - Parameter service: the service's name for users, used instead of its origin.
  package init(_ failure: HTTPFailure, named service: String? = nil) {
    switch failure {
    case .invalidURL(let reason):
      self.init(.invalidURL, text: Text("network.invalidURL", ["reason": reason]), data: ["field": "url"])
    case .invalidHeader(let name): self.init(.badResponse, text: Text("network.badHeader", ["name": name]))
    case .refusedAddress(let origin, let address):
      self.init(.refusedAddress, text: Self.refusal(of: origin, at: address, named: service))
    case .unreachable(let host, let reason), .untrusted(let host, let reason):
      self.init(.unreachable, text: Text("network.unreachable", ["host": service ?? host, "reason": reason]))
    case .brokenOff(let host, let received):
      self.init(
        .unreachable, text: Text("network.brokenOff", ["host": service ?? host, "count": String(received)]))
    case .timedOut(let host): self.init(.timedOut, text: Text("network.silent", ["host": service ?? host]))
    case .httpStatus(let code, let url):
      // Server errors are temporary; other status codes need the user's attention.
      let key = code >= 500 || [408, 425, 429].contains(code) ? "network.serverTrouble" : "network.httpStatus"
      self.init(
        .httpStatus, text: Text(key, ["code": String(code), "url": url]), data: ["status": .integer(Int64(code))])
    case .rateLimited(let host, let time):
      let text = Text("network.rateLimited", ["host": service ?? host]).askingAgain(in: time.wholeSeconds)
      self.init(.rateLimited, text: text, data: Self.data(time))
    case .closed(let host, let reason, let time):
      let text = Text("network.closed", ["host": service ?? host, "reason": reason])
      self.init(.rateLimited, text: text.askingAgain(in: time.wholeSeconds), data: Self.data(time))
    case .resting(let host, let time):
      let text = Text("network.resting", ["host": service ?? host]).askingAgain(in: time.wholeSeconds)
      self.init(.unreachable, text: text, data: Self.data(time))
    case .unauthorized(let host):
      self.init(.unauthorized, text: Text("network.unauthorized", ["host": service ?? host]))
    case .refused(let host, let reason):
      self.init(.unauthorized, text: Text("network.refused", ["host": service ?? host, "reason": reason]))
    case .tooLarge(let limit): self.init(.tooLarge, text: Text("network.tooLarge", ["limit": String(limit >> 20)]))
    case .badResponse(let reason), .refusedContent(let reason): self.init(unusable: reason, of: service)
    case .tooManyRedirects: self.init(unusable: "tooManyRedirects", of: service)
    case .cancelled: self = .cancelled
    case .diskFull: self.init(.diskFull, text: Text("error.diskFull", ["path": ""]))
    case .fileError(let errno):
      let failure = FileFailure(path: "", errno)
      self.init(failure, otherwise: RPCError(.readOnly, text: Text("network.fileError", ["reason": failure.reason])))
    case .partInUse, .busy: self.init(code: Code.busy, kind: .busy, text: Text("error.busy"))
    case .offline: self.init(.unreachable, text: Text("network.offline"))
    case .shutDown: self = .shuttingDown
    case .unavailable(let reason): self.init(.unreachable, text: Text("network.unavailable", ["reason": reason]))
    }
  }

  /// Names the port with the address: another port of the same machine is another service.
  private static func refusal(of origin: String, at address: String, named service: String?) -> Text {
    let name = Origin(origin)
    var arguments = ["origin": origin, "address": address]
    if let name, origin.hasSuffix(":\(name.port)") {
      arguments["address"] = (address.contains(":") ? "[\(address)]" : address) + ":\(name.port)"
    }
    // The user's numeric addresses are allowed, so this one comes from a redirect.
    if service == nil, let name, sameBytes(name.host, address) { return Text("network.refusedRedirect", arguments) }
    arguments["host"] = service ?? origin
    return Text("network.refusedAddress", arguments)
  }

  private init(unusable reason: String, of service: String?) {
    let text = service.map { Text("network.serviceAnswer", ["service": $0, "reason": reason]) }
    self.init(.badResponse, text: text ?? Text("network.badResponse", ["reason": reason]))
  }

  private static func data(_ time: Duration) -> JSONObject { ["retryAfter": .integer(time.wholeSeconds)] }
}

extension Text {
  /// Updates a message about a service that is not queried for a while to the remaining seconds, even if the message
  /// was created earlier. When no time is left, its advice is to try again now. Other messages stay unchanged.
  package func askingAgain(in seconds: Int64) -> Text {
    guard let over = Self.waits[key] else { return self }
    var text = self
    if seconds <= 0 { text.key = over } else { text.arguments["seconds"] = String(seconds) }
    return text
  }

  /// Whether the message is about a service that can be queried again by now.
  package var isOfWaitOver: Bool { Self.waits.values.contains(key) }

  /// The keys of messages about a wait, and the keys after it is over.
  private static let waits = [
    "network.rateLimited": "network.rateLimitedOver", "network.closed": "network.closedOver",
    "network.resting": "network.restingOver",
  ]
}

extension HTTPFailure {
  /// The time after which to retry, if it is known.
  package var retryAfter: Duration? {
    switch self {
    case .rateLimited(_, let time), .closed(_, _, let time), .resting(_, let time): time
    default: nil
    }
  }
}

extension Duration {
  /// Rounded up.
  fileprivate var wholeSeconds: Int64 { max(0, components.seconds + (components.attoseconds > 0 ? 1 : 0)) }
}
