import Contract
import Kit
import Store

/// A fingerprint of the parts of an entry that a file can state, for detecting changes. A star and the tags are at its
/// end, if there are any.
///
///     2026-11-21 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
///     2026-11-21 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 * ["river"]
struct EntryState: Sendable, Equatable {
  var day: CalendarDay
  /// The hash of the text.
  var hash: String
  var tags: [String]
  var isStarred: Bool

  init(day: CalendarDay, text: String, tags: [String], isStarred: Bool) {
    (self.day, self.tags, self.isStarred) = (day, tags, isStarred)
    hash = Blobs.hash(of: Array(text.utf8))
  }

  init(of record: EntryRecord) {
    self.init(day: record.day, text: record.text, tags: record.tags, isStarred: record.isStarred)
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
    tags = list.isEmpty ? [] : JSONList.strings(String(list))
  }

  var stored: String {
    "\(day) \(hash)" + (isStarred ? " *" : "") + (tags.isEmpty ? "" : " \(JSONList.json(tags))")
  }
}
