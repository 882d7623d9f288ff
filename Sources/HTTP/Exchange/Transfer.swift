import CCurl
import Synchronization

/// A running exchange: a libcurl easy handle and the state of its callbacks.
///
/// Unchecked, because it is confined rather than locked: the caller's task creates it and passes it to the network
/// thread, and from then on only that thread uses it, except for `cancel()` and `isCancelled`.
final class Transfer: @unchecked Sendable {
  let exchange: Exchange
  private var continuation: CheckedContinuation<ExchangeEnd, Never>?
  private let cancelled = Atomic(false)

  private var easy: UnsafeMutableRawPointer?
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private var resolvedList: UnsafeMutablePointer<curl_slist>?
  /// Stays where it is while libcurl sends it.
  private var sent: UnsafeMutableBufferPointer<UInt8>?
  private let callbacks = UnsafeMutablePointer<ccurl_callbacks>.allocate(capacity: 1)
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  private var parser = HeadParser()
  private var redirect: ExchangeEnd?
  /// Why a callback stopped the transfer; takes precedence over libcurl's result.
  private var stop: ExchangeEnd?
  private var refused: IPAddress?
  private var hasOpened = false
  /// Number of body bytes received; nil before the head of a final response.
  private var received: Int?

  init(_ exchange: Exchange, _ continuation: CheckedContinuation<ExchangeEnd, Never>? = nil) {
    self.exchange = exchange
    self.continuation = continuation
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    callbacks.deallocate()
    errorText.deallocate()
  }

  /// Requests the end; from any thread. The network thread must be woken afterwards.
  func cancel() { cancelled.store(true, ordering: .releasing) }

  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Sets the continuation of the caller; once, before the transfer is passed to the network thread.
  func attach(_ continuation: CheckedContinuation<ExchangeEnd, Never>) { self.continuation = continuation }

  /// Resumes the caller. The only place that does so; a second call has no effect.
  func answer(_ end: ExchangeEnd) {
    continuation?.resume(returning: end)
    continuation = nil
  }
}

// MARK: Life of the easy handle

extension Transfer {
  /// Creates the easy handle, ready to be added; nil if there is not enough memory.
  func open() -> UnsafeMutableRawPointer? {
    guard let easy = ccurl_easy_init() else { return nil }
    self.easy = easy
    guard configure(easy) else {
      close()
      return nil
    }
    return easy
  }

  /// Frees the handle, which must have been removed from the multi handle.
  func close() {
    if let easy { ccurl_easy_cleanup(easy) }
    ccurl_list_free(headerList)
    ccurl_list_free(resolvedList)
    sent?.deallocate()
    (easy, headerList, resolvedList, sent) = (nil, nil, nil, nil)
  }

  private func configure(_ easy: UnsafeMutableRawPointer) -> Bool {
    let configuration = exchange.configuration
    callbacks.initialize(to: Self.callbacks(Unmanaged.passUnretained(self).toOpaque()))
    var headers = exchange.headers
    // Without ACCEPT_ENCODING libcurl decodes nothing: its own decoder accepts a truncated gzip body as complete. A
    // download is not compressed, since ranges count the bytes of the file.
    headers.append("Accept-Encoding", exchange.lane == .fetch && ccurl_can_inflate() ? "gzip" : "identity")
    // libcurl sends an empty value only if it is written with a semicolon; with a colon it omits the header.
    var lines = headers.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    // With a colon it is left out: a server that does not know it would cost a second.
    if !exchange.body.isEmpty { lines.append("Expect:") }
    guard Self.append(lines, to: &headerList), Self.append(configuration.resolved, to: &resolvedList) else {
      return false
    }
    let strings: [(CURLoption, String)] = [
      (CURLOPT_URL, exchange.url.text),
      (CURLOPT_PROTOCOLS_STR, "http,https"),
      (CURLOPT_USERAGENT, configuration.userAgentLine),
      // Not the environment's proxy: the checked address would be the proxy's.
      (CURLOPT_PROXY, ""),
    ]
    let numbers: [(CURLoption, Int)] = [
      (CURLOPT_NOSIGNAL, 1),
      (CURLOPT_FOLLOWLOCATION, 0),
      (CURLOPT_HTTP09_ALLOWED, 0),
      (CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue)),
      // A cancelled lookup is left to end by itself; otherwise the network thread would wait for the resolver.
      (CURLOPT_QUICK_EXIT, 1),
      // Over TLS a burst shares one connection. Without TLS it is unknown beforehand that a host supports HTTP/1.1
      // only, and every second request would wait for the first one's response.
      (CURLOPT_PIPEWAIT, exchange.url.origin.scheme == "https" ? 1 : 0),
      (CURLOPT_TCP_KEEPALIVE, 1),
      (CURLOPT_MAXAGE_CONN, 60),
      (CURLOPT_BUFFERSIZE, 64 << 10),
      (CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.milliseconds),
      (CURLOPT_TIMEOUT_MS, exchange.lane == .fetch ? configuration.callTimeout.milliseconds : 0),
      (CURLOPT_LOW_SPEED_LIMIT, configuration.stall.bytesPerSecond),
      (CURLOPT_LOW_SPEED_TIME, configuration.stall.seconds),
    ]
    return strings.allSatisfy { ccurl_set_string(easy, $0, $1) == CURLE_OK }
      && numbers.allSatisfy { ccurl_set_long(easy, $0, $1) == CURLE_OK }
      && ccurl_set_list(easy, CURLOPT_HTTPHEADER, headerList) == CURLE_OK
      && ccurl_set_list(easy, CURLOPT_RESOLVE, resolvedList) == CURLE_OK
      && ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText) == CURLE_OK
      && ccurl_set_callbacks(easy, callbacks) == CURLE_OK
      && (exchange.method == .get || setMethod(easy))
  }

  private func setMethod(_ easy: UnsafeMutableRawPointer) -> Bool {
    if exchange.method == .put || !exchange.body.isEmpty {
      let sent = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, exchange.body.count))
      _ = sent.initialize(from: exchange.body)
      self.sent = sent
      guard ccurl_set_long(easy, CURLOPT_POSTFIELDSIZE, exchange.body.count) == CURLE_OK,
        ccurl_set_pointer(easy, CURLOPT_POSTFIELDS, sent.baseAddress) == CURLE_OK
      else { return false }
    }
    return ccurl_set_string(easy, CURLOPT_CUSTOMREQUEST, exchange.method.rawValue) == CURLE_OK
  }

  private static func append(_ texts: [String], to list: inout UnsafeMutablePointer<curl_slist>?) -> Bool {
    for text in texts {
      guard let longer = ccurl_list_append(list, text) else { return false }
      list = longer
    }
    return true
  }
}

// MARK: Callbacks, on the network thread

extension Transfer {
  private static func callbacks(_ context: UnsafeMutableRawPointer) -> ccurl_callbacks {
    // The loop retains the transfer until its handle is closed, so the pointer needs no retain.
    func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer {
      Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
    }
    return ccurl_callbacks(
      context: context,
      header: { transfer($0).header(UnsafeRawBufferPointer(start: $1, count: $2)) },
      body: { transfer($0).body(UnsafeRawBufferPointer(start: $1, count: $2)) },
      may_open: { transfer($0).mayOpen(IPAddress($1!)) },
      may_send: { transfer($0).maySend(IPAddress(literal: String(cString: $1!))) })
  }

  private func header(_ line: UnsafeRawBufferPointer) -> Bool {
    guarded { () throws(HTTPFailure) in
      guard case .head(let head) = try parser.take(line) else { return }
      if exchange.method == .get, [301, 302, 303, 307, 308].contains(head.status),
        let location = head.headers["Location"]
      {
        let target = try resolve(location)
        redirect = .redirect(to: target, isPermanent: head.status == 301 || head.status == 308)
        // A short body is read so that the connection can be reused; a longer one is not worth waiting for.
        if head.contentLength ?? .max > 16 << 10 { stop = redirect }
        return
      }
      let encoding = head.headers["Content-Encoding"]?.lowercased() ?? "identity"
      let isKnown = encoding == "identity" || (exchange.lane == .fetch && head.isGzip)
      guard isKnown || !(200...299).contains(head.status) else {
        throw .badResponse(reason: "answerEncoded")
      }
      received = 0
      if try !exchange.sink.begin(head) { stop = .complete }
    }
  }

  private func body(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guarded { () throws(HTTPFailure) in
      guard redirect == nil else { return }
      received? += bytes.count
      try exchange.sink.receive(bytes)
    }
  }

  private func mayOpen(_ address: IPAddress?) -> Bool {
    guard let address, permits(address) else {
      refused = address ?? refused
      return false
    }
    hasOpened = true
    return true
  }

  private func maySend(_ address: IPAddress?) -> Bool {
    guarded { () throws(HTTPFailure) in
      guard let address, permits(address) else {
        throw .refusedAddress(origin: exchange.url.origin.description, address: address?.description ?? "?")
      }
      exchange.sink.connected()
    }
  }

  private func permits(_ address: IPAddress) -> Bool {
    let decision = AddressPolicy.decision(
      for: address, reaching: exchange.url.origin, requested: exchange.requested,
      allowed: exchange.configuration.allowedOrigins)
    return decision == .permitted
  }

  /// Runs a callback's work; returns whether the transfer continues.
  private func guarded(_ work: () throws(HTTPFailure) -> Void) -> Bool {
    do {
      try work()
    } catch {
      stop = .failed(error)
    }
    return stop == nil
  }

  private func resolve(_ location: String) throws(HTTPFailure) -> WebURL {
    let absolute = ccurl_resolve(exchange.url.text, location)
    defer { ccurl_free(absolute) }
    guard let absolute, let url = try? WebURL(String(cString: absolute)) else {
      throw .badResponse(reason: "redirectNowhere")
    }
    return url
  }
}

// MARK: The end

extension Transfer {
  /// The result of the exchange, once libcurl has reported it as done.
  func end(_ code: CURLcode) -> ExchangeEnd {
    if let stop { return stop }
    guard code == CURLE_OK else { return .failed(failure(code)) }
    if let redirect { return redirect }
    // libcurl takes half a head for an answer.
    if received == nil {
      return .failed(.unreachable(origin: exchange.url.origin.description, reason: "connectionLost"))
    }
    return .complete
  }

  private func failure(_ code: CURLcode) -> HTTPFailure {
    let origin = exchange.url.origin
    let said = errorText[0] == 0 ? String(cString: ccurl_easy_strerror(code)) : String(cString: errorText)
    let reason = CurlReason.word(for: code, said: said)
    switch code {
    case CURLE_COULDNT_CONNECT:
      // Refused only if no address of the host was permitted; otherwise the permitted ones were tried without a
      // connection.
      if let refused, !hasOpened { return .refusedAddress(origin: origin.description, address: refused.description) }
      return .unreachable(origin: origin.description, reason: reason)
    case CURLE_OPERATION_TIMEDOUT:
      return .timedOut(origin: origin.description)
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_PARTIAL_FILE,
      CURLE_RECV_ERROR, CURLE_SEND_ERROR:
      if let received, exchange.lane == .fetch {
        return .brokenOff(origin: origin.description, received: received)
      }
      return .unreachable(origin: origin.description, reason: reason)
    case CURLE_SSL_CONNECT_ERROR:
      // A connection that was lost during the handshake may succeed the next time. Other handshake errors would recur.
      return CurlReason.isLost(said)
        ? .unreachable(origin: origin.description, reason: reason)
        : .untrusted(origin: origin.description, reason: reason)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      return .untrusted(origin: origin.description, reason: reason)
    case CURLE_URL_MALFORMAT:
      return .invalidURL(reason: reason)
    case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT:
      return .unavailable(reason: reason)
    default:
      return .badResponse(reason: reason)
    }
  }
}

extension Duration {
  /// Rounded down, at least 1: libcurl interprets 0 as "no limit".
  fileprivate var milliseconds: Int {
    max(1, Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000))
  }
}
