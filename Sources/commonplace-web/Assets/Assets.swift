import CPage
import Glibc
import NIOCore
import NIOHTTP1

/// The files of the page: those in this program, or those of a folder for whoever develops the page.
struct Assets: Sendable {
  let folder: String?

  /// The answer to a request for `path`, such as `/kernel/list.js`; nil if there is no such file.
  func answer(to path: String, unless known: [String]) -> Answer? {
    let name = path == "/" ? "index.html" : String(path.dropFirst())
    guard let bytes = folder.map({ Self.read(name, in: $0) }) ?? Self.embedded(name) else { return nil }
    let tag = EntityTag.of(bytes.readableBytesView)
    var answer = Answer(
      status: .ok,
      headers: [("Content-Type", Self.type(of: name)), ("Cache-Control", "no-cache"), ("ETag", tag)],
      body: .bytes(bytes), policy: .page)
    if EntityTag.matches(tag, known) {
      answer.status = .notModified
      answer.body = .bytes(ByteBuffer())
    }
    return answer
  }

  private static func embedded(_ name: String) -> ByteBuffer? {
    var count = 0
    guard let bytes = cpage_file(name, &count) else { return nil }
    return ByteBuffer(bytes: UnsafeRawBufferPointer(start: bytes, count: count))
  }

  private static func read(_ name: String, in folder: String) -> ByteBuffer? {
    guard let file = StoredFile(name, in: folder), let bytes = file.read(0..<file.size) else { return nil }
    return ByteBuffer(bytes: bytes)
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
