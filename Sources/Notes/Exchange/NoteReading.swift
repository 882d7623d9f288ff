import Contract
import Exchange
import Kit
import Markup
import SearchEngine
import Store
import Wire

/// The notes of a file or a folder.
struct NoteReading: Sendable {
  /// A note of a file.
  struct Note: Sendable {
    var item: ImportedItem
    /// Whether its file states the note's id.
    var isOwn: Bool
    /// The absolute path of its file; nil for an import of bytes.
    var path: String?
    /// Further names by which the links of its folder lead to it.
    var names: [String] = []
    /// The path within its folder without the extension.
    fileprivate var relative = ""
  }

  /// The files that the notes show; nil for bytes without a folder.
  var files: IncomingFiles?
  private(set) var notes: [Note] = []
  private(set) var problems: [ImportNote] = []
  private var ids: Set<String> = []
  /// Whether it is a folder of Logseq, whose pages are in a folder of their own.
  private var isLogseq = false

  private static let pages = "pages"
  /// The most names of a note; the library stores a hundred.
  private static let mostNames = 90

  /// Reads all Markdown files of a folder of Obsidian, Logseq, or another program.
  ///
  /// - Throws: as `MarkdownFolder.each`.
  mutating func read(folder path: String, resolved: String, checkCancelled: () throws -> Void) throws {
    var files: [(relative: String, number: Int, bytes: [UInt8]?)] = []
    try MarkdownFolder.each(in: path, checkCancelled: checkCancelled) { files.append(($0, $1, $2)) }
    isLogseq =
      ["journals/", "logseq/"].contains { start in files.contains { $0.relative.hasPrefix(start) } }
      && files.contains { $0.relative.hasPrefix(Self.pages + "/") }
    for (relative, number, bytes) in files where !(isLogseq && relative.hasPrefix("logseq/")) {
      try checkCancelled()
      guard let bytes else {
        problems.append(ImportNote(.unreadable, at: ImportNote.Place(file: relative, number: number)))
        continue
      }
      try read(bytes, file: relative, number: number, path: resolved + "/" + relative)
    }
    nameLinked()
  }

  /// Reads one Markdown file.
  ///
  /// - Parameter file: its path within its folder, or its name; nil for bytes without a name.
  /// - Throws: `FileFailure` if the library's folder cannot be written.
  mutating func read(_ bytes: [UInt8], file: String?, number: Int = 1, path: String? = nil) throws {
    let place = ImportNote.Place(file: file, number: number)
    guard let content = String(validating: bytes.withoutByteOrderMark, as: UTF8.self), !content.hasNUL else {
      return problems.append(ImportNote(.notText, at: place))
    }
    var parsed = NoteFile(parsing: content)
    // Of copies of a file of ours the first one keeps the identity.
    let own = parsed.identity.flatMap { ids.insert($0.id).inserted ? $0 : nil }
    let stem = file.map { Self.stem(of: $0) }
    let (found, isMissing) = try files?.imported(parsed.text, of: file) ?? (parsed.text, false)
    var text = found
    if own == nil {
      parsed.tags += NoteTags.tags(in: text) + folderTags(of: file)
      if let title = stem.map({ title(ofFile: $0.name) }), !Self.isSame(TitledText(text).name, title) {
        text = "# \(title)\n" + (TitledText(text).isBlank ? "" : "\n" + text)
      }
    }
    let titled = TitledText(text)
    guard !titled.isBlank else { return problems.append(ImportNote(.blank, at: place)) }
    guard text.unicodeScalars.count <= TitledText.maximumLength, parsed.frontMatter.unicodeScalars.count <= 100_000
    else { return problems.append(ImportNote(.tooLong, at: place, title: titled.name)) }
    if isMissing || NoteEmbeds.hasFiles(text) {
      problems.append(ImportNote(.attachments, at: place, title: titled.name))
    }
    let given: JSONObject = [
      "text": .string(text), "tags": .array(Self.distinct(parsed.tags).map { .string($0) }),
      "frontMatter": .string(parsed.frontMatter),
    ]
    let item = ImportedItem(
      id: own?.id ?? DerivedID.text(of: "notes/\(path ?? text)"), given: given,
      revision: own?.revision ?? .external, place: place, title: titled.name)
    var note = Note(item: item, isOwn: own != nil, path: path)
    note.relative = stem.map { $0.folder.isEmpty ? $0.name : $0.folder + "/" + $0.name } ?? ""
    note.names = (parsed.names + NoteTags.aliases(in: text)).filter { !Self.isSame($0, titled.name) }
    // A file of ours is named after a part of the title.
    if own != nil, let stem, !Self.isSame(stem.name, titled.name) { note.names.append(stem.name) }
    notes.append(note)
  }

  /// Reads a mail message as a note.
  ///
  /// - Throws: `WrongFormat` for bytes that are no message; `FileFailure` if the library's folder cannot be written.
  mutating func read(mail bytes: [UInt8], checkCancelled: () throws -> Void) throws {
    guard let message = try MailMessage(bytes, checkCancelled: checkCancelled) else {
      throw WrongFormat(reason: "notMail")
    }
    let place = ImportNote.Place(number: 1)
    var shown: [String] = []
    for file in message.files.prefix(NoteMail.mostFiles) {
      try checkCancelled()
      let hash = try files?.add(named: file.name) { write in try file.bytes.withUnsafeBytes(write) }
      guard let hash else { continue }
      shown.append(FileEmbeds.markdown(named: file.name, hash: hash))
    }
    let mail = NoteMail(message, files: shown)
    if shown.count < message.files.count {
      problems.append(ImportNote(.attachments, at: place, title: mail.title))
    }
    guard mail.text.unicodeScalars.count <= TitledText.maximumLength else {
      return problems.append(ImportNote(.tooLong, at: place, title: mail.title))
    }
    let given: JSONObject = ["text": .string(mail.text), "frontMatter": .string(mail.frontMatter)]
    notes.append(
      Note(
        item: ImportedItem(
          id: DerivedID.text(of: "notes/mail/\(message.id ?? mail.text)"), given: given, revision: .external,
          place: place, title: mail.title), isOwn: false))
  }

  /// Reads items as lines of JSON.
  mutating func read(_ file: ItemFile<ShownNote>, path: String?) {
    notes += file.rows.map { Note(item: $0, isOwn: true, path: path) }
    problems += file.notes
  }

  // MARK: - Names and tags of files

  private static func stem(of file: String) -> (folder: String, name: String) {
    let parts = file.split(separator: "/")
    var name = parts.last ?? ""
    if let dot = name.lastIndex(of: ".") { name = name[..<dot] }
    return (parts.dropLast().joined(separator: "/"), String(name))
  }

  /// Logseq writes `/` as `___`, and other characters percent-encoded.
  private func title(ofFile name: String) -> String {
    guard isLogseq else { return name }
    let name = name.replacing("___", with: "/")
    return PercentEncoding.decoded(name[...]) ?? name
  }

  /// The folder as a tag: `projects/home`.
  private func folderTags(of file: String?) -> [String] {
    guard let folder = file.map({ Self.stem(of: $0).folder }), !folder.isEmpty else { return [] }
    guard isLogseq else { return [folder] }
    if folder == Self.pages { return [] }
    return [folder.hasPrefix(Self.pages + "/") ? String(folder.dropFirst(Self.pages.count + 1)) : folder]
  }

  /// The tags that can be stored, each once in whatever case.
  private static func distinct(_ tags: [String]) -> [String] {
    var seen: Set<String> = []
    return TagList.possible(tags.filter { seen.insert(foldedText($0)).inserted })
  }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    sameBytes(foldedText(one), foldedText(other))
  }

  // MARK: - Links

  /// Links of other programs name a file with its folder, and a heading or a block in it: `[[projects/Home#Garden]]`.
  /// A name in them besides the title becomes a further name of the note.
  private mutating func nameLinked() {
    // The first note of each name, and the note of each path.
    var (places, paths): ([String: Int], [String: Int]) = ([:], [:])
    for (place, note) in notes.enumerated() {
      for name in [foldedText(note.item.title), foldedText(Self.stem(of: note.relative + ".md").name)]
      where places[name] == nil { places[name] = place }
      paths[foldedText(note.relative)] = place
    }
    for note in notes {
      for link in LinkScan.links(in: note.item.given["text"]?.stringValue ?? "") {
        guard case .title(let written) = link.target, places[foldedText(written)] == nil else { continue }
        let path = written.prefix { $0 != "#" && $0 != "^" }.trimmed
        let file = MarkdownFolder.isMarkdown(path) ? Self.stem(of: path) : Self.stem(of: path + ".md")
        guard !file.name.isEmpty, let found = places[foldedText(file.name)] else { continue }
        let whole = file.folder.isEmpty ? file.name : file.folder + "/" + file.name
        let place = paths[foldedText(whole)] ?? found
        let names = notes[place].names
        guard names.count < Self.mostNames, !names.contains(written) else { continue }
        notes[place].names.append(written)
      }
    }
  }
}
