/// Why the worker, or the pool in front of it, did not do what was asked.
///
/// What `corrupt` and `unavailable` say is a word of the catalogue's family `reason`, or what the system or poppler
/// says in its own words.
///
/// A failure concerns its own request only; the pool lives on.
package enum WorkerFailure: Error, Sendable, Equatable {
  /// The worker ended by this signal while it ran the request; 0 if it ended by itself.
  case crashed(signal: Int32)
  /// The request ran longer than its deadline, and its worker was killed.
  case timedOut
  /// No worker came free before the deadline for waiting.
  case busy
  /// The document needs a password, and none was given.
  case passwordRequired
  /// The password that was given does not open the document.
  case wrongPassword
  /// The bytes begin like a PDF but cannot be read as one.
  case corrupt(reason: String)
  /// The bytes are no PDF at all.
  case notPDF
  /// The page or document needs more memory than a worker may have.
  case outOfMemory
  /// Protections that the configuration requires are missing on this machine.
  case sandboxUnavailable(missing: [String])
  /// The document has no such page, or poppler cannot load it.
  case pageUnavailable(page: Int)
  /// Neither cairo nor Splash can draw the page, though the file is in order.
  case undrawable(page: Int)
  /// The picture asked for has this many pixels, or a side past what cairo can draw.
  case pictureTooLarge(pixels: Int, limit: Int)
  /// The text of this page, or of the pages up to it, is larger than one reply may be.
  case textTooLarge(page: Int)
  /// The file would be longer than a worker may write, in bytes.
  case fileTooLarge(limit: Int)
  /// The picture's file could not be made or written.
  case outputError(errno: Int32)
  /// The document's file could not be opened.
  case unreadable(errno: Int32)
  /// The request itself makes no sense: a number out of range.
  case badRequest(String)
  /// The worker's answer was not what an honest worker sends. It was killed.
  case badReply(String)
  /// No worker can be started.
  case unavailable(String)
  /// The task that asked was cancelled.
  case cancelled
  /// The pool has been shut down.
  case shutDown
  /// This has crashed or hung three workers and is not given to another before so many seconds have passed; see
  /// ``WorkerPool/forget(_:)``.
  case markedDangerous(Part, retryAfter: Int)

  /// What of a document is left alone.
  package enum Part: Sendable, Equatable {
    /// It cannot even be opened.
    case document
    /// One page, for what was asked of it; the same page may be good for something else.
    case page(Int)
    /// What was asked, of several pages or of none in particular.
    case request
  }

  package var isMarkedDangerous: Bool { if case .markedDangerous = self { true } else { false } }
}
