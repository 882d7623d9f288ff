import Contract
import Exchange
import Kit
import SearchEngine
import Store
import Wire

/// A note as a Markdown file: its data and its front matter, then its text, byte for byte.
///
/// A text file ends with a line end; if the note itself has none there, the front matter states that.
///
///     ---
///     id: 0192f0c1-7b1e-7000-8000-000000000000
///     revision: 42
///     epoch: 0192f0c1-6a00-7000-8000-000000000000
///     tags: ["novel","to read"]
///     finalNewline: no
///     aliases: [Arrakis]
///     ---
///     Dune
///
/// Files of other programs have front matter of their own, which is stored as it is, except for the tags.
struct NoteFile {
  /// The id and the revision of a file of ours.
  private(set) var identity: (id: String, revision: FileRevision)?
  var tags: [String] = []
  /// Further names of the note: the `title` and the `aliases` in the front matter.
  private(set) var names: [String] = []
  /// The other lines of the front matter.
  private(set) var frontMatter = ""
  private(set) var text: String

  private static let finalNewline = "finalNewline"
  private static let ours: Set = ["id", "revision", "epoch", finalNewline]
  private static let lineEnds: Set<UInt8> = [0x0A, 0x0D]

  /// A file without front matter is all text. Links to files beside it are those to the library's.
  init(parsing file: String) {
    self.init(splitting: file)
    text = FileEmbeds.imported(text)
  }

  private init(splitting file: String) {
    text = file
    guard let (lines, rest) = Self.split(file) else { return }
    text = rest
    let blocks = Self.blocks(lines)
    // Another program may have keys of the same names below ours.
    var seen: Set<String> = []
    let ours = Set(
      blocks.indices.filter { Self.ours.contains(blocks[$0].key) && seen.insert(blocks[$0].key).inserted })
    var matter = FrontMatter()
    for place in ours { matter.add(blocks[place].lines[0]) }
    let values = matter.values
    if let id = values["id"], let number = values["revision"].flatMap({ Int64($0) }), let epoch = values["epoch"],
      ItemID(validating: id) != nil, let revision = FileRevision(number, history: epoch)
    {
      identity = (id, revision)
      if values[Self.finalNewline] == "no" { text = Self.withoutLineEnd(text) }
    }
    var kept: [Substring] = []
    for (place, block) in blocks.enumerated() {
      switch block.key {
      case _ where identity != nil && ours.contains(place):
        // Our keys have one line each. What follows is the beginning of the note's own front matter.
        kept += block.lines.dropFirst()
      case "tags", "tag":
        if let written = FrontMatterList.flow(block.lines[0]) {
          tags += written
          kept += block.lines.dropFirst()
        } else {
          tags += FrontMatterList.elements(block.lines, isTags: true)
        }
      case "title", "alias", "aliases":
        names += FrontMatterList.elements(block.lines, isTags: false)
        kept += block.lines
      default: kept += block.lines
      }
    }
    frontMatter = NoteText.frontMatter(kept.joined(separator: "\n"))
  }

  /// - Parameter text: the note's text in its exported form (`FileEmbeds`); nil if it shows no files.
  init(_ note: NoteRecord, as revision: FileRevision, text exported: String? = nil) {
    identity = (note.id, revision)
    (tags, frontMatter, text) = (note.tags, note.frontMatter, exported ?? note.text)
  }

  var bytes: [UInt8] {
    var head = ""
    if let identity {
      head += "id: \(identity.id)\nrevision: \(identity.revision.number)\nepoch: \(identity.revision.history ?? "")\n"
    }
    if !tags.isEmpty { head += "tags: \(JSONList.json(tags))\n" }
    let isOpen = text.utf8.last.map { !Self.lineEnds.contains($0) } ?? true
    if isOpen || frontMatter.contains(Self.finalNewline) { head += "\(Self.finalNewline): \(isOpen ? "no" : "yes")\n" }
    let matter = frontMatter.isEmpty ? "" : frontMatter + "\n"
    return Array("---\n\(head)\(matter)---\n\(text)\(isOpen ? "\n" : "")".utf8)
  }

  // MARK: - Front matter

  /// The lines between the fences, and the text after them; nil without front matter.
  private static func split(_ file: String) -> (lines: [Substring], rest: String)? {
    guard ["---\n", "---\r\n"].contains(where: { file.utf8.starts(with: $0.utf8) }) else { return nil }
    var lines: [Substring] = []
    var rest = file.utf8.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      let bytes = rest[..<(end ?? rest.endIndex)]
      let line = Substring(bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes)
      rest = end.map { rest[rest.index(after: $0)...] } ?? rest[rest.endIndex...]
      if line == "---" || line == "..." { return (lines, String(Substring(rest))) }
      lines.append(line)
    }
    return nil
  }

  /// The lines of each key; indented lines and elements of a list belong to the key before.
  private static func blocks(_ lines: [Substring]) -> [(key: String, lines: [Substring])] {
    var blocks: [(key: String, lines: [Substring])] = []
    for line in lines {
      if let first = line.first, !" \t-#".contains(first), let colon = line.firstIndex(of: ":") {
        blocks.append((String(line[..<colon]), [line]))
      } else if blocks.isEmpty {
        blocks.append(("", [line]))
      } else {
        blocks[blocks.count - 1].lines.append(line)
      }
    }
    return blocks
  }

  private static func withoutLineEnd(_ text: String) -> String {
    var bytes = text.utf8[...]
    if bytes.last == UInt8(ascii: "\n") { bytes = bytes.dropLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes = bytes.dropLast() }
    return String(Substring(bytes))
  }

  // MARK: - Names of files

  /// A file name for each title, in the folder of the note: `novels/Dune.md`. Of notes with one title in one folder the
  /// later ones have their id in it.
  struct Names {
    private var taken: Set<String> = []
    /// In UTF-8 bytes. A name may have 255, with the id and the extension.
    private static let longest = 180
    private static let longestFolder = 255
    private static let deepest = 32

    /// - Throws: `StoreError.broken` for an invalid merge base.
    mutating func name(of note: NoteRecord) throws -> String {
      let folder = try MergeBase(stored: note.mergeBase)?.path.map { Self.folder(of: $0, tags: note.tags) } ?? ""
      var stem = Self.stem(of: note)
      if !taken.insert(foldedText(folder + stem)).inserted {
        stem += "-" + note.id
        taken.insert(foldedText(folder + stem))
      }
      return folder + stem + ".md"
    }

    /// The title as a name of a file.
    static func stem(of note: NoteRecord) -> String {
      // Characters that the file systems of other systems do not allow, or that Obsidian reserves for links.
      let allowed = note.title.unicodeScalars.map { scalar -> Unicode.Scalar in
        scalar.isLineEndOrControl || "/\\:*?\"<>|#^[]".unicodeScalars.contains(scalar) ? "-" : scalar
      }
      var beginning = String.UnicodeScalarView()
      var length = 0
      for scalar in allowed {
        length += UTF8.width(scalar)
        if length > longest { break }
        beginning.append(scalar)
      }
      var stem = String(beginning)[...].trimmed
      while stem.hasPrefix(".") { stem.removeFirst() }
      return stem.isEmpty ? note.id : stem
    }

    /// The folder from which a note was imported: an import makes a tag of the path below the imported folder, so it is
    /// the longest end of the file's path that is a tag. Empty, or with a slash at its end: `projects/home/`.
    private static func folder(of path: String, tags: [String]) -> String {
      let tags = Set(tags.map { foldedText($0) })
      let parts = path.split(separator: "/").dropLast().suffix(deepest)
      for start in parts.indices {
        let folder = parts[start...]
        guard tags.contains(foldedText(folder.joined(separator: "/"))) else { continue }
        // A library of somebody else may state any path. An import ignores hidden folders, and a folder must not have
        // the name of a file.
        let isPlain = folder.allSatisfy { part in
          part.first != "." && !part.lowercased().hasSuffix(".md") && part.utf8.count <= longestFolder
            && !part.unicodeScalars.contains(where: \.isLineEndOrControl)
        }
        return isPlain ? folder.joined(separator: "/") + "/" : ""
      }
      return ""
    }
  }
}
