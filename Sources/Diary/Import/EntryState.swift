import Contract
import Kit
import Store

/// A fingerprint of the parts of an entry that a file can state, for detecting changes. Tags are at its end, if there are
/// any.
///
///     2026-11-21 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
struct EntryState: Sendable, Equatable {
  var day: CalendarDay
  /// The hash of the text.
  var hash: String
  var tags: [String]

  init(day: CalendarDay, text: String, tags: [String]) {
    (self.day, self.tags) = (day, tags)
    hash = Blobs.hash(of: Array(text.utf8))
  }

  init(of record: EntryRecord) { self.init(day: record.day, text: record.text, tags: record.tags) }

  /// Parses the stored form.
  init?(stored: String?) {
    let parts = (stored ?? "").split(separator: " ", maxSplits: 2).map(String.init)
    guard parts.count >= 2, let day = CalendarDay(parts[0]) else { return nil }
    self.day = day
    hash = parts[1]
    tags = parts.count > 2 ? JSONList.strings(parts[2]) : []
  }

  var stored: String { "\(day) \(hash)" + (tags.isEmpty ? "" : " \(JSONList.json(tags))") }
}
