import HTTP
import Wire

/// Why a source gave nothing. It never carries a secret.
struct SourceFailure: Error, Sendable {
  enum Kind: Sendable, Equatable {
    /// May be temporary: no network, a busy server, an unreadable response.
    case passing
    /// According to the service there is nothing at this place, perhaps for a while.
    case missing
    /// According to the service there never will be anything again (410): it is not requested automatically again.
    case gone
    /// A credential is missing or wrong: requesting again is useless until the configuration changes.
    case unauthorized
    /// The response is not from a source of this kind, such as a login page instead of a feed.
    case notSource
    /// The service refuses the query, such as a word that is too short.
    case query
    /// The configuration says offline.
    case offline
    /// The caller has cancelled.
    case cancelled
  }

  var kind: Kind
  /// The error for the client.
  var error: RPCError
  /// The service's minimum time until another request.
  var retryAfter: Duration?
  /// Whether it is the response to its own request; otherwise requests to its host are suspended because of another
  /// response.
  var wasAsked = true

  init(_ kind: Kind, _ error: RPCError, retryAfter: Duration? = nil) {
    self.kind = kind
    self.error = error
    self.retryAfter = retryAfter
  }
}

extension SourceFailure {
  /// Whether this failure of one board does not concern its other boards: that board is locked (403), or does not
  /// exist. A refused credential (401) concerns all of them.
  var isOfPlace: Bool {
    switch kind {
    case .missing, .gone: true
    case .unauthorized: error.kind == .httpStatus
    default: false
    }
  }

  /// Whether this failure of one board's page does not concern the other boards of its source: the board is locked or
  /// does not exist, or the host sent an error or an unusable page. An unreachable host, a refused credential and a
  /// rate limit concern all of them.
  var isOfPage: Bool {
    if isOfPlace { return true }
    guard wasAsked, retryAfter == nil, kind == .passing || kind == .notSource else { return false }
    switch error.kind {
    case .httpStatus, .badResponse, .tooLarge: return true
    default: return false
    }
  }

  /// The meaning of a network failure for a source. A status with a special meaning for one kind of source is handled
  /// by the plug-in.
  ///
  /// - Parameter service: the name of the service whose API was requested; nil for addresses that users can open
  ///   themselves.
  init(_ failure: HTTPFailure, of service: String? = nil) {
    let error = service.map { RPCError(failure, of: $0) } ?? RPCError(failure)
    switch failure {
    case .cancelled, .shutDown: self.init(.cancelled, error)
    case .offline: self.init(.offline, error)
    case .unauthorized, .refused, .httpStatus(code: 403, url: _): self.init(.unauthorized, error)
    case .httpStatus(code: 404, url: _): self.init(.missing, error)
    case .httpStatus(code: 410, url: _): self.init(.gone, error)
    case .rateLimited(_, let time), .closed(_, _, let time): self.init(.passing, error, retryAfter: time)
    case .resting(_, let time):
      self.init(.passing, error, retryAfter: time)
      wasAsked = false
    default: self.init(.passing, error)
    }
  }
}

/// The errors of methods that request something of a source.
enum BoardErrors {
  static let fetching: [ErrorKind] = [
    .badResponse, .httpStatus, .rateLimited, .refusedAddress, .timedOut, .tooLarge, .unauthorized, .unreachable,
  ]
}
