import CPage
import Glibc
import NIOCore
import NIOHTTP1

/// The files of the page: those in this program, or those of a folder for whoever develops the page.
struct Assets: Sendable {
  let folder: String?

  private struct File: Sendable {
    let bytes: ByteBuffer
    let tag: String
  }

  /// The files in this program, by path.
  private static let embedded: [String: File] = {
    var files: [String: File] = [:]
    var number = 0
    while let path = cpage_path(number) {
      var count = 0
      if let bytes = cpage_file(path, &count) {
        let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
        files[String(cString: path)] = File(bytes: ByteBuffer(bytes: bytes), tag: EntityTag.of(bytes))
      }
      number += 1
    }
    return files
  }()

  /// A hash of all embedded files. The page loads its files from a folder of this name, so that a browser
  /// that has them asks for none.
  private static let version: String = {
    let tags = embedded.sorted { $0.key < $1.key }.map { $0.value.tag }.joined()
    return String(EntityTag.of(tags.utf8).dropFirst().dropLast())
  }()

  /// The page itself, whose addresses lead into the folder of the version.
  private static let index: File? = embedded["index.html"].map { file in
    let bytes = ByteBuffer(string: String(buffer: file.bytes).replacing("=\"./", with: "=\"/\(version)/"))
    return File(bytes: bytes, tag: EntityTag.of(bytes.readableBytesView))
  }

  /// The answer to a request for `path`, such as `/kernel/list.js`; nil if there is no such file.
  func answer(to path: String, unless known: [String]) -> Answer? {
    let prefix = "/\(Self.version)/"
    let isVersioned = folder == nil && path.hasPrefix(prefix)
    let name = path == "/" ? "index.html" : String(path.dropFirst(isVersioned ? prefix.count : 1))
    guard let file = folder.map({ Self.read(name, in: $0) }) ?? (path == "/" ? Self.index : Self.embedded[name]) else {
      return nil
    }
    let caching = isVersioned ? "private, max-age=31536000, immutable" : "no-cache"
    var answer = Answer(
      status: .ok, headers: [("Content-Type", Self.type(of: name)), ("Cache-Control", caching), ("ETag", file.tag)],
      body: .bytes(file.bytes), policy: .page)
    if EntityTag.matches(file.tag, known) {
      answer.status = .notModified
      answer.body = .bytes(ByteBuffer())
    }
    return answer
  }

  private static func read(_ name: String, in folder: String) -> File? {
    guard let file = StoredFile(name, in: folder), let bytes = file.read(0..<file.size) else { return nil }
    return File(bytes: bytes, tag: EntityTag.of(bytes.readableBytesView))
  }

  private static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "webmanifest": "application/manifest+json"
    default: "application/octet-stream"
    }
  }
}
