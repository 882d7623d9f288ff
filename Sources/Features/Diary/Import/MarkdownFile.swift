import Contract
import Display
import Store
import Wire

/// An entry as a file of its own: what is known of it as front matter, then its text, byte for byte.
///
///     ---
///     id: 0192f0c1-7b1e-7000-8000-000000000000
///     revision: 42
///     epoch: 0192f0c1-6a00-7000-8000-000000000000
///     day: 2026-11-21
///     timeZone: Asia/Seoul
///     writtenAt: 2026-11-21T03:04:05.678Z
///     ---
///     A walk
struct MarkdownFile {
  var matter: [String: String] = [:]
  var text: String

  private static let fence = "---\n"

  init(_ record: EntryRecord, of library: LibraryIdentity) {
    matter = [
      "id": record.id, "revision": String(record.revision), "epoch": library.epoch, "day": record.day.description,
      "timeZone": record.timeZone, "writtenAt": record.writtenAt.description,
    ]
    text = record.text
  }

  /// A file without front matter is all text.
  init(parsing file: String) {
    text = file
    guard file.utf8.starts(with: Self.fence.utf8) else { return }
    var matter: [String: String] = [:]
    var rest = file.utf8.dropFirst(Self.fence.utf8.count)
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = Substring(rest[..<end])
      rest = rest[rest.index(after: end)...]
      if line == "---" {
        self.matter = matter
        text = String(Substring(rest))
        return
      }
      guard let colon = line.firstIndex(of: ":") else { continue }
      matter[String(line[..<colon])] = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
  }

  var bytes: [UInt8] {
    let lines = ["id", "revision", "epoch", "day", "timeZone", "writtenAt"].compactMap { key in
      matter[key].map { "\(key): \($0)\n" }
    }
    return Array((Self.fence + lines.joined() + Self.fence + text).utf8)
  }

  /// Which state of its entry it was written from.
  var revision: FileRevision? {
    FileRevision(matter["revision"].flatMap { Int64($0) }, epoch: matter["epoch"])
  }

  /// The file's name: in a folder, the days come in their order.
  static func name(of record: EntryRecord) -> String { "\(record.day)-\(record.id).md" }
}

extension ImportReading {
  /// Where no day is given in the file, its name gives it: `2026-11-21.md`, `2026-11-21 A walk.md`.
  mutating func readMarkdown(_ bytes: [UInt8], file name: String?, number: Int) {
    let place = ImportNote.Place(file: name, number: number)
    guard let content = String(validating: bytes, as: UTF8.self) else { return note(.notText, at: place) }
    let file = MarkdownFile(parsing: content)
    let named = name.map { $0.split(separator: "/").last ?? "" }.map { String($0.prefix(10)) } ?? ""
    let isNamed = named.utf8.count == 10 && named.utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) }
    guard let date = file.matter["day"] ?? file.matter["date"].map({ String($0.prefix(10)) }) ?? (isNamed ? named : nil)
    else { return note(.missingDate, at: place, text: file.text) }
    let written = file.matter["writtenAt"]
    guard let day = CalendarDay(date), written == nil || Instant(written!) != nil else {
      return note(.badDate, at: place, text: file.text)
    }
    let zone = zone(named: file.matter["timeZone"], at: place, text: file.text)
    // What says only a day was written at its noon: that is the same day wherever it is read nearby.
    let instant = written.flatMap(Instant.init) ?? WallTime(day: day, minutes: 720, seconds: 0).instant(in: zone)
    add(
      file.text, at: place, writtenAt: instant, day: day, zone: zone,
      identity: Self.identity(id: file.matter["id"], revision: file.revision))
  }
}
