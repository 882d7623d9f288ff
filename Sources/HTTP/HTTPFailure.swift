import Glibc

/// Why a request failed. Every failing call throws one of these; the display catalogue forms the message from the case
/// and its values, never from a system message alone.
///
/// An `origin` is that of the request, in the form of `Origin.description`: `https://example.org`,
/// `http://127.0.0.1:8080`. A `reason` is a key of the catalogue's family `reason`, or a message of the system or of
/// libcurl.
///
/// No case contains a secret: URLs have no user part, and values that look like secrets are masked
/// (`WebURL.masked(_:)`); headers are never included.
package enum HTTPFailure: Error, Sendable, Equatable {
  /// The text is not a valid URL: another scheme than http and https, no host, or a user name.
  case invalidURL(reason: String)
  /// A header name or value that would break the request: a line break, NUL, or characters no name has.
  case invalidHeader(name: String)
  /// The host resolves to an address of this machine or its network, without an exception by the user. The origin is
  /// that of the current request, which may be that of a redirect.
  case refusedAddress(origin: String, address: String)
  /// The name cannot be resolved, no connection, or the connection was lost more often than a download resumes.
  case unreachable(origin: String, reason: String)
  /// The connection was lost during a response, after this many bytes of its body. Downloads, which resume, end with
  /// `unreachable` instead.
  case brokenOff(origin: String, received: Int)
  /// The TLS certificate does not match the host or is not trusted.
  case untrusted(origin: String, reason: String)
  /// No connection, no answer, or no more bytes within the limits of the configuration.
  case timedOut(origin: String)
  /// A response with an error status. The URL is masked.
  case httpStatus(code: Int, url: String)
  /// The service limits requests: by its own response, or by our budget. Retry after this time.
  case rateLimited(origin: String, retryAfter: Duration)
  /// The service refuses all requests for this long, for a reason such as a daily quota. The reason is a key of the
  /// catalogue.
  case closed(origin: String, reason: String, retryAfter: Duration)
  /// The service failed too many times in a row and gets no requests for this long.
  case resting(origin: String, retryAfter: Duration)
  /// The service requires a credential, or another one.
  case unauthorized(origin: String)
  /// The service refuses this client until something changes, such as the key. The reason is a key of the catalogue.
  case refused(origin: String, reason: String)
  /// The response exceeds the request's limit, in bytes.
  case tooLarge(limit: Int)
  /// A response that violates the protocol or cannot be used.
  case badResponse(reason: String)
  /// More than five redirects, or a redirect to a URL already visited.
  case tooManyRedirects
  /// The `validate` hook of a download refused the first bytes; the reason is the hook's.
  case refusedContent(reason: String)
  /// The task was cancelled.
  case cancelled
  /// The disk, or the user's quota, is full. The part is retained.
  case diskFull
  /// Another file error, with its `errno`.
  case fileError(errno: Int32)
  /// Another download is writing the same part file.
  case partInUse
  /// More waiting calls than `HTTPConfiguration.callsWaiting`.
  case busy
  /// The configuration forbids requests.
  case offline
  /// `HTTPClient.shutDown()` was called.
  case shutDown
  /// libcurl is missing or cannot be used on this machine.
  case unavailable(reason: String)
}

extension HTTPFailure {
  /// The failure for an `errno` of a file operation.
  static func file(_ code: Int32) -> HTTPFailure {
    switch code {
    // EFBIG is the file size limit of the process (RLIMIT_FSIZE): equivalent to a full disk for the user.
    case ENOSPC, EDQUOT, EFBIG: .diskFull
    default: .fileError(errno: code)
    }
  }
}
