import Glibc
import SearchEngine
import Store
import Synchronization
import Wire

/// An index of all words in entries, now or since the daemon started, that finds words by a part of them; and the set
/// of characters of each entry.
///
/// The search index finds whole words; but a user who types `ive` may mean `river`. The first search that needs the
/// words reads them from the entries, some hundred kilobytes; later ones follow the change log. A word that no entry
/// contains any more only costs a lookup.
final class DiaryWordIndex: Sendable {
  private struct State {
    /// The clock of the library up to which the words are complete.
    var clock: Int64 = -1
    var known: Set<String> = []
    /// A line feed, then each word with a line feed, and a zero: the form that `strstr` searches fastest.
    var lines: [UInt8] = [lineFeed, 0]
    /// The letters and digits in each entry, one bit each; including removed entries.
    var letters: [String: UInt64] = [:]
  }

  private static let lineFeed = UInt8(ascii: "\n")
  /// With more matching words than this, nearly every entry has one.
  private static let wordLimit = 256

  private let state = Mutex(State())

  /// For each word of a query, the indexed words that contain it; nil if there are too many, or if the snapshot is
  /// older than the index.
  func holding(_ words: [SubstringQuery.Word], in snapshot: Snapshot) throws -> [[String]?] {
    if words.allSatisfy({ !$0.isOpenBefore && !$0.isOpenAfter }) { return words.map { [$0.text] } }
    return try state.withLock { state in
      guard try Self.follow(snapshot, &state) else { return words.map { _ in nil } }
      return words.map { Self.lines(with: $0, in: state.lines) }
    }
  }

  /// Reads only the latest changes, by clock. The plus keeps SQLite from using the index by item, with which it would
  /// scan all changes of the diary.
  static let changedStatement = """
    SELECT id, text FROM diaryEntry WHERE id IN (SELECT id FROM changes WHERE clock > ? AND +collection = 'diary')
    """

  /// Updates the words to the snapshot. A text that was changed and changed back meanwhile is in neither state.
  private static func follow(_ snapshot: Snapshot, _ state: inout State) throws -> Bool {
    if state.clock > snapshot.clock { return false }
    if state.clock == snapshot.clock { return true }
    let oldest = try snapshot.db.first("SELECT min(clock) FROM commits") { $0.integer(0) } ?? .max
    let isNew = state.clock < 0 || oldest > state.clock + 1
    var texts: [(id: String, text: String)] = []
    try snapshot.db.each(
      isNew ? "SELECT id, text FROM diaryEntry" : changedStatement, isNew ? [] : [.integer(state.clock)]
    ) { row in
      texts.append((row.text(0), row.text(1)))
      if texts.count == 100 { add(&texts, to: &state) }
    }
    add(&texts, to: &state)
    state.clock = snapshot.clock
    return true
  }

  private static func add(_ texts: inout [(id: String, text: String)], to state: inout State) {
    state.lines.removeLast()
    for (id, text) in texts {
      let folded = foldedText(text)
      state.letters[id] = letters(in: folded)
      for word in SearchIndex.words(ofFolded: folded) where state.known.insert(word).inserted {
        state.lines += Array(word.utf8) + [lineFeed]
      }
    }
    state.lines.append(0)
    texts.removeAll(keepingCapacity: true)
  }

  /// The entries that contain a character, or those that do not, whichever are fewer. Nearly every entry has most
  /// letters, and the search index has only words. nil if it is no ASCII letter or digit, or if the snapshot is older
  /// than the index.
  func entries(with letter: String, in snapshot: Snapshot) throws -> (ids: [String], haveIt: Bool)? {
    guard letter.utf8.count == 1, let byte = letter.utf8.first, let bit = Self.bit(of: byte) else { return nil }
    return try state.withLock { state in
      guard try Self.follow(snapshot, &state) else { return nil }
      var having: [String] = []
      var lacking: [String] = []
      for (id, letters) in state.letters {
        if letters & bit != 0 { having.append(id) } else { lacking.append(id) }
      }
      return having.count <= lacking.count ? (having, true) : (lacking, false)
    }
  }

  private static func letters(in folded: String) -> UInt64 {
    folded.utf8.reduce(0) { $0 | (bit(of: $1) ?? 0) }
  }

  private static func bit(of byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): 1 << (byte - UInt8(ascii: "a"))
    case UInt8(ascii: "0")...UInt8(ascii: "9"): 1 << (byte - UInt8(ascii: "0") + 26)
    default: nil
    }
  }

  private static func lines(with word: SubstringQuery.Word, in lines: [UInt8]) -> [String]? {
    let part =
      (word.isOpenBefore ? [] : [lineFeed]) + Array(word.text.utf8) + (word.isOpenAfter ? [] : [lineFeed]) + [0]
    var found: [String] = []
    return lines.withUnsafeBytes { bytes -> [String]? in
      guard let base = bytes.bindMemory(to: CChar.self).baseAddress else { return found }
      var start = 0
      let hit = { part.withUnsafeBytes { strstr(base + start, $0.bindMemory(to: CChar.self).baseAddress ?? base) } }
      while let place = hit() {
        // The line of the match: a match that includes the leading line feed begins before the line.
        let inside = UnsafePointer(place) - base + (word.isOpenBefore ? 0 : 1)
        let first = (bytes[..<inside].lastIndex(of: lineFeed) ?? -1) + 1
        let end = bytes[inside...].firstIndex(of: lineFeed) ?? bytes.count - 1
        if found.count == wordLimit { return nil }
        found.append(String(decoding: bytes[first..<end], as: UTF8.self))
        // The line feed at its end also begins the next word.
        start = end
      }
      return found
    }
  }
}

extension EntryListing {
  /// Keeps only entries that contain a text anywhere.
  mutating func narrow(to query: String, in snapshot: Snapshot) throws {
    let query = SubstringQuery(query)
    if query.folded.isEmpty { return }
    let words = snapshot.services.memory.object(DiaryWordIndex.self) { DiaryWordIndex() }
    if let entries = try words.entries(with: query.folded, in: snapshot) {
      let condition = "id \(entries.haveIt ? "IN" : "NOT IN") (SELECT value FROM json_each(?))"
      return narrow(condition, [.text(Self.json(entries.ids))])
    }
    guard let ids = try Self.ids(with: query, knowing: words, in: snapshot) else {
      return narrow("instr(fold(text), ?) > 0", [.text(query.folded)])
    }
    narrow("id IN (SELECT value FROM json_each(?))", [.text(Self.json(ids))])
  }

  /// The ids of entries with a text, from the search index, and checked; nil if the index cannot find them.
  private static func ids(
    with query: SubstringQuery, knowing words: DiaryWordIndex, in snapshot: Snapshot
  ) throws -> [String]? {
    guard let match = query.match(forms: try words.holding(query.words, in: snapshot)),
      let candidates = try SearchIndex.items(matching: match, of: EntryRecord.collectionName, in: snapshot.db)
    else { return nil }
    if query.isSure { return candidates }
    return try snapshot.db.texts(
      "SELECT id FROM diaryEntry WHERE id IN (SELECT value FROM json_each(?)) AND instr(fold(text), ?) > 0",
      [.text(json(candidates)), .text(query.folded)])
  }

  private static func json(_ ids: [String]) -> String {
    String(describing: JSONValue.array(ids.map(JSONValue.string)))
  }
}
