import Contract
import Kit
import Wire

/// A file of bibliographic items: BibTeX, RIS or CSL-JSON.
package struct BibliographyFile: Sendable {
  package struct Entry: Sendable {
    package var item: CSLItem
    /// The key in the file.
    package var key: String?
    /// The files that the entry names, as written.
    package var files: [String] = []
    package var place: ImportNote.Place

    /// The paths of its files beside the imported one. They are the file's, not the client's, so they may not leave its
    /// folder.
    package func paths(in folder: String?) -> [String] {
      guard let folder else { return [] }
      return files.prefix(8).compactMap { name in
        guard !name.hasParentParts else { return nil }
        let path = name.utf8.first == UInt8(ascii: "/") ? name : "\(folder)/\(name)"
        return path.utf8.starts(with: "\(folder)/".utf8) ? path : nil
      }
    }
  }

  package enum Format: String, Sendable {
    case bibtex, ris, csl
  }

  package private(set) var entries: [Entry] = []
  /// Notes on entries that could not be read.
  package private(set) var notes: [ImportNote] = []

  /// The format that the beginning of a file shows; nil if it is none of these.
  package static func format(of bytes: [UInt8]) -> Format? {
    if RIS.isIts(bytes) { return .ris }
    let start = bytes.withoutByteOrderMark.drop { $0 <= 0x20 }
    if start.first == UInt8(ascii: "[") { return .csl }
    // Before the first entry of BibTeX is any text; a table has none.
    let head = start.prefix(4_096)
    for line in head.split(separator: 0x0A) {
      let line = line.drop { $0 <= 0x20 }
      guard line.first == UInt8(ascii: "@") else { continue }
      let rest = line.dropFirst().drop { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }.drop { $0 <= 0x20 }
      if rest.first == UInt8(ascii: "{") || rest.first == UInt8(ascii: "(") { return .bibtex }
    }
    return nil
  }

  /// - Parameter bytes: UTF-8.
  /// - Throws: `WrongFormat`, or the error of `checkCancelled`.
  package init(_ bytes: [UInt8], as format: Format, checkCancelled: () throws -> Void = {}) throws {
    let bytes = bytes.withoutByteOrderMark
    guard let text = String(validating: bytes, as: UTF8.self) else { throw WrongFormat(reason: "notUTF8") }
    switch format {
    case .bibtex: try readBibTeX(Array(bytes), checkCancelled)
    case .ris: try readRIS(text, checkCancelled)
    case .csl: try readCSL(text, checkCancelled)
    }
    if entries.isEmpty, notes.isEmpty { throw WrongFormat(reason: "noEntries") }
  }

  private mutating func readBibTeX(_ bytes: [UInt8], _ checkCancelled: () throws -> Void) throws {
    let parsed = try BibTeXParser(bytes, checkCancelled: checkCancelled)
    let byKey = Dictionary(parsed.entries.map { ($0.key.lowercased(), $0) }) { first, _ in first }
    var number = 0
    var places: [(line: Int, entry: BibTeXEntry?)] = parsed.entries.map { ($0.line, $0) }
    places += parsed.damaged.map { ($0, nil) }
    for (line, entry) in places.sorted(by: { $0.line < $1.line }) {
      number += 1
      let place = ImportNote.Place(number: number, line: line)
      take(entry?.item(inheriting: byKey), entry?.key, entry?.files ?? [], at: place)
    }
  }

  private mutating func readRIS(_ text: String, _ checkCancelled: () throws -> Void) throws {
    for (index, entry) in try RIS.entries(of: text, checkCancelled: checkCancelled).enumerated() {
      let place = ImportNote.Place(number: index + 1, line: entry.line)
      take(entry.item, entry.key, entry.all("L1"), at: place)
    }
  }

  /// A list of items, as Zotero and Pandoc write it; or an object with the list as `items`, or one item.
  private mutating func readCSL(_ text: String, _ checkCancelled: () throws -> Void) throws {
    guard let json = try? JSONParser.parse(text) else { throw WrongFormat(reason: "notJSON", line: 1) }
    let items = json.arrayValue ?? json["items"]?.arrayValue ?? json["references"]?.arrayValue ?? [json]
    for (index, item) in items.enumerated() {
      if index.isMultiple(of: 256) { try checkCancelled() }
      let key = item["citation-key"]?.stringValue ?? item["id"]?.stringValue
      let place = ImportNote.Place(number: index + 1)
      take(CSLItem(reading: item, isService: false), key, [], at: place)
    }
  }

  private mutating func take(_ item: CSLItem?, _ key: String?, _ files: [String], at place: ImportNote.Place) {
    guard let item = item.flatMap({ CSLItem(reading: .object($0.json), isService: false) }) else {
      notes.append(ImportNote(.unreadable, at: place, title: key ?? ""))
      return
    }
    entries.append(Entry(item: item, key: key?.readable, files: files, place: place))
  }
}

extension BibTeXEntry {
  /// The paths in `file`, as JabRef (`description:path:type`, joined by `;`) and Zotero write them. A backslash escapes
  /// a colon, a semicolon or a backslash.
  var files: [String] {
    guard let field = fields["file"], field.utf8.count <= 65_536 else { return [] }
    var files: [[String]] = [[""]]
    var isEscaped = false
    for character in field {
      if !isEscaped, character == "\\" {
        isEscaped = true
        continue
      }
      switch character {
      case ";" where !isEscaped: files.append([""])
      case ":" where !isEscaped: files[files.count - 1].append("")
      default: files[files.count - 1][files[files.count - 1].count - 1].append(character)
      }
      isEscaped = false
    }
    return files.compactMap { parts in
      let path = parts.count >= 3 ? parts[parts.count - 2] : parts[0]
      return path.filter { $0 != "{" && $0 != "}" }.readable
    }
  }
}
