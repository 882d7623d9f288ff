import FoundationEssentials
import HTTP
import Markup
import Wire

/// A collection of a WebDAV server (RFC 4918), such as a folder of Nextcloud.
///
/// Nothing rests on conditions, locks or ETags, which servers have by halves: a file has one writer, and its name says
/// whether its bytes are right.
package struct WebDAVTarget: SyncTarget {
  /// About 50,000 files.
  private static let listingBytes = 32 << 20
  private static let question = Array(
    #"<?xml version="1.0"?><propfind xmlns="DAV:"><prop><getcontentlength/><resourcetype/></prop></propfind>"#.utf8)

  private let files: RemoteFiles
  private let credential: @Sendable () async throws -> (name: String, password: String)?

  /// - Parameters:
  ///   - url: that of the collection, which has to exist.
  ///   - credential: asked before each request; nil for a server that needs none.
  /// - Throws: `TargetError`.
  package init(
    _ client: HTTPClient, url: String, allowsPlain: Bool = false,
    credential: @escaping @Sendable () async throws -> (name: String, password: String)?
  ) throws(TargetError) {
    files = try RemoteFiles(client, url: url, allowsPlain: allowsPlain)
    self.credential = credential
  }

  package func files(in folder: String) async throws -> [(name: String, size: Int)] {
    let response = try await list(folder.isEmpty ? "/" : "/\(folder)/", depth: 1)
    if response.status == 404, !folder.isEmpty {
      // Whether the collection is there, with no file yet.
      guard try await list("/", depth: 0).status == 207 else { throw files.error(response) }
      return []
    }
    return try listing(response)
  }

  package func file(_ path: String, limit: Int) async throws -> [UInt8]? {
    var request = try await request(.get, "/\(path)")
    (request.limit, request.isOfFile) = (RemoteFiles.responseLimit(limit), true)
    let response: HTTPResponse
    do throws(HTTPFailure) {
      response = try await files.client.send(request)
    } catch .tooLarge {
      return nil
    } catch {
      if error == .cancelled { throw CancellationError() }
      throw RemoteFiles.error(error)
    }
    if response.status == 404 { return nil }
    guard response.status == 200 else { throw files.error(response) }
    return response.body.count <= limit ? Array(response.body) : nil
  }

  package func put(_ bytes: [UInt8], at path: String) async throws {
    var response = try await send(bytes, path)
    if [404, 409].contains(response.status) {
      try await make(path)
      response = try await send(bytes, path)
    }
    if (200..<300).contains(response.status) { return }
    // Two at once, or a condition that nobody set: it may lie there all the same.
    if [405, 409, 412, 423].contains(response.status) {
      let found = try await list("/\(path)", depth: 0)
      if found.status == 207, try listing(found).first?.size == bytes.count { return }
    }
    // The server still holds what broke off.
    if response.status == 423 { throw TargetError(.unreachable, files.error(response).text) }
    throw files.error(response)
  }

  package func remove(at path: String) async throws {
    let response = try await files.send(try await request(.delete, "/\(path)"))
    guard (200..<300).contains(response.status) || [404, 410].contains(response.status) else {
      throw files.error(response)
    }
  }

  // MARK: - Requests

  private func send(_ bytes: [UInt8], _ path: String) async throws -> HTTPResponse {
    var request = try await request(.put, "/\(path)", type: "application/octet-stream")
    (request.body, request.isOfFile) = (bytes, true)
    return try await files.send(request)
  }

  /// The collections on the way to a file; of those that exist servers say 405, some 201.
  private func make(_ path: String) async throws {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += "/\(part)"
      let response = try await files.send(try await request(.mkcol, folder + "/"))
      guard (200..<300).contains(response.status) || response.status == 405 else { throw files.error(response) }
    }
  }

  private func list(_ path: String, depth: Int) async throws -> HTTPResponse {
    var request = try await request(.propfind, path, type: "application/xml")
    request.headers.append("Depth", "\(depth)")
    (request.body, request.limit) = (Self.question, Self.listingBytes)
    return try await files.send(request)
  }

  private func request(_ method: HTTPMethod, _ path: String, type: String? = nil) async throws -> HTTPRequest {
    var request = HTTPRequest(url: files.base.origin.description + files.root + path)
    request.method = method
    if let type { request.headers.append("Content-Type", type) }
    if let (name, password) = try await credential() {
      request.credentials = ["Authorization": "Basic " + Data("\(name):\(password)".utf8).base64EncodedString()]
    }
    return request
  }

  // MARK: - Listings

  private func listing(_ response: HTTPResponse) throws -> [(name: String, size: Int)] {
    guard (200..<300).contains(response.status) else { throw files.error(response) }
    // A server without WebDAV, or a page that stands before it.
    guard let listing = try Self.listing(Array(response.body)) else {
      throw RemoteFiles.error(.badResponse(reason: "noFileListing"))
    }
    guard listing.isComplete, listing.files.count <= listingLimit else { throw files.tooManyFiles }
    return listing.files
  }

  /// The files of a multistatus; nil for a body that is no multistatus.
  static func listing(_ body: [UInt8]) throws -> (files: [(name: String, size: Int)], isComplete: Bool)? {
    let document: XMLDocument
    do {
      document = try XMLDocument(TextDecoding(body), limits: MarkupLimits())
    } catch is MarkupFailure {
      return nil
    }
    guard let root = document.root, root.name == "multistatus" else { return nil }
    // Half an answer would be read as files that are gone.
    guard document.isComplete else { return nil }
    var files: [(name: String, size: Int)] = []
    for response in root.children where response.isElement && response.name == "response" {
      var (href, size, isFolder) = (String?.none, Int?.none, false)
      for index in response.index + 1..<response.end {
        let node = response.tree[index]
        guard node.isElement else { continue }
        if node.name == "href", href == nil { href = node.content }
        if node.name == "getcontentlength", size == nil { size = Int(node.content.trimmingWhitespace()) }
        if node.name == "collection" { isFolder = true }
      }
      guard let href, let size, size >= 0, !isFolder, let name = name(of: href) else { continue }
      files.append((name, size))
    }
    return (files, !document.isTruncated)
  }

  /// The last part of a URL or a path.
  private static func name(of href: String) -> String? {
    let path = href.trimmingWhitespace().prefix { $0 != "?" && $0 != "#" }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return parts.last.flatMap { $0.isEmpty ? nil : PercentEncoding.decoded($0) }
  }
}
