import Glibc
import SearchEngine
import Store
import Synchronization
import Wire

/// Every word that an entry has, or had while this daemon runs: which of them hold a part of a word; and which letters
/// each entry has.
///
/// The index finds whole words; who types `ive` means `river` too. The words are read out of the entries by the first
/// search that needs them, some hundred kilobytes, and then follow the change log. One too many costs a look at nothing.
final class DiaryWords: Sendable {
  private struct State {
    /// What is in the words: the library at this clock.
    var clock: Int64 = -1
    var known: Set<String> = []
    /// A line feed, then each word with one behind it, and a zero: what `strstr` goes through in no time.
    var lines: [UInt8] = [lineFeed, 0]
    /// Which letters and digits each entry has, a bit for each; also entries that are gone by now.
    var letters: [String: UInt64] = [:]
  }

  private static let lineFeed = UInt8(ascii: "\n")
  /// With more words than this, nearly every entry has one.
  private static let wordLimit = 256

  private let state = Mutex(State())

  /// The words that the word of a query may stand in; nil where they are too many, or a state of the library is asked
  /// for that is over.
  func holding(_ words: [SubstringQuery.Word], in snapshot: Snapshot) throws -> [[String]?] {
    if words.allSatisfy({ !$0.isOpenBefore && !$0.isOpenAfter }) { return words.map { [$0.text] } }
    return try state.withLock { state in
      guard try Self.follow(snapshot, &state) else { return words.map { _ in nil } }
      return words.map { Self.lines(with: $0, in: state.lines) }
    }
  }

  /// By their clocks only the latest changes are read; the plus keeps SQLite from the index by the item, in which it would
  /// go through all changes that the diary ever had.
  static let changedStatement = """
    SELECT id, text FROM diaryEntry WHERE id IN (SELECT id FROM changes WHERE clock > ? AND +collection = 'diary')
    """

  /// Brings the words to the snapshot. An entry that was changed and changed back meanwhile is in neither state.
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

  /// The entries that have a letter, or those that have it not where these are fewer. Nearly every entry has most letters,
  /// and the index knows only words. nil where it is no letter of English and no digit, or a state of the library is
  /// asked for that is over.
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
        // The line that the hit is in: a hit with its line feed begins before it.
        let inside = UnsafePointer(place) - base + (word.isOpenBefore ? 0 : 1)
        let first = (bytes[..<inside].lastIndex(of: lineFeed) ?? -1) + 1
        let end = bytes[inside...].firstIndex(of: lineFeed) ?? bytes.count - 1
        if found.count == wordLimit { return nil }
        found.append(String(decoding: bytes[first..<end], as: UTF8.self))
        // Its line feed is the next word's too.
        start = end
      }
      return found
    }
  }
}

extension EntryListing {
  /// Leaves only entries in which a text stands anywhere.
  mutating func narrow(to query: String, in snapshot: Snapshot) throws {
    let query = SubstringQuery(query)
    if query.folded.isEmpty { return }
    let words = snapshot.services.memory.object(DiaryWords.self) { DiaryWords() }
    if let entries = try words.entries(with: query.folded, in: snapshot) {
      let condition = "id \(entries.haveIt ? "IN" : "NOT IN") (SELECT value FROM json_each(?))"
      return narrow(condition, [.text(Self.json(entries.ids))])
    }
    guard let ids = try Self.ids(with: query, knowing: words, in: snapshot) else {
      return narrow("instr(fold(text), ?) > 0", [.text(query.folded)])
    }
    narrow("id IN (SELECT value FROM json_each(?))", [.text(Self.json(ids))])
  }

  /// The entries with a text, found by the index and looked at; nil where the index knows nothing of it.
  private static func ids(
    with query: SubstringQuery, knowing words: DiaryWords, in snapshot: Snapshot
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
