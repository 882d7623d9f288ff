import Store

/// The files that a Markdown text shows, and how they are named in the library and in a folder of Markdown files.
///
///     ![A walk](commonplace:/files/<sha256>)      in the library
///     ![A walk](files/<sha256>.jpg)               in an exported folder, with the file beside it
package enum FileEmbeds {
  /// The folder of the files within an exported one.
  package static let folder = "files"
  /// The most files of one text that are exported with it.
  package static let most = 10_000
  private static let hashLength = 64

  package static func markdown(named name: String, hash: String) -> String {
    let label = name.filter { !"[]\\`".contains($0) && !$0.isNewline }
    return "![\(label)](\(link(hash)))"
  }

  package static func link(_ hash: String) -> String {
    StableLink(collection: FileRecord.collectionName, item: hash).text
  }

  /// The ids of the files that a text shows or links, in order of appearance, each once.
  package static func hashes(in text: String) -> [String] {
    var seen: Set<String> = []
    return LinkScan.links(in: text, atMost: most).compactMap { link in
      guard case .stable(let target) = link.target, target.collection == FileRecord.collectionName,
        let hash = BlobHash(target.item), seen.insert(hash.text).inserted
      else { return nil }
      return hash.text
    }
  }

  /// The text of an exported file, in which links to these files lead to the folder beside it.
  ///
  /// - Parameters:
  ///   - files: the library's files by id; links to others stay.
  ///   - depth: in how many folders of the exported one the text's file is.
  package static func exported(_ text: String, files: [String: FileRecord], depth: Int = 0) -> String {
    if files.isEmpty { return text }
    let up = String(repeating: "../", count: depth)
    return replacing(text) { destination in
      guard let link = StableLink(String(destination)), link.collection == FileRecord.collectionName,
        link.places.isEmpty, let file = files[link.item]
      else { return nil }
      return "\(up)\(folder)/\(file.id)\(file.fileExtension)"
    }
  }

  /// The library's text of an exported file: the inverse of `exported`.
  package static func imported(_ text: String) -> String {
    replacing(text) { destination in
      var path = destination
      while path.hasPrefix("../") { path = path.dropFirst(3) }
      guard path.hasPrefix(folder + "/") else { return nil }
      let name = path.dropFirst(folder.count + 1)
      let rest = name.utf8.dropFirst(hashLength)
      let isName = rest.isEmpty || rest.first == UInt8(ascii: ".") && rest.count <= 11 && !rest.contains(0x2F)
      guard isName, let hash = BlobHash(String(name.prefix(hashLength))) else { return nil }
      return link(hash.text)
    }
  }

  /// The text with names for the files that it shows without one (`![](commonplace:/files/…)`), by their hashes.
  package static func named(_ text: String, _ names: [String: String]) -> String {
    let opening = Array("![](\(link(""))".utf8)
    if names.isEmpty { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var written = 0
    var place = 0
    while let start = bytes[place...].firstIndex(of: opening[0]) {
      place = start + 1
      let (hash, end) = (start + opening.count, start + opening.count + hashLength)
      guard end < bytes.count, bytes[end] == UInt8(ascii: ")"), bytes[start...].starts(with: opening) else { continue }
      let id = String(decoding: bytes[hash..<end], as: UTF8.self)
      guard let name = names[id] else { continue }
      result += bytes[written..<start]
      result += Array(markdown(named: name, hash: id).utf8)
      (written, place) = (end + 1, end + 1)
    }
    return String(decoding: result + bytes[written...], as: UTF8.self)
  }

  // MARK: - Destinations of links

  /// The longest destination that is scanned, in UTF-8 bytes.
  private static let longest = 2_000

  /// Replaces the destinations of links `[label](destination)`; nil leaves one as it is.
  ///
  /// - Parameter body: called with the destination, without the brackets of `<destination>`.
  package static func replacing(_ text: String, _ body: (Substring) -> String?) -> String {
    guard text.utf8.contains(UInt8(ascii: "(")) else { return text }
    var text = text
    text.makeContiguousUTF8()
    var result: [UInt8] = []
    var isChanged = false
    let bytes = Array(text.utf8)
    var written = 0
    var place = 1
    while place < bytes.count {
      defer { place += 1 }
      guard bytes[place] == UInt8(ascii: "("), bytes[place - 1] == UInt8(ascii: "]") else { continue }
      var start = place + 1
      let isBracketed = start < bytes.count && bytes[start] == UInt8(ascii: "<")
      if isBracketed { start += 1 }
      let rest = bytes[min(start, bytes.count)...].prefix(longest)
      let length = rest.prefix { byte in
        isBracketed
          ? byte != UInt8(ascii: ">") && byte != UInt8(ascii: "<") && byte != 0x0A
          : byte > 0x20 && byte != UInt8(ascii: ")") && byte != UInt8(ascii: "(")
      }.count
      // A destination does not contain the beginning of another, so that no byte is scanned again and again.
      guard length > 0, length < rest.count,
        ![UInt8(ascii: "("), UInt8(ascii: "<")].contains(rest[rest.startIndex + length])
      else { continue }
      let destination = String(decoding: rest.prefix(length), as: UTF8.self)
      guard let other = body(destination[...]) else { continue }
      result += bytes[written..<start]
      result += Array(other.utf8)
      written = start + length
      place = written - 1
      isChanged = true
    }
    if !isChanged { return text }
    result += bytes[written...]
    return String(decoding: result, as: UTF8.self)
  }
}
