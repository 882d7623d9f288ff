import Contract
import Display
import Exchange
import Kit
import Store
import Wire
import Zip

/// Day One's export: a zip with a JSON file for each journal beside folders of photos, or a single such file.
extension ImportReading {
  /// Where media are looked up by their MD5: those of an archive, else files beside the journal.
  private typealias Media = [String: String]

  /// Reads an archive once for each call.
  typealias Archive = (_ limits: ZipReader.Limits, _ body: (ZipEntry) throws -> Void) throws -> Void

  /// `{entries: [{uuid, text, creationDate, timeZone, tags, starred, photos}]}`. The text is imported without needless
  /// backslashes (`DayOneText`), or from the format of the editor (`DayOneRichText`), with its references to media (`![](dayone-moment://…)`) as links to files of the library,
  /// and with links to other entries (`dayone://view?entryId=…`) as links to these. Media that it does not show are shown
  /// at its end, as is what was said in a recording.
  ///
  /// - Parameter journal: empty if it is unknown.
  mutating func readDayOne(_ bytes: [UInt8], file: String?, journal: String) throws {
    var entries = EntryNames(known: knownUUIDs)
    for element in try JSONElements(bytes, under: "entries").elements { entries.add(element.value) }
    try readDayOne(bytes, file: file, journal: journal, media: [:], entries: entries)
  }

  /// The ids of entries by their lowercased uuids, which links may write differently.
  private struct EntryNames {
    private var ids: [String: String] = [:]
    private let known: [String: String]

    init(known: [String: String]) { self.known = known }

    mutating func add(_ item: JSONValue?) {
      guard let item, let uuid = item["uuid"]?.stringValue else { return }
      let key = uuid.lowercased()
      ids[key] =
        ids[key] ?? ImportReading.own(item)?.id.text ?? known[uuid.uppercased()]
        ?? ImportedEntry.id(of: ImportReading.entryName(uuid))
    }

    subscript(uuid: String) -> String? { ids[uuid] }
  }

  /// What an entry that `diary/export` wrote states about itself (`DayOneEntry`).
  private static func own(_ item: JSONValue) -> (id: EntryID, fields: JSONValue, writtenAt: Instant)? {
    guard let own = item[DayOneEntry.field], let id = own["id"]?.stringValue.flatMap({ EntryID(validating: $0) }),
      let writtenAt = own["writtenAt"]?.stringValue.flatMap(Instant.init)
    else { return nil }
    return (id, own, writtenAt)
  }

  fileprivate static let origin = "dayone/"

  private static func entryName(_ uuid: String) -> String { origin + uuid }

  /// `Work.json` is an export of the journal `Work`.
  static func journal(ofFile path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    return EntryDetails.oneLine(String(name.lowercased().hasSuffix(".json") ? name.dropLast(5) : name))
  }

  private mutating func readDayOne(
    _ bytes: [UInt8], file: String?, journal: String, media: Media, entries: EntryNames
  ) throws {
    for (index, element) in try JSONElements(bytes, under: "entries").elements.enumerated() {
      let place = ImportNote.Place(file: file, number: index + 1)
      guard let item = element.value else {
        note(.unreadable, at: place)
        continue
      }
      try readDayOne(item, at: place, journal: journal, media: media, entries: entries)
    }
  }

  private mutating func readDayOne(
    _ item: JSONValue, at place: ImportNote.Place, journal: String, media: Media, entries: EntryNames
  ) throws {
    let (text, isMissing) = try text(of: item, media: media, entries: entries)
    guard let created = item["creationDate"], created != .null else {
      return note(.missingDate, at: place, text: text)
    }
    guard let instant = created.stringValue.flatMap(Instant.init) else { return note(.badDate, at: place, text: text) }
    let zone = zone(named: item["timeZone"]?.stringValue, at: place, text: text)
    if isMissing { note(.attachments, at: place, text: text) }
    let tags = (item["tags"]?.arrayValue ?? []).compactMap(\.stringValue)
    if let (id, own, writtenAt) = Self.own(item) {
      let revision = FileRevision(own["revision"]?.integerValue, history: own["epoch"]?.stringValue)
      return add(
        text, at: place, writtenAt: writtenAt, day: own["day"]?.stringValue.flatMap { CalendarDay($0) }, zone: zone,
        identity: .own(id, revision: revision), tags: tags, isStarred: item["starred"] == true,
        details: EntryDetails { own[$0]?.stringValue },
        frontMatter: MarkdownFile.possible(frontMatter: own["frontMatter"]?.stringValue ?? ""),
        dayOne: DayOneEntry.others(of: item))
    }
    let details = Self.details(of: item, journal: journal)
    let used = ["location": details.place + details.coordinates, "weather": details.weather]
    leaveOut(item.saying(Self.dayOneFields).filter { used[$0]?.isEmpty != false }, at: place, text: text)
    add(
      text, at: place, writtenAt: instant, zone: zone,
      identity: item["uuid"]?.stringValue.map { uuid in
        .named(Self.entryName(uuid), known: knownUUIDs[uuid.uppercased()])
      } ?? .content,
      tags: tags, isStarred: item["starred"] == true, details: details, dayOne: DayOneEntry.others(of: item))
  }

  private static let dayOneFields = ["location", "weather", "userActivity", "music", "isPinned", "isAllDay"]

  /// The text with links to files and entries of the library, and whether one of its media is missing.
  private mutating func text(
    of item: JSONValue, media: Media, entries: EntryNames
  ) throws -> (text: String, isMissing: Bool) {
    let all = Self.media(of: item)
    var hashes: [String] = []
    var byIdentifier: [String: String] = [:]
    for medium in all {
      guard let hash = try media[medium.md5] ?? files?.hash(ofFileNamed: medium.md5) else { continue }
      hashes.append(hash)
      if let identifier = medium.identifier { byIdentifier[identifier.lowercased()] = hash }
    }
    let markdown = item["text"]?.stringValue ?? ""
    let rich = markdown.isBlank ? item["richText"]?.stringValue.flatMap(DayOneRichText.markdown) : nil
    // Our own text has only backslashes that somebody wrote here.
    let readable = Self.own(item) == nil ? DayOneText.readable(markdown) : markdown
    var result = FileEmbeds.replacing(rich ?? readable) { destination in
      if destination.hasPrefix("dayone-moment:"), let name = destination.split(separator: "/").last {
        return byIdentifier[name.lowercased()].map(FileEmbeds.link)
      }
      return Self.entry(ofLink: destination).flatMap { entries[$0] }.map { id in
        StableLink(collection: EntryRecord.collectionName, item: id).text
      }
    }
    // It gets only longer, and is refused then.
    guard !Self.isTooLong(result) else { return (result, false) }
    var labels: [String: String] = [:]
    for medium in all {
      guard let label = medium.label, let hash = medium.identifier.flatMap({ byIdentifier[$0.lowercased()] }) else {
        continue
      }
      labels[hash] = labels[hash] ?? label
    }
    result = FileEmbeds.named(result, labels)
    let shown = Set(FileEmbeds.hashes(in: result))
    func add(_ paragraph: String) { result += (result.isEmpty ? "" : "\n\n") + paragraph }
    for hash in hashes where !shown.contains(hash) { add(FileEmbeds.markdown(named: "", hash: hash)) }
    for words in all.compactMap(\.transcription) where !words.isBlank {
      add(words.split(whereSeparator: \.isNewline).map { "> " + $0 }.joined(separator: "\n"))
    }
    return (result, hashes.count < all.count)
  }

  /// The lowercased uuid of `dayone://view?entryId=5BC8…`, also with the scheme `dayone2`.
  private static func entry(ofLink destination: Substring) -> String? {
    let text = destination.lowercased()
    guard text.hasPrefix("dayone://") || text.hasPrefix("dayone2://"), let key = text.firstRange(of: "entryid=") else {
      return nil
    }
    return String(text[key.upperBound...].prefix { $0 != "&" && $0 != "#" })
  }

  private struct Medium {
    var md5: String
    var identifier: String?
    var name: String?
    /// The title that its user gave it, or that its file had. Photos have none.
    var label: String?
    /// What is said in a recording.
    var transcription: String?
  }

  private static func media(of item: JSONValue) -> [Medium] {
    ["photos", "videos", "audios", "pdfAttachments"].flatMap { item[$0]?.arrayValue ?? [] }.map { medium in
      let label = (medium["pdfName"] ?? medium["title"])?.stringValue.map(EntryDetails.shortLine)
      return Medium(
        md5: medium["md5"]?.stringValue?.lowercased() ?? "", identifier: medium["identifier"]?.stringValue,
        name: (medium["filename"] ?? medium["pdfName"])?.stringValue, label: label?.isEmpty == false ? label : nil,
        transcription: medium["transcription"]?.stringValue)
    }
  }

  // MARK: - The archive

  /// All journals of a zip, in its order, with their media.
  mutating func readDayOne(zip read: Archive) throws {
    var reading = self
    var journals: [(name: String, bytes: [UInt8])] = []
    // The names of the media, by MD5.
    var wanted: [String: String?] = [:]
    // A link may lead into another journal.
    var entries = EntryNames(known: knownUUIDs)
    try read(ZipReader.Limits()) { entry in
      guard Self.isJournal(entry.name) else { return }
      let bytes = try entry.bytes()
      try Self.inJournal(entry.name) {
        for element in try JSONElements(bytes, under: "entries").elements {
          entries.add(element.value)
          for medium in element.value.map(Self.media) ?? [] {
            // Not every entry that shows a file names it.
            wanted[medium.md5] = .some(medium.name ?? wanted[medium.md5].flatMap(\.self))
          }
        }
      }
      journals.append((entry.name, bytes))
    }
    guard !journals.isEmpty else { throw WrongFormat(reason: "noJournal") }
    let media = try wanted.isEmpty ? [:] : reading.media(wanted, of: read)
    for (name, bytes) in journals {
      try Self.inJournal(name) {
        try reading.readDayOne(
          bytes, file: name, journal: Self.journal(ofFile: name), media: media, entries: entries)
      }
    }
    self = reading
  }

  /// Stores the media of an archive: `photos/<md5>.jpeg`, `videos/<md5>.mov`.
  private mutating func media(_ wanted: [String: String?], of read: Archive) throws -> Media {
    var media: Media = [:]
    var limits = ZipReader.Limits()
    limits.bytes = Self.archiveLimit
    var files = files
    try read(limits) { entry in
      guard let last = entry.name.split(separator: "/").last, !Self.isJournal(entry.name) else { return }
      let md5 = last.prefix { $0 != "." }.lowercased()
      guard !md5.isEmpty, let name = wanted[md5], media[md5] == nil else { return }
      media[md5] = try files?.add(named: name ?? String(last)) { try entry.forEachPart($0) }
    }
    self.files = files
    return media
  }

  private static func inJournal(_ name: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let failure as WrongFormat {
      var failure = failure
      failure.file = name
      throw failure
    }
  }

  /// Excludes the files that macOS adds to an archive.
  private static func isJournal(_ name: String) -> Bool {
    let parts = name.split(separator: "/")
    return name.lowercased().hasSuffix(".json") && parts.first != "__MACOSX" && parts.last?.hasPrefix(".") == false
  }
}

extension ImportedEntry {
  var isOfDayOne: Bool {
    if case .named(let name, _) = identity { name.hasPrefix(ImportReading.origin) } else { false }
  }
}
