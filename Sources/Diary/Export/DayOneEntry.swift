import Contract
import Display
import Exchange
import Kit
import SQLite
import Store
import Wire

/// An entry in the form of Day One's export, which `ImportReading.readDayOne` reads.
///
/// Day One has no mood, no revision and no day beside the time. These are in a field of our own, `commonplace`, which
/// other programs ignore; with it an import recognises the entry. An entry that was imported from Day One has the members
/// again that no field here states, such as the music that played. The text is byte for byte ours, except that
///
///     ![river](commonplace:/files/<sha256>)    is   ![](dayone-moment://<identifier>)
///     [Seoul](commonplace:/diary/<id>)         is   [Seoul](dayone://view?entryId=<uuid>)
struct DayOneEntry {
  /// Its own field in an entry.
  static let field = "commonplace"

  /// The uuid of an entry: its id where that has the digits of one.
  static func uuid(of id: String) -> String {
    (digits(of: id) ?? String(Blobs.hash(of: Array(id.utf8)).prefix(32))).uppercased()
  }

  /// The digits of a uuid; nil for another text.
  private static func digits(of text: String) -> String? {
    let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
    let isUUID = digits.count == 32 && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    return isUUID ? String(decoding: digits, as: UTF8.self) : nil
  }

  private let record: EntryRecord
  private let revision: FileRevision
  private let files: [String: FileRecord]

  /// - Parameter files: those that the text shows, by id.
  init(_ record: EntryRecord, as revision: FileRevision, files: [String: FileRecord]) {
    (self.record, self.revision) = (record, revision)
    self.files = files.filter { Kind(of: $0.value) != nil }
  }

  /// The entry, in which the hashes of media are SHA-256; see `withMD5`.
  ///
  /// - Parameter exported: the uuids of all entries of the export, by their ids; links to others stay.
  func json(among exported: [String: String]) -> JSONValue {
    let (text, labels) = text(among: exported)
    var entry = record.dayOne.flatMap { try? JSONParser.parse($0) }?.objectValue ?? [:]
    // An archive of somebody else may have any.
    for name in Self.written { entry[name] = nil }
    // Of a place and a weather that were changed here the rest has no meaning.
    let imported = ImportReading.details(of: .object(entry), journal: "")
    let isPlace =
      sameBytes(imported.place, record.details.place) && sameBytes(imported.coordinates, record.details.coordinates)
    if !isPlace { entry["location"] = location }
    if !sameBytes(imported.weather, record.details.weather) { entry["weather"] = weather }
    entry["uuid"] = .string(Self.uuid(of: record.id))
    entry["creationDate"] = .string(Self.seconds(creationDate))
    entry["modifiedDate"] = .string(Self.seconds(record.updatedAt))
    entry["timeZone"] = .string(record.timeZone)
    entry["text"] = .string(text)
    entry["starred"] = .bool(record.isStarred)
    if !record.tags.isEmpty { entry["tags"] = .array(record.tags.map { .string($0) }) }
    for (kind, media) in Dictionary(grouping: files.values, by: { Kind(of: $0) }) {
      guard let kind else { continue }
      let sorted = media.sorted { $0.id < $1.id }
      entry[kind.field] = .array(sorted.map { medium($0, of: kind, label: labels[$0.id]) })
    }
    var own: JSONObject = [
      "id": .string(record.id), "revision": .integer(revision.number), "epoch": .string(revision.history ?? ""),
      "day": .string(record.day.description), "writtenAt": .string(record.writtenAt.description),
    ]
    for (name, text) in record.details.stated { own[name] = .string(text) }
    if !record.frontMatter.isEmpty { own["frontMatter"] = .string(record.frontMatter) }
    entry[Self.field] = .object(own)
    return .object(entry)
  }

  /// The members that an export writes from the fields of an entry.
  private static let written = Set(
    ["uuid", "text", "richText", "creationDate", "modifiedDate", "timeZone", "starred", "tags", field] + Kind.fields)
  /// In bytes of JSON. Day One's own are some thousand.
  private static let mostOthers = 100_000

  /// The other members of an entry of Day One, as JSON; nil if there are none, or too many to store.
  static func others(of item: JSONValue) -> String? {
    var others = item.objectValue ?? [:]
    for name in written { others[name] = nil }
    let json = "\(JSONValue.object(others))"
    return others.isEmpty || json.utf8.count > mostOthers ? nil : json
  }

  // MARK: - Time and place

  /// Day One shows an entry on the day of its time in its zone. For another day it is the nearest time of that day.
  private var creationDate: Instant {
    let zone = Zone.known(record.timeZone) ?? .utc
    let shown = DayClock(zone: zone).day(of: record.writtenAt.milliseconds)
    guard let written = CalendarDay(year: shown.year, month: shown.month, day: shown.day), written != record.day else {
      return record.writtenAt
    }
    let (hour, second) = written < record.day ? (0, 0) : (23 * 60 + 59, 59)
    return LocalDateTime(day: record.day, minutes: hour, seconds: second).instant(in: zone)
  }

  /// Day One's times have no fractions.
  private static func seconds(_ instant: Instant) -> String {
    String(instant.description.prefix { $0 != "." && $0 != "Z" }) + "Z"
  }

  private var location: JSONValue? {
    var location: JSONObject = [:]
    if !record.details.place.isEmpty { location["placeName"] = .string(record.details.place) }
    let point = record.details.coordinates.split(separator: ",").compactMap { Double($0) }
    if point.count == 2 { (location["latitude"], location["longitude"]) = (.number(point[0]), .number(point[1])) }
    return location.isEmpty ? nil : .object(location)
  }

  /// `Rain, 12 °C` has a temperature; a weather in other words is only described.
  private var weather: JSONValue? {
    let text = record.details.weather
    if text.isEmpty { return nil }
    let parts = text.split(separator: ", ").map(String.init)
    if let last = parts.last, last.hasSuffix(" °C"), let temperature = Double(last.dropLast(3)) {
      var weather: JSONObject = ["temperatureCelsius": .number(temperature)]
      if parts.count > 1 { weather["conditionsDescription"] = .string(parts.dropLast().joined(separator: ", ")) }
      let read = ImportReading.details(of: .object(["weather": .object(weather)]), journal: "").weather
      if sameBytes(read, text) { return .object(weather) }
    }
    return .object(["conditionsDescription": .string(text)])
  }

  // MARK: - Media

  /// Day One's kinds of media, and how it names them.
  enum Kind {
    case photo, video, audio, pdf

    /// Nil for a file that Day One has no place for.
    init?(of file: FileRecord) {
      guard let type = FileType(mediaType: file.mediaType) else { return nil }
      switch type {
      case .jpg, .png, .gif, .webp, .avif, .heic: self = .photo
      case .mp4, .mov, .webm: self = .video
      case .m4a, .mp3, .wav, .ogg, .flac: self = .audio
      case .pdf: self = .pdf
      }
    }

    static let fields = [Self.photo, .video, .audio, .pdf].map(\.field)

    var field: String {
      switch self {
      case .photo: "photos"
      case .video: "videos"
      case .audio: "audios"
      case .pdf: "pdfAttachments"
      }
    }

    /// The folder of the archive.
    var folder: String { self == .pdf ? "pdfs" : field }

    fileprivate func link(_ identifier: String) -> String {
      switch self {
      case .photo: "dayone-moment://\(identifier)"
      case .video: "dayone-moment:/video/\(identifier)"
      case .audio: "dayone-moment:/audio/\(identifier)"
      case .pdf: "dayone-moment:/pdfAttachment/\(identifier)"
      }
    }
  }

  /// The end of a file's name, which Day One knows as its type.
  static func type(of file: FileRecord) -> String {
    FileType(mediaType: file.mediaType) == .jpg ? "jpeg" : String(file.fileExtension.dropFirst())
  }

  /// Of a file in this entry.
  private func identifier(_ file: String) -> String { Self.uuid(of: "\(record.id)/\(file)") }

  private func medium(_ file: FileRecord, of kind: Kind, label: String?) -> JSONValue {
    let type = JSONValue.string(Self.type(of: file))
    var medium: JSONObject = [
      "md5": .string(file.hash), "identifier": .string(identifier(file.id)), "fileSize": .integer(file.size),
      "filename": .string(file.name), kind == .audio ? "format" : "type": type,
    ]
    if let width = file.width, let height = file.height {
      (medium["width"], medium["height"]) = (.integer(Int64(width)), .integer(Int64(height)))
    }
    if let label { medium[kind == .pdf ? "pdfName" : "title"] = .string(label) }
    return .object(medium)
  }

  /// An entry with the MD5 of its media, by their SHA-256.
  static func withMD5(_ entry: JSONValue, _ sums: [String: String]) -> JSONValue {
    guard case .object(var object) = entry else { return entry }
    for field in Kind.fields {
      guard let media = object[field]?.arrayValue else { continue }
      object[field] = .array(
        media.map { medium in
          guard case .object(var medium) = medium, let sum = medium["md5"]?.stringValue.flatMap({ sums[$0] }) else {
            return medium
          }
          medium["md5"] = .string(sum)
          return .object(medium)
        })
    }
    return .object(object)
  }

  // MARK: - Text

  /// The text, and the labels of media that it no longer contains, by their ids.
  private func text(among exported: [String: String]) -> (text: String, labels: [String: String]) {
    let bare = labelsBeside(record.text)
    let text = FileEmbeds.replacing(bare.text) { destination in
      guard let link = StableLink(String(destination)), link.places.isEmpty else { return nil }
      switch link.collection {
      case FileRecord.collectionName:
        return files[link.item].flatMap { file in Kind(of: file)?.link(identifier(file.id)) }
      case EntryRecord.collectionName:
        return exported[link.item].map { "dayone://view?entryId=\($0)" }
      default: return nil
      }
    }
    return (text, bare.labels)
  }

  /// The text without the labels of embeds (`![river](commonplace:/files/…)`), which Day One's do not have, and these
  /// labels by file. Labels stay where an import, which names all embeds of a file alike, would not restore them.
  private func labelsBeside(_ text: String) -> (text: String, labels: [String: String]) {
    if files.isEmpty { return (text, [:]) }
    let bytes = Array(text.utf8)
    let opening = Array("](\(FileEmbeds.link(""))".utf8)
    var embeds: [(file: String, label: Range<Int>)] = []
    // Of a file with several labels, nil.
    var labels: [String: String?] = [:]
    var place = 0
    while let middle = bytes[place...].firstIndex(of: opening[0]) {
      place = middle + 1
      let rest = bytes[middle...].dropFirst(opening.count)
      guard bytes[middle...].starts(with: opening), let label = Self.label(in: bytes, before: middle) else { continue }
      let file = String(decoding: rest.prefix { $0 != UInt8(ascii: ")") && $0 > 0x20 }, as: UTF8.self)
      guard files[file] != nil else { continue }
      let words = String(decoding: bytes[label], as: UTF8.self)
      embeds.append((file, label))
      if let known = labels[file] {
        if known.map({ sameBytes($0, words) }) != true { labels[file] = .some(nil) }
      } else {
        labels[file] = .some(sameBytes(EntryDetails.shortLine(words), words) ? words : nil)
      }
    }
    let removed = labels.compactMapValues(\.self).filter { !$0.value.isEmpty }
    var result: [UInt8] = []
    var written = 0
    for embed in embeds where removed[embed.file] != nil {
      result += bytes[written..<embed.label.lowerBound]
      written = embed.label.upperBound
    }
    return (String(decoding: result + bytes[written...], as: UTF8.self), removed)
  }

  /// The most bytes of a label.
  private static let longestLabel = 1_000

  /// The place of the label of an embed, `![label]`, that ends here; nil for a link, and for a label with marks in it.
  private static func label(in bytes: [UInt8], before end: Int) -> Range<Int>? {
    let plain = bytes[max(0, end - longestLabel)..<end].reversed().prefix {
      ![UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "\\"), UInt8(ascii: "`"), 0x0A, 0x0D].contains($0)
    }
    let start = end - plain.count
    guard start >= 2, bytes[start - 1] == UInt8(ascii: "["), bytes[start - 2] == UInt8(ascii: "!") else { return nil }
    return start..<end
  }
}

extension EntryRecord {
  /// The uuids of entries in an export for Day One, by their ids.
  static func uuids(of ids: [String]) -> [String: String] {
    Dictionary(ids.map { ($0, DayOneEntry.uuid(of: $0)) }) { first, _ in first }
  }

  /// The ids of all entries by the uuids that an export gives them.
  static func idsByUUID(in db: Database) throws -> [String: String] {
    let ids = try db.texts("SELECT id FROM diaryEntry")
    return Dictionary(ids.map { (DayOneEntry.uuid(of: $0), $0) }) { first, _ in first }
  }
}
