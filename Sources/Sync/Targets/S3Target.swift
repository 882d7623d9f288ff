import Contract
import FoundationEssentials
import HTTP
import Markup
import Wire

/// A bucket of a server that speaks S3, and in it the objects whose names begin with a prefix.
package struct S3Target: SyncTarget {
  package struct Place: Sendable, Equatable {
    /// `https://s3.example.org`
    package var endpoint: String
    package var bucket: String
    package var region: String
    /// Without slashes around; empty for the whole bucket.
    package var prefix: String
    /// Whether the bucket is the first part of the path, and not of the host's name.
    package var usesPath: Bool

    package init(endpoint: String, bucket: String, region: String, prefix: String = "", usesPath: Bool) {
      (self.endpoint, self.bucket, self.region) = (endpoint, bucket, region)
      self.prefix = prefix.split(separator: "/").joined(separator: "/")
      self.usesPath = usesPath
    }
  }

  /// 1,000 objects have about 240 kB.
  private static let pageBytes = 8 << 20

  private let files: RemoteFiles
  private let place: Place
  private let now: @Sendable () -> Instant
  private let credential: @Sendable () async throws -> (name: String, password: String)

  /// - Parameters:
  ///   - credential: asked before each request: the key's id and its secret.
  /// - Throws: `TargetError`.
  package init(
    _ client: HTTPClient, _ place: Place, allowsPlain: Bool = false, now: @escaping @Sendable () -> Instant,
    credential: @escaping @Sendable () async throws -> (name: String, password: String)
  ) throws(TargetError) {
    var url = place.endpoint
    if !place.usesPath, let slashes = url.firstRange(of: "://") {
      url.insert(contentsOf: "\(place.bucket).", at: slashes.upperBound)
    }
    files = try RemoteFiles(client, url: url, allowsPlain: allowsPlain)
    (self.place, self.now, self.credential) = (place, now, credential)
  }

  package func files(in folder: String) async throws -> [(name: String, size: Int)] {
    let prefix = key(folder.isEmpty ? "" : folder + "/")
    var files: [(name: String, size: Int)] = []
    var token: String?
    repeat {
      var query = [("list-type", "2"), ("delimiter", "/"), ("prefix", prefix)]
      if let token { query.append(("continuation-token", token)) }
      let response = try await send(.get, "", query: query, limit: Self.pageBytes)
      guard response.status == 200 else { throw error(response) }
      guard let page = try Self.page(Array(response.body), prefix: prefix), page.next == nil || page.next != token
      else {
        throw RemoteFiles.error(.badResponse(reason: "noFileListing"))
      }
      files += page.files
      guard files.count <= listingLimit else { throw self.files.tooManyFiles }
      token = page.next
    } while token != nil
    return files
  }

  package func file(_ path: String, limit: Int) async throws -> [UInt8]? {
    let response: HTTPResponse
    do {
      response = try await send(.get, key(path), limit: RemoteFiles.responseLimit(limit), isOfFile: true)
    } catch HTTPFailure.tooLarge {
      return nil
    }
    if response.status == 404, Self.code(response) != "NoSuchBucket" { return nil }
    guard response.status == 200 else { throw error(response) }
    return response.body.count <= limit ? Array(response.body) : nil
  }

  package func put(_ bytes: [UInt8], at path: String) async throws {
    let response = try await send(.put, key(path), body: bytes, isOfFile: true)
    guard (200..<300).contains(response.status) else { throw error(response) }
  }

  package func remove(at path: String) async throws {
    let response = try await send(.delete, key(path))
    let isDone = (200..<300).contains(response.status)
    guard isDone || response.status == 404 && Self.code(response) != "NoSuchBucket" else { throw error(response) }
  }

  private func key(_ path: String) -> String { place.prefix.isEmpty ? path : "\(place.prefix)/\(path)" }

  // MARK: - Requests

  /// - Throws: `HTTPFailure.tooLarge`, `TargetError`, `CancellationError`.
  private func send(
    _ method: HTTPMethod, _ key: String, query: [(name: String, value: String)] = [], body: [UInt8] = [],
    limit: Int = 1 << 20, isOfFile: Bool = false
  ) async throws -> HTTPResponse {
    let (id, secret) = try await credential()
    let signature = S3Signature(keyID: id, secret: secret, region: place.region)
    let parts = (place.usesPath ? [place.bucket] : []) + (key.isEmpty ? [] : key.split(separator: "/").map(String.init))
    var path = files.root + parts.map { "/" + PercentEncoding.encoded($0) }.joined()
    if path.isEmpty { path = "/" }
    let origin = files.base.origin.description
    func request(at milliseconds: Int64) -> HTTPRequest {
      let written = S3Signature.written(query)
      var request = HTTPRequest(url: origin + path + (written.isEmpty ? "" : "?\(written)"), limit: limit)
      (request.method, request.body, request.isOfFile) = (method, body, isOfFile)
      if !body.isEmpty { request.headers = ["Content-Type": "application/octet-stream"] }
      let host = String(origin.drop { $0 != "/" }.dropFirst(2))
      let signed = signature.headers(
        method.rawValue, host: host, path: path, query: query, body: body,
        time: S3Signature.time(milliseconds: milliseconds))
      for (name, value) in signed { request.credentials.append(name, value) }
      return request
    }
    let response = try await answer(to: request(at: now().milliseconds))
    // A clock that is off must not stop the sync: the server's own counts.
    guard response.status == 403, Self.code(response) == "RequestTimeTooSkewed",
      let date = response.headers["Date"].flatMap({ HTTPDate($0)?.date })
    else { return response }
    return try await answer(to: request(at: Int64(date.timeIntervalSince1970 * 1_000)))
  }

  private func answer(to request: HTTPRequest) async throws -> HTTPResponse {
    do throws(HTTPFailure) {
      return try await files.client.send(request)
    } catch {
      switch error {
      case .cancelled: throw CancellationError()
      case .tooLarge: throw error
      default: throw RemoteFiles.error(error)
      }
    }
  }

  // MARK: - Answers

  private func error(_ response: HTTPResponse) -> TargetError {
    guard let code = Self.code(response) else { return files.error(response) }
    let kind: TargetError.Kind =
      switch code {
      case "NoSuchBucket": .gone
      case "QuotaExceeded", "XMinioStorageFull", "EntityTooLarge": .full
      default: response.status >= 500 ? .unreachable : .refused
      }
    return TargetError(kind, Text("sync.target.s3", ["bucket": place.bucket, "code": code]))
  }

  /// The code of an error, such as `NoSuchKey`.
  static func code(_ response: HTTPResponse) -> String? {
    guard let document = try? XMLDocument(TextDecoding(Array(response.body)), limits: .body), let root = document.root,
      root.name == "Error", let code = root.children.first(where: { $0.isElement && $0.name == "Code" })?.content
    else { return nil }
    // It is shown to people, and comes from a stranger.
    let isWord = !code.isEmpty && code.utf8.count <= 64 && code.utf8.allSatisfy { $0 < 0x80 && $0 != 0x20 && $0 > 0x1F }
    return isWord ? code : nil
  }

  /// The objects of a page of a listing, and the token of the next one; nil for what is no such page.
  static func page(_ body: [UInt8], prefix: String) throws -> (files: [(name: String, size: Int)], next: String?)? {
    let document: XMLDocument
    do {
      document = try XMLDocument(TextDecoding(body), limits: MarkupLimits())
    } catch is MarkupFailure {
      return nil
    }
    // Half a page would be read as files that are gone.
    guard let root = document.root, root.name == "ListBucketResult", document.isComplete, !document.isTruncated else {
      return nil
    }
    var (files, isLast, next) = ([(name: String, size: Int)](), true, String?.none)
    for node in root.children where node.isElement {
      if node.name == "IsTruncated" { isLast = node.content.trimmingWhitespace() != "true" }
      if node.name == "NextContinuationToken" { next = node.content }
      guard node.name == "Contents" else { continue }
      let members = node.children.filter(\.isElement)
      guard let key = members.first(where: { $0.name == "Key" })?.content, key.hasPrefix(prefix),
        let size = members.first(where: { $0.name == "Size" }).flatMap({ Int($0.content.trimmingWhitespace()) }),
        size >= 0
      else { continue }
      files.append((String(key.dropFirst(prefix.count)), size))
    }
    guard isLast || next != nil else { return nil }
    return (files.filter { !$0.name.isEmpty }, isLast ? nil : next)
  }
}
