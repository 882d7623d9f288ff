import HTTP
import Wire

/// Why a source gave nothing. It never carries a secret.
struct SourceFailure: Error, Sendable {
  enum Kind: Sendable, Equatable {
    /// May go away by itself: no network, a server that is busy, an answer that cannot be read.
    case passing
    /// The service says that there is nothing at this place, perhaps for a while.
    case missing
    /// The service says that there never will be anything again (410): nobody asks again by himself.
    case gone
    /// A credential is missing or wrong: asking again changes nothing until the configuration does.
    case unauthorized
    /// What answers is no source of this kind, such as a login page instead of a feed.
    case notSource
    /// The service refuses to look for this, such as for a word that is too short for it.
    case query
    /// The configuration says offline.
    case offline
    /// Whoever asked has left.
    case cancelled
  }

  var kind: Kind
  /// What the reader is told.
  var error: RPCError
  /// Not to be asked again before this has passed, as the service says.
  var retryAfter: Duration?
  /// Whether it is the answer to a request of its own; otherwise its host is left alone for what others were told.
  var wasAsked = true

  init(_ kind: Kind, _ error: RPCError, retryAfter: Duration? = nil) {
    self.kind = kind
    self.error = error
    self.retryAfter = retryAfter
  }
}

extension SourceFailure {
  /// Whether a service that says this of one board says nothing of its other boards: that board is locked (403), or is
  /// not there. A credential that is refused (401) is so for all of them.
  var isOfPlace: Bool {
    switch kind {
    case .missing, .gone: true
    case .unauthorized: error.kind == .httpStatus
    default: false
    }
  }

  /// What a failure of the network means for a source. A status that means more for one kind of source is the plug-in's.
  ///
  /// - Parameter service: what people call it whose API was asked; nil for what they can open themselves.
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
