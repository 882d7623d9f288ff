import FoundationEssentials
import Glibc
import Kit
import Store
import Wire

/// The files that imported texts show. They are copied into the library's folder while the texts are read; their rows
/// are written with the items that show them.
///
///     ![A walk](files/<sha256>.jpg)      of an exported folder
///     ![A walk](photos/walk.jpg)         relative to the text's file
///     ![[walk.jpg]]                      Obsidian's, by its name anywhere in the folder
///
/// Only files below the imported folder are read, and through no symbolic link.
package struct IncomingFiles: Sendable {
  /// The absolute path of the imported folder; nil for bytes.
  private let root: String?
  private let place: StoredBytes.Place
  private let isDryRun: Bool
  /// In how many folders below the root a file is searched by its name.
  private let depth: Int
  /// By hash.
  private var stored: [String: StoredBytes] = [:]
  /// The hashes of files, by their path within the folder; nil for one that cannot be read.
  private var hashes: [String: String?] = [:]
  /// The paths of all other files than Markdown, by name; nil until they are needed.
  private var paths: [String: String]?

  /// The most files of one import, and the most names that are scanned for them.
  private static let most = 100_000
  private static let deepest = 16
  /// The most embeds of one text.
  private static let mostEmbeds = 2_000

  /// - Parameters:
  ///   - root: the imported folder, or the folder of an imported file.
  ///   - isFolder: whether the folder was imported; around a file, files are searched in its folder and the next.
  ///   - isDryRun: files are only hashed.
  package init(in root: String?, isFolder: Bool, isDryRun: Bool, services: Services) {
    depth = isFolder ? Self.deepest : 1
    self.root = root.map { URL(filePath: $0).resolvingSymlinksInPath().path }
    place = StoredBytes.Place(services)
    self.isDryRun = isDryRun
  }

  /// The text with links to files of the library, and whether it shows a file that could not be read.
  ///
  /// - Parameter file: the path of the text's file within the folder.
  /// - Throws: `FileFailure` if the library's folder cannot be written.
  package mutating func imported(_ text: String, of file: String?) throws -> (text: String, isMissing: Bool) {
    guard root != nil, let file, text.utf8.contains(UInt8(ascii: "]")) else { return (text, false) }
    let folder = file.split(separator: "/").dropLast().map(String.init)
    var isMissing = false
    var failure: (any Error)?
    func hash(_ path: String?) -> String? {
      guard failure == nil, let path else { return nil }
      do {
        return try self.hash(ofFile: path)
      } catch {
        failure = error
        return nil
      }
    }
    var result = FileEmbeds.replacing(text) { destination in
      if let link = StableLink(String(destination)) {
        guard link.collection == FileRecord.collectionName else { return nil }
        // A file of an exported folder; somebody may have edited it.
        return path(ofName: link.item).flatMap { hash($0) }.map { FileEmbeds.link($0) }
      }
      guard let path = Self.path(destination, in: folder) else { return nil }
      guard let found = hash(path) else { return nil }
      return FileEmbeds.link(found)
    }
    result = Self.replacingWikiEmbeds(result) { name in
      for candidate in [Self.path(name, in: folder), Self.path(name, in: []), path(ofName: String(name))] {
        if let found = hash(candidate) { return found }
      }
      isMissing = true
      return nil
    }
    if let failure { throw failure }
    return (result, isMissing || Self.showsOthers(result, in: folder))
  }

  /// Stores a file that is no file of a folder, such as one in an archive.
  ///
  /// - Returns: its hash; nil if it is too large.
  /// - Throws: `FileFailure`, and whatever `body` throws.
  package mutating func add(named name: String, _ body: StoredBytes.Writing) throws -> String? {
    do {
      if isDryRun { return try StoredBytes.hash(in: place, body) }
      return add(try StoredBytes(named: name, in: place, body))
    } catch let failure as RPCError where failure.kind == .tooLarge {
      return nil
    }
  }

  private mutating func add(_ bytes: StoredBytes) -> String {
    stored[bytes.blob.hash] = bytes
    return bytes.blob.hash
  }

  /// The hash of a file of the folder that is named by another hash of it, as Day One names photos by their MD5.
  ///
  /// - Throws: `FileFailure` if the library's folder cannot be written.
  package mutating func hash(ofFileNamed stem: String) throws -> String? {
    try path(ofName: stem).flatMap { try hash(ofFile: $0) }
  }

  /// Writes the rows of the files that a text shows.
  ///
  /// - Throws: as `StoredBytes.record`.
  package func keep(shownIn text: String, in transaction: Transaction) throws {
    if stored.isEmpty { return }
    for hash in FileEmbeds.hashes(in: text) { _ = try stored[hash]?.record(in: transaction) }
  }

  // MARK: - Files of the folder

  /// The hash of a file, which is copied; nil if it is none, or cannot be read.
  private mutating func hash(ofFile path: String) throws -> String? {
    if let known = hashes[path] { return known }
    guard hashes.count < Self.most else { return nil }
    let hash = try read(path)
    hashes[path] = .some(hash)
    return hash
  }

  private mutating func read(_ path: String) throws -> String? {
    guard let root, !MarkdownFolder.isMarkdown(path) else { return nil }
    let whole = root + "/" + path
    // A link may lead out of the folder.
    guard URL(filePath: whole).resolvingSymlinksInPath().path == whole else { return nil }
    let file: GivenFile
    do {
      file = try GivenFile(named: whole, limit: StoredBytes.limit, followingLinks: false)
    } catch {
      return nil
    }
    if isDryRun { return try Blobs.hash(descriptor: file.descriptor, path: whole).hash }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let bytes = try StoredBytes(copying: file, named: name, in: place)
    return add(bytes)
  }

  /// The path of a file with this name anywhere in the folder, or with this hash as its name before the extension.
  private mutating func path(ofName name: String) -> String? {
    if paths == nil { paths = allPaths() }
    return paths?[name.lowercased()]
  }

  private func allPaths() -> [String: String] {
    guard let root else { return [:] }
    var paths: [String: String] = [:]
    var folders = [(path: "", depth: 0)]
    var count = 0
    while !folders.isEmpty, count < Self.most {
      let (folder, depth) = folders.removeFirst()
      let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/" + folder)) ?? []
      for name in names.sorted() where !name.hasPrefix(".") {
        count += 1
        let path = folder.isEmpty ? name : folder + "/" + name
        var information = stat()
        guard lstat(root + "/" + path, &information) == 0 else { continue }
        switch information.st_mode & S_IFMT {
        case S_IFDIR where depth < self.depth: folders.append((path, depth + 1))
        case S_IFREG where !MarkdownFolder.isMarkdown(name):
          // The first one, in the outermost folder.
          paths[name.lowercased()] = paths[name.lowercased()] ?? path
          // Names that are hashes are also found without their extension.
          let stem = name.lowercased().prefix { $0 != "." }
          if [32, 64].contains(stem.utf8.count), stem.allSatisfy(\.isHexDigit) { paths[String(stem)] = path }
        default: break
        }
      }
    }
    return paths
  }

  /// The path within the imported folder of a destination in a file of this folder; nil for another URL, an absolute
  /// path, or one that leads out of it.
  private static func path(_ destination: Substring, in folder: [String]) -> String? {
    guard let first = destination.first, first != "/", first != "#",
      let decoded = PercentEncoding.decoded(destination), !decoded.hasNUL
    else { return nil }
    let beginning = decoded.prefix { $0 != "/" }
    guard !beginning.contains(":") else { return nil }
    var parts = folder
    for part in decoded.split(separator: "/") where part != "." {
      if part == ".." {
        guard !parts.isEmpty else { return nil }
        parts.removeLast()
      } else {
        parts.append(String(part))
      }
    }
    guard let last = parts.last, last.contains("."), !parts.contains(where: { $0.hasPrefix(".") }) else { return nil }
    return parts.joined(separator: "/")
  }

  // MARK: - Embeds

  /// The longest embed that is scanned, in characters.
  private static let longest = 1_000

  /// Replaces `![[name]]` and `![[name|label]]` of files.
  private static func replacingWikiEmbeds(_ text: String, _ hash: (Substring) -> String?) -> String {
    guard text.contains("![[") else { return text }
    var result = ""
    var rest = text[...]
    var count = 0
    while count < mostEmbeds, let start = rest.firstRange(of: "![[") {
      count += 1
      result += rest[..<start.lowerBound]
      let inner = rest[start.upperBound...].prefix(longest)
      guard let end = inner.firstRange(of: "]]") else {
        result += rest[start]
        rest = rest[start.upperBound...]
        continue
      }
      let target = inner[..<end.lowerBound]
      let name = target.prefix { $0 != "|" && $0 != "#" }
      let whole = rest[start.lowerBound..<end.upperBound]
      rest = rest[end.upperBound...]
      // A note has no extension.
      guard name.contains("."), !MarkdownFolder.isMarkdown(String(name)), let found = hash(name) else {
        result += whole
        continue
      }
      let label = target.dropFirst(name.count).drop { $0 == "|" }
      result += FileEmbeds.markdown(named: String(label.isEmpty ? name : label), hash: found)
    }
    return result + rest
  }

  /// Whether a text shows a file by a relative path, `![](a.png)`.
  private static func showsOthers(_ text: String, in folder: [String]) -> Bool {
    var shows = false
    var rest = text[...]
    var count = 0
    while !shows, count < mostEmbeds, let start = rest.firstRange(of: "![") {
      count += 1
      rest = rest[start.upperBound...]
      guard let middle = rest.prefix(longest).firstRange(of: "](") else { continue }
      let target = rest[middle.upperBound...].prefix(longest).prefix { $0 != ")" && !$0.isWhitespace }
      shows = path(target, in: folder).map { !MarkdownFolder.isMarkdown($0) } ?? false
    }
    return shows
  }
}
