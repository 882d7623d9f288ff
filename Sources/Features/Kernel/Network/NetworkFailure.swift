import HTTP
import Wire

extension RPCError {
  /// What a failure of the network is to a client: the one place that says so, for all features.
  ///
  /// `rateLimited`, and what else passes by itself, carries `retryAfter` in seconds, rounded up.
  package init(_ failure: HTTPFailure) {
    switch failure {
    case .invalidURL(let reason):
      self.init(.invalidURL, text: Text("network.invalidURL", ["reason": reason]), data: ["field": "url"])
    case .invalidHeader(let name): self.init(.badResponse, text: Text("network.badHeader", ["name": name]))
    case .refusedAddress(let host, let address):
      self.init(.refusedAddress, text: Text("network.refusedAddress", ["host": host, "address": address]))
    case .unreachable(let host, let reason), .untrusted(let host, let reason):
      self.init(.unreachable, text: Text("network.unreachable", ["host": host, "reason": reason]))
    case .timedOut(let host): self.init(.timedOut, text: Text("network.silent", ["host": host]))
    case .httpStatus(let code, let url):
      // What is the server's trouble passes; what became of an address a person has to look at.
      let key = code >= 500 || [408, 425, 429].contains(code) ? "network.serverTrouble" : "network.httpStatus"
      self.init(
        .httpStatus, text: Text(key, ["code": String(code), "url": url]), data: ["status": .integer(Int64(code))])
    case .rateLimited(let host, let time):
      self.init(.rateLimited, text: Text("network.rateLimited", Self.arguments(host, time)), data: Self.data(time))
    case .closed(let host, let reason, let time):
      var arguments = Self.arguments(host, time)
      arguments["reason"] = reason
      self.init(.rateLimited, text: Text("network.closed", arguments), data: Self.data(time))
    case .resting(let host, let time):
      self.init(.unreachable, text: Text("network.resting", Self.arguments(host, time)), data: Self.data(time))
    case .unauthorized(let host): self.init(.unauthorized, text: Text("network.unauthorized", ["host": host]))
    case .refused(let host, let reason):
      self.init(.unauthorized, text: Text("network.refused", ["host": host, "reason": reason]))
    case .tooLarge(let limit): self.init(.tooLarge, text: Text("network.tooLarge", ["limit": String(limit >> 20)]))
    case .badResponse(let reason): self.init(.badResponse, text: Text("network.badResponse", ["reason": reason]))
    case .tooManyRedirects:
      self.init(.badResponse, text: Text("network.badResponse", ["reason": "tooManyRedirects"]))
    case .refusedContent(let reason): self.init(.badResponse, text: Text("network.badResponse", ["reason": reason]))
    case .cancelled: self = .cancelled
    case .diskFull: self.init(.diskFull, text: Text("error.diskFull", ["path": ""]))
    case .fileError(let errno): self.init(.readOnly, text: Text("network.fileError", ["errno": String(errno)]))
    case .partInUse, .busy: self.init(code: Code.busy, kind: .busy, text: Text("error.busy"))
    case .offline: self.init(.unreachable, text: Text("network.offline"))
    case .shutDown: self = .shuttingDown
    case .unavailable(let reason): self.init(.unreachable, text: Text("network.unavailable", ["reason": reason]))
    }
  }

  private static func arguments(_ host: String, _ time: Duration) -> [String: String] {
    ["host": host, "seconds": String(time.wholeSeconds)]
  }

  private static func data(_ time: Duration) -> JSONObject { ["retryAfter": .integer(time.wholeSeconds)] }
}

extension Duration {
  /// Rounded up, and one at least: "in 0 seconds" is no advice.
  fileprivate var wholeSeconds: Int64 { max(1, components.seconds + (components.attoseconds > 0 ? 1 : 0)) }
}
