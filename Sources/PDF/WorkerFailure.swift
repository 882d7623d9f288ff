/// Why the worker, or the pool, could not fulfil a request.
///
/// The reason of `corrupt` and `unavailable` is a key of the catalogue's family `reason`, or a message of the system or
/// of poppler.
///
/// A failure concerns only its own request; the pool continues.
package enum WorkerFailure: Error, Sendable, Equatable {
  /// The worker was terminated by this signal while it ran the request; 0 if it exited by itself.
  case crashed(signal: Int32)
  /// The request ran longer than its deadline, and its worker was killed.
  case timedOut
  /// No worker became free before the deadline for waiting.
  case busy
  /// The document needs a password, and none was given.
  case passwordRequired
  /// The given password does not open the document.
  case wrongPassword
  /// The bytes begin like a PDF but cannot be parsed as one.
  case corrupt(reason: String)
  /// The bytes are not a PDF.
  case notPDF
  /// The page or document needs more memory than a worker may have.
  case outOfMemory
  /// Protections that the configuration requires are missing on this machine.
  case sandboxUnavailable(missing: [String])
  /// The document has no such page, or poppler cannot load it.
  case pageUnavailable(page: Int)
  /// Neither cairo nor Splash can render the page, though the file is valid.
  case undrawable(page: Int)
  /// The requested picture has this many pixels, or a side beyond cairo's limit.
  case pictureTooLarge(pixels: Int, limit: Int)
  /// The text of this page, or of the pages up to it, exceeds the size of a reply.
  case textTooLarge(page: Int)
  /// The file would exceed the size that a worker may write, in bytes.
  case fileTooLarge(limit: Int)
  /// The picture's file could not be created or written.
  case outputError(errno: Int32)
  /// The document's file could not be opened.
  case unreadable(errno: Int32)
  /// The request is invalid: a number out of range.
  case badRequest(String)
  /// The worker's reply was invalid. The worker was killed.
  case badReply(String)
  /// No worker can be started.
  case unavailable(String)
  /// The requesting task was cancelled.
  case cancelled
  /// The pool has been shut down.
  case shutDown
  /// The attempt has crashed or hung three workers and is blocked for this many seconds; see ``WorkerPool/forget(_:)``.
  case markedDangerous(Part, retryAfter: Int)

  /// The blocked part of a document.
  package enum Part: Sendable, Equatable {
    /// Opening the document.
    case document
    /// One act on one page; other acts on the page are not blocked.
    case page(Int)
    /// A request for several pages or for none in particular.
    case request
  }
}
