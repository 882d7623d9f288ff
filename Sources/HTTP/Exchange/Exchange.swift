/// One request and its response, without redirects: the unit of work of the network thread.
struct Exchange: Sendable {
  /// The two types of calls, with separate connection limits per origin.
  enum Lane: Sendable, Hashable {
    case fetch
    case download
  }

  let method: HTTPMethod
  let body: [UInt8]
  /// The URL of this request.
  let url: WebURL
  /// The origin of the URL passed by the caller, before any redirect, if it is from the user; see `AddressPolicy`.
  let requested: Origin?
  /// The headers in addition to the client's own. Already validated.
  let headers: HTTPHeaders
  let lane: Lane
  let configuration: HTTPConfiguration
  /// Receives the response unless it is a redirect.
  let sink: any ResponseSink
}

/// The result of an exchange; exactly one for each.
enum ExchangeEnd: Sendable {
  /// The sink got the head and, unless it declined, the whole body.
  case complete
  /// `isPermanent` for 301 and 308.
  case redirect(to: WebURL, isPermanent: Bool)
  case failed(HTTPFailure)
}

/// Status and header fields of a response.
struct ResponseHead: Sendable {
  var status = 0
  var headers: HTTPHeaders = [:]

  /// Whether the body is compressed as requested.
  var isGzip: Bool {
    let encoding = headers["Content-Encoding"]?.lowercased()
    return encoding == "gzip" || encoding == "x-gzip"
  }

  /// The declared size of the body in bytes.
  var contentLength: Int? { headers["Content-Length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil } }
}

extension ResponseSink {
  func connected() {}
}

/// Receives a response as it arrives. Called on the network thread, which serves all transfers: no waiting, no parsing.
/// An error that it throws ends the transfer and is the call's failure.
protocol ResponseSink: AnyObject, Sendable {
  /// A permitted connection is established and the request is about to be sent.
  func connected()
  /// The head of a final response that is not a redirect. Returns whether the body is needed; if not, the exchange is
  /// complete.
  func begin(_ head: ResponseHead) throws(HTTPFailure) -> Bool
  /// The next bytes of the body; valid only during the call.
  func receive(_ bytes: UnsafeRawBufferPointer) throws(HTTPFailure)
}
