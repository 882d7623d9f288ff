import Contract
import Display
import Exchange
import Kit
import Store
import Wire
import Zip

/// Day One's export: a zip with a JSON file for each journal beside folders of photos, or a single such file.
extension ImportReading {
  /// `{entries: [{uuid, text, creationDate, timeZone, tags}]}`. The text is imported unchanged, with its references to photos
  /// (`![](dayone-moment://…)`), but without the photos.
  mutating func readDayOne(_ bytes: [UInt8], file: String?) throws(WrongFormat) {
    for (index, element) in try JSONElements(bytes, under: "entries").elements.enumerated() {
      let place = ImportNote.Place(file: file, number: index + 1)
      guard let item = element.value else {
        note(.unreadable, at: place)
        continue
      }
      readDayOne(item, at: place)
    }
  }

  private mutating func readDayOne(_ item: JSONValue, at place: ImportNote.Place) {
    let text = item["text"]?.stringValue ?? ""
    guard let created = item["creationDate"], created != .null else {
      return note(.missingDate, at: place, text: text)
    }
    guard let instant = created.stringValue.flatMap(Instant.init) else { return note(.badDate, at: place, text: text) }
    let zone = zone(named: item["timeZone"]?.stringValue, at: place, text: text)
    let hasMedia = ["photos", "videos", "audios", "pdfAttachments"].contains { !(item[$0]?.arrayValue ?? []).isEmpty }
    if hasMedia { note(.attachments, at: place, text: text) }
    leaveOut(item.saying(Self.dayOneFields), at: place, text: text)
    add(
      text, at: place, writtenAt: instant, zone: zone,
      identity: item["uuid"]?.stringValue.map { .named("dayone/" + $0) } ?? .content,
      tags: (item["tags"]?.arrayValue ?? []).compactMap(\.stringValue))
  }

  private static let dayOneFields = ["starred", "location", "weather", "userActivity"]

  /// All journals of a zip, in its order.
  mutating func readDayOne(
    zip read: (_ body: (ZipEntry) throws -> Void) throws -> Void
  ) throws {
    var reading = self
    var journals = 0
    try read { entry in
      guard Self.isJournal(entry.name) else { return }
      journals += 1
      do {
        try reading.readDayOne(try entry.bytes(), file: entry.name)
      } catch let failure as WrongFormat {
        var failure = failure
        failure.file = entry.name
        throw failure
      }
    }
    guard journals > 0 else { throw WrongFormat(reason: "noJournal") }
    self = reading
  }

  /// Excludes the files that macOS adds to an archive.
  private static func isJournal(_ name: String) -> Bool {
    let parts = name.split(separator: "/")
    return name.lowercased().hasSuffix(".json") && parts.first != "__MACOSX" && parts.last?.hasPrefix(".") == false
  }
}
