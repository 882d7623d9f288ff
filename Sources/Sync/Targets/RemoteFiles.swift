import HTTP
import Kit
import Wire

/// What targets on servers have in common: the one HTTP client, and its failures as those of a target.
struct RemoteFiles: Sendable {
  let client: HTTPClient
  let base: WebURL

  /// - Throws: `TargetError` for what is no URL, and for `http://` to a public host, which sends passwords in the clear.
  init(_ client: HTTPClient, url: String, allowsPlain: Bool) throws(TargetError) {
    self.client = client
    do throws(HTTPFailure) { base = try WebURL(url) } catch { throw Self.error(error) }
    let origin = base.origin
    let isNear = origin.literal?.isPrivate ?? origin.isLocalhost
    guard origin.scheme == "https" || isNear || allowsPlain else {
      throw TargetError(.refused, Text("sync.target.plain", ["origin": origin.description]))
    }
  }

  /// The limit of a request for a file of at most so many bytes: an error may have a longer body.
  static func responseLimit(_ limit: Int) -> Int { max(limit, 64 << 10) }

  var place: String { base.masked }
  /// The path without slashes at its end.
  var root: String { String(base.target.reversed().drop { $0 == "/" }.reversed()) }

  /// - Throws: `TargetError`, `CancellationError`.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    do throws(HTTPFailure) {
      return try await client.send(request)
    } catch {
      if error == .cancelled { throw CancellationError() }
      throw Self.error(error)
    }
  }

  /// The error of a status that is no success and has no other meaning.
  func error(_ response: HTTPResponse) -> TargetError {
    switch response.status {
    case 401: Self.error(.unauthorized(origin: base.origin.description))
    case 403: TargetError(.refused, Text("sync.target.refused", ["place": place]))
    case 507: TargetError(.full, Text("sync.target.full", ["place": place]))
    case 404, 410: TargetError(.gone, Text("sync.target.gone", ["place": place]))
    default:
      TargetError(
        (300..<500).contains(response.status) ? .refused : .unreachable,
        RPCError(.httpStatus(code: response.status, url: response.finalURL.masked)).text)
    }
  }

  var tooManyFiles: TargetError { TargetError(.refused, Text("sync.target.tooManyFiles", ["place": place])) }

  static func error(_ failure: HTTPFailure) -> TargetError {
    let kind: TargetError.Kind =
      switch failure {
      case .unauthorized, .refused, .refusedAddress, .untrusted, .invalidURL, .invalidHeader: .refused
      default: .unreachable
      }
    return TargetError(kind, RPCError(failure).text, retryAfter: failure.retryAfter)
  }
}

/// Two parts of a secret that are written in one line: `NAME:PASSWORD`.
///
/// - Throws: `TargetError` if there is no colon.
func credentialParts(_ secret: Secret, named name: String) throws(TargetError) -> (name: String, password: String) {
  guard let colon = secret.value.utf8.firstIndex(of: UInt8(ascii: ":")), colon > secret.value.startIndex else {
    throw TargetError(.refused, Text("sync.target.credential", ["name": name]))
  }
  return (String(secret.value[..<colon]), String(secret.value[colon...].dropFirst()))
}
