import Contract
import Kit
import Store
import Wire

/// An earlier version of an edited post.
struct PostVersion: Payload {
  var clock: Int64
  var at: Instant
  var title: String
  var diff: TextDiff

  static let example = PostVersion(
    clock: 41, at: Instant(milliseconds: 1_795_225_445_678), title: "Lunch", diff: .example)
  static let fields = [
    "clock": "The commit that replaced this version.", "at": "When the edit was seen.",
    "title": "The title of this version.",
    "diff": "The word-by-word difference to the next version's text.",
  ]

  /// The number of versions shown; `changes/history` has all stored ones.
  private static let limit = 20

  /// Newest first. Fetched versions are stored for a month, as far as there is room; older ones are not available.
  static func all<Content: StoredItem & PostContent>(
    of record: Content, in snapshot: Snapshot
  ) throws -> [PostVersion] {
    let history = try ItemVersion.history(
      of: Content.collectionName, id: record.id, before: nil, limit: 200, in: snapshot)
    var (title, text) = (record.head.title, record.text)
    var versions: [PostVersion] = []
    for change in history where change.kind == .updated {
      guard let before = change.before else { continue }
      let (oldTitle, oldText) = (before["title"]?.stringValue ?? title, before["text"]?.stringValue ?? text)
      guard !sameBytes(oldTitle, title) || !sameBytes(oldText, text) else { continue }
      versions.append(
        PostVersion(clock: change.clock, at: change.at, title: oldTitle, diff: TextDiff(from: oldText, to: text)))
      (title, text) = (oldTitle, oldText)
      if versions.count == limit { break }
    }
    return versions
  }
}
