import Glibc

/// Why a request gave nothing. One of these reaches the caller of every call that fails; what a person is told about it
/// is made from the case and its values by the display catalogue, never from a system's message alone.
///
/// An `origin` is whom was asked, in the form of `Origin.description`: `https://example.org`, `http://127.0.0.1:8080`.
/// A `reason` is a word of the catalogue's family `reason`, or what the system or libcurl says in its own words.
///
/// No case carries a secret: a URL is shown without user part and with secret-looking values masked
/// (`WebURL.masked(_:)`), and headers are never shown.
package enum HTTPFailure: Error, Sendable, Equatable {
  /// The text is no URL that is fetched: another scheme than http and https, no host, a user name in it.
  case invalidURL(reason: String)
  /// A header name or value that would break the request: a line break, NUL, or characters no name has.
  case invalidHeader(name: String)
  /// The host resolves to an address of this machine or its network, and nothing the user wrote asks for that. The origin
  /// is that of the hop, which may be another than the one that was asked.
  case refusedAddress(origin: String, address: String)
  /// No name, no connection, or a connection lost more often than a download resumes.
  case unreachable(origin: String, reason: String)
  /// The connection was lost in the middle of an answer, after so many bytes of its body. Downloads, which resume, end in
  /// `unreachable` instead.
  case brokenOff(origin: String, received: Int)
  /// The TLS certificate does not prove that this is the host.
  case untrusted(origin: String, reason: String)
  /// No connection, no answer, or no more bytes within the limits of the configuration.
  case timedOut(origin: String)
  /// An answer whose status means failure. The URL is masked.
  case httpStatus(code: Int, url: String)
  /// The service wants fewer requests: by its own word, or by ours before it had to say it. Ask again after this time.
  case rateLimited(origin: String, retryAfter: Duration)
  /// The service answers nobody for this long, and says why: a daily quota. The reason is a word of the catalogue.
  case closed(origin: String, reason: String, retryAfter: Duration)
  /// The service failed too often in a row and is left alone for this long.
  case resting(origin: String, retryAfter: Duration)
  /// The service wants another credential, or one at all.
  case unauthorized(origin: String)
  /// The service refuses this caller until something changes, such as the key. The reason is a word of the catalogue.
  case refused(origin: String, reason: String)
  /// More bytes than the request allows. The limit is in bytes.
  case tooLarge(limit: Int)
  /// An answer that breaks the protocol or cannot be used.
  case badResponse(reason: String)
  /// More than five redirects, or a redirect to a place already visited.
  case tooManyRedirects
  /// The `validate` hook of a download refused the first bytes; the reason is the hook's.
  case refusedContent(reason: String)
  /// The task was cancelled.
  case cancelled
  /// The file system is full, or the user's share of it. The part is kept.
  case diskFull
  /// Another file error, with its `errno`.
  case fileError(errno: Int32)
  /// Another download writes the same part file at this moment.
  case partInUse
  /// More calls wait for their turn than `HTTPConfiguration.callsWaiting`.
  case busy
  /// The configuration says offline.
  case offline
  /// `HTTPClient.shutDown()` was called.
  case shutDown
  /// libcurl is missing or unfit on this machine.
  case unavailable(reason: String)
}

extension HTTPFailure {
  /// The failure for an `errno` of a file operation.
  static func file(_ code: Int32) -> HTTPFailure {
    switch code {
    // EFBIG is the file size limit of the process (RLIMIT_FSIZE): for the user as good as a full disk.
    case ENOSPC, EDQUOT, EFBIG: .diskFull
    default: .fileError(errno: code)
    }
  }
}
