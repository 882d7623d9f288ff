import Contract
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

  init(_ kind: Kind, _ error: RPCError, retryAfter: Duration? = nil) {
    self.kind = kind
    self.error = error
    self.retryAfter = retryAfter
  }
}
