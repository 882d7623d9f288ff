import Contract
import Store

/// A fingerprint of the parts of an entry that a file can state, for detecting changes.
///
///     2026-11-21 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
struct EntryState: Sendable, Equatable {
  var day: CalendarDay
  /// The hash of the text.
  var hash: String

  init(day: CalendarDay, text: String) {
    self.day = day
    hash = Blobs.hash(of: Array(text.utf8))
  }

  init(of record: EntryRecord) { self.init(day: record.day, text: record.text) }

  /// Parses the stored form.
  init?(stored: String?) {
    let parts = (stored ?? "").split(separator: " ").map(String.init)
    guard parts.count == 2, let day = CalendarDay(parts[0]) else { return nil }
    self.day = day
    hash = parts[1]
  }

  var stored: String { "\(day) \(hash)" }
}
