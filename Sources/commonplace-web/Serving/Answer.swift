import NIOCore
import NIOHTTP1

/// An answer to one request.
struct Answer: Sendable {
  enum Body: Sendable {
    case bytes(ByteBuffer)
    case file(StoredFile, Range<Int>)
  }

  var status: HTTPResponseStatus
  var headers: [(name: String, value: String)] = []
  var body = Body.bytes(ByteBuffer())
  var policy = ContentPolicy.nothing

  var length: Int {
    switch body {
    case .bytes(let bytes): bytes.readableBytes
    case .file(_, let range): range.count
    }
  }

  /// One sentence for the developer of a page, or for who tries another way in.
  static func refusal(_ status: HTTPResponseStatus, _ sentence: String) -> Answer {
    Answer(
      status: status, headers: [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")],
      body: .bytes(ByteBuffer(string: sentence + "\n")))
  }

  static func tooLarge(_ limit: Int) -> Answer {
    .refusal(.payloadTooLarge, "At most \(limit) bytes are accepted here.")
  }

  static func json(_ status: HTTPResponseStatus, _ text: String) -> Answer {
    Answer(
      status: status, headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
      body: .bytes(ByteBuffer(string: text)))
  }
}

/// The content security policy of an answer.
enum ContentPolicy: Sendable {
  /// Files, errors: loads nothing.
  case nothing
  /// The page.
  case page
  /// HTML of others, in a frame of the page: no script, no network, an origin of its own.
  case isolated

  var headers: [(name: String, value: String)] {
    let policy =
      switch self {
      case .nothing: "default-src 'none'; frame-ancestors 'self'"
      case .page:
        """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; \
        connect-src 'self'; manifest-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; \
        frame-ancestors 'none'
        """
      case .isolated:
        """
        sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data:; \
        style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'
        """
      }
    let isFramed = if case .page = self { false } else { true }
    return [
      ("Content-Security-Policy", policy),
      ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Cross-Origin-Resource-Policy", "same-origin"),
      ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
      ("Referrer-Policy", "no-referrer"),
      ("X-Content-Type-Options", "nosniff"),
      ("X-Frame-Options", isFramed ? "SAMEORIGIN" : "DENY"),
    ]
  }
}
