/// One request and its answer, without redirects: what the network thread runs.
struct Exchange: Sendable {
  /// The two kinds of calls, whose places at an origin are counted apart.
  enum Lane: Sendable, Hashable {
    case fetch
    case download
  }

  /// Where this request goes.
  let url: WebURL
  /// The origin of the URL the caller passed, before any redirect, if a person has named it; see `AddressPolicy`.
  let requested: Origin?
  /// Everything sent beside what the client itself adds. Validated before.
  let headers: HTTPHeaders
  let lane: Lane
  let configuration: HTTPConfiguration
  /// Receives the answer unless it is a redirect.
  let sink: any ResponseSink
}

/// How an exchange ended; exactly one for each.
enum ExchangeEnd: Sendable {
  /// The sink got the head and, unless it wanted none, the whole body.
  case complete
  /// `isPermanent` for 301 and 308.
  case redirect(to: WebURL, isPermanent: Bool)
  case failed(HTTPFailure)
}

/// Status and header fields of an answer.
struct ResponseHead: Sendable {
  var status = 0
  var headers: HTTPHeaders = [:]

  /// Whether the body is compressed in the one way that was asked for.
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

/// Takes an answer as it arrives. Called on the network thread, which serves all transfers: no waiting, no parsing.
/// What it throws ends the transfer and is the call's failure.
protocol ResponseSink: AnyObject, Sendable {
  /// A permitted connection stands and the request is about to be sent: from now on there is something to lose.
  func connected()
  /// The head of a final answer that is no redirect. Returns whether the body is wanted; if not, the exchange is
  /// complete with this.
  func begin(_ head: ResponseHead) throws(HTTPFailure) -> Bool
  /// The next bytes of the body; valid only during the call.
  func receive(_ bytes: UnsafeRawBufferPointer) throws(HTTPFailure)
}
