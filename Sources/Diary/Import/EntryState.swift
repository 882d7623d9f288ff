import Contract
import Kit
import Store
import Wire

/// A fingerprint of the parts of an entry that a file can state, for detecting changes. A star, and a list of the tags and of
/// the other fields, are at its end, if there are any. The front matter is among these.
///
///     2026-11-21 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
///     2026-11-21 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 * ["river", {"journal": "Work"}]
struct EntryState: Sendable, Equatable {
  var day: CalendarDay
  /// The hash of the text.
  var hash: String
  var tags: [String]
  var isStarred: Bool
  var details: EntryDetails
  var frontMatter: String

  init(
    day: CalendarDay, text: String, tags: [String], isStarred: Bool, details: EntryDetails, frontMatter: String
  ) {
    (self.day, self.tags, self.isStarred, self.details) = (day, tags, isStarred, details)
    self.frontMatter = frontMatter
    hash = Blobs.hash(of: Array(text.utf8))
  }

  init(of record: EntryRecord) {
    self.init(
      day: record.day, text: record.text, tags: record.tags, isStarred: record.isStarred, details: record.details,
      frontMatter: record.frontMatter)
  }

  /// Parses the stored form.
  init?(stored: String?) {
    let parts = (stored ?? "").split(separator: " ", maxSplits: 2).map(String.init)
    guard parts.count >= 2, let day = CalendarDay(parts[0]) else { return nil }
    self.day = day
    hash = parts[1]
    let rest = parts.count > 2 ? parts[2] : ""
    isStarred = rest.hasPrefix("*")
    let list = rest.drop { "* ".contains($0) }
    let elements = list.isEmpty ? [] : (try? JSONParser.parse(Array(list.utf8)))?.arrayValue ?? []
    tags = elements.compactMap(\.stringValue)
    let stated = elements.last?.objectValue ?? [:]
    details = EntryDetails { stated[$0]?.stringValue }
    frontMatter = stated[Self.matter]?.stringValue ?? ""
  }

  private static let matter = "frontMatter"

  var stored: String {
    var elements = tags.map { JSONValue.string($0) }
    var stated = details.json
    if !frontMatter.isEmpty { stated[Self.matter] = .string(frontMatter) }
    if !stated.isEmpty { elements.append(.object(stated)) }
    return "\(day) \(hash)" + (isStarred ? " *" : "") + (elements.isEmpty ? "" : " \(JSONValue.array(elements))")
  }
}
