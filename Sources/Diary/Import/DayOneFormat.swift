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

  /// `{entries: [{uuid, text, creationDate, timeZone, tags, starred, photos}]}`. The text is imported with its references to media
  /// (`![](dayone-moment://…)`) as links to files of the library; media that it does not show are shown at its end.
  ///
  /// - Parameter journal: empty if it is unknown.
  mutating func readDayOne(_ bytes: [UInt8], file: String?, journal: String) throws {
    try readDayOne(bytes, file: file, journal: journal, media: [:])
  }

  /// `Work.json` is an export of the journal `Work`.
  static func journal(ofFile path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    return EntryDetails.oneLine(String(name.lowercased().hasSuffix(".json") ? name.dropLast(5) : name))
  }

  private mutating func readDayOne(_ bytes: [UInt8], file: String?, journal: String, media: Media) throws {
    for (index, element) in try JSONElements(bytes, under: "entries").elements.enumerated() {
      let place = ImportNote.Place(file: file, number: index + 1)
      guard let item = element.value else {
        note(.unreadable, at: place)
        continue
      }
      try readDayOne(item, at: place, journal: journal, media: media)
    }
  }

  private mutating func readDayOne(
    _ item: JSONValue, at place: ImportNote.Place, journal: String, media: Media
  ) throws {
    let (text, isMissing) = try text(of: item, media: media)
    guard let created = item["creationDate"], created != .null else {
      return note(.missingDate, at: place, text: text)
    }
    guard let instant = created.stringValue.flatMap(Instant.init) else { return note(.badDate, at: place, text: text) }
    let zone = zone(named: item["timeZone"]?.stringValue, at: place, text: text)
    if isMissing { note(.attachments, at: place, text: text) }
    let details = Self.details(of: item, journal: journal)
    let used = ["location": details.place + details.coordinates, "weather": details.weather]
    leaveOut(item.saying(Self.dayOneFields).filter { used[$0]?.isEmpty != false }, at: place, text: text)
    add(
      text, at: place, writtenAt: instant, zone: zone,
      identity: item["uuid"]?.stringValue.map { .named("dayone/" + $0) } ?? .content,
      tags: (item["tags"]?.arrayValue ?? []).compactMap(\.stringValue), isStarred: item["starred"] == true,
      details: details)
  }

  private static let dayOneFields = ["location", "weather", "userActivity"]

  /// The text with links to files of the library, and whether one of its media is missing.
  private mutating func text(of item: JSONValue, media: Media) throws -> (text: String, isMissing: Bool) {
    let text = item["text"]?.stringValue ?? ""
    let all = Self.media(of: item)
    if all.isEmpty { return (text, false) }
    var hashes: [String] = []
    var byIdentifier: [String: String] = [:]
    for medium in all {
      guard let hash = try media[medium.md5] ?? files?.hash(ofFileNamed: medium.md5) else { continue }
      hashes.append(hash)
      if let identifier = medium.identifier { byIdentifier[identifier.lowercased()] = hash }
    }
    var result = FileEmbeds.replacing(text) { destination in
      guard destination.hasPrefix("dayone-moment:"), let name = destination.split(separator: "/").last else {
        return nil
      }
      return byIdentifier[name.lowercased()].map(FileEmbeds.link)
    }
    let shown = Set(FileEmbeds.hashes(in: result))
    for hash in hashes where !shown.contains(hash) {
      result += (result.isEmpty ? "" : "\n\n") + FileEmbeds.markdown(named: "", hash: hash)
    }
    return (result, hashes.count < all.count)
  }

  private struct Medium {
    var md5: String
    var identifier: String?
    var name: String?
  }

  private static func media(of item: JSONValue) -> [Medium] {
    ["photos", "videos", "audios", "pdfAttachments"].flatMap { item[$0]?.arrayValue ?? [] }.map { medium in
      Medium(
        md5: medium["md5"]?.stringValue?.lowercased() ?? "", identifier: medium["identifier"]?.stringValue,
        name: medium["filename"]?.stringValue)
    }
  }

  // MARK: - The archive

  /// All journals of a zip, in its order, with their media.
  mutating func readDayOne(zip read: Archive) throws {
    var reading = self
    var journals: [(name: String, bytes: [UInt8])] = []
    // The names of the media, by MD5.
    var wanted: [String: String?] = [:]
    try read(ZipReader.Limits()) { entry in
      guard Self.isJournal(entry.name) else { return }
      let bytes = try entry.bytes()
      try Self.inJournal(entry.name) {
        for element in try JSONElements(bytes, under: "entries").elements {
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
        try reading.readDayOne(bytes, file: name, journal: Self.journal(ofFile: name), media: media)
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
