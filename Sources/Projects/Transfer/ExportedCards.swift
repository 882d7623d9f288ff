import Contract
import Display
import Exchange
import Kit
import Store
import Wire

/// Cards of one state of the library on their way into a file.
struct ExportedCards: Sendable {
  private typealias Card = (record: ProjectRecord, kept: StoredSource?)
  private let cards: [Card]
  let columns: BoardColumns
  private let epoch: String

  /// In the order in which they came; what came from one file in the order that it had there.
  init(_ records: [ProjectRecord], columns: BoardColumns, epoch: String) throws {
    let cards = try records.enumerated().map {
      (index: $0.offset, record: $0.element, kept: try StoredSource($0.element))
    }
    self.cards = cards.sorted { left, right in
      (left.record.createdAt, left.kept?.place ?? 0, left.index)
        < (right.record.createdAt, right.kept?.place ?? 0, right.index)
    }.map { ($0.record, $0.kept) }
    self.columns = columns
    self.epoch = epoch
  }

  func tasks(as format: TaskFormat, zone: Zone) throws -> [ForeignTask] {
    var names: [String: String] = [:]
    for (record, kept) in cards {
      if let kept, kept.source.format == format, let name = record.foreignID {
        names[record.id] = kept.nameInFile(zone: zone) ?? name
      }
    }
    let cardsByName = Dictionary(names.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    let ordered = [.todotxt, .markdown].contains(format) ? Self.inOrder(cards, as: format) : cards
    let waiting = WaitingCards(cards.map { ($0.record.id, $0.record.blockedBy) })
    var heads: Set<String> = []
    // Until lately a copy of a card that came as both had changed kept the name of the first.
    var taken: Set<String> = []
    return try ordered.map { record, kept in
      var task = ForeignTask(record, columns: columns)
      let source = kept?.source
      let before = source?.format == format ? source?.task(zone: zone) : nil
      // A card that stands where what its own program says of it leads on this board needs no other word.
      if let before, before.revision == nil, before.column == nil, before.state == task.state,
        sameBytes(columns.column(for: task.state).state, record.state)
      {
        task.column = nil
      }
      let circular = Self.circularNames(
        of: record, before: before, format: format, waiting: waiting, cards: cardsByName)
      task.blockedBy =
        Self.names(of: task.blockedBy, known: names, before: before, format: format) + circular
      task.source = source
      let revision = FileRevision(
        number: record.revision, epoch: epoch,
        ancestor: try MergeBase(stored: record.taken)?.ancestor(in: epoch) ?? before?.written?.ancestor(in: epoch))
      if format == .jsonl {
        task.uid = record.id
        task.revision = revision
        task.blockedBy = record.blockedBy
      } else if let before, record.foreignID != nil, before.uid.map({ taken.insert($0).inserted }) ?? true {
        // As it is in its own program. Where the format has no names for tasks, one that was changed here needs ours, to
        // be told from a new one.
        let isAsBefore = task.says(before) && task.hasColumn(of: before)
        let isOwn = before.uid == nil && !isAsBefore || before.revision != nil
        task.uid = isOwn ? before.revision != nil ? before.uid : record.id : before.uid
        task.revision = isOwn ? revision : nil
        let written = FileRevision(
          number: record.revision, epoch: epoch, ancestor: before.written?.ancestor(in: epoch))
        task.written = isOwn ? nil : isAsBefore ? before.written : written
      } else {
        // One of ours, or the next of a task that came again: its text, but not its name.
        task.uid = record.id
        task.revision = revision
      }
      // What the file begins with stays, whether its first task is still there or not.
      if let source, source.format == format, let head = source.head, heads.insert(head).inserted,
        !source.before.hasPrefix(head)
      {
        task.source?.before = head + source.before
      }
      return task
    }
  }

  /// Lists have no other order than that of their lines: cards that came from nobody's list of this format stand in it as
  /// on the board, those of one column in the places that they have together. What came from a list stays in its order,
  /// with what stands between.
  private static func inOrder(_ cards: [Card], as format: TaskFormat) -> [Card] {
    var ordered = cards
    let own = cards.indices.filter { cards[$0].kept.map { !$0.source.isOfList(in: format) } ?? true }
    for places in Dictionary(grouping: own, by: { Array(cards[$0].record.state.utf8) }).values {
      let onBoard = places.sorted { left, right in
        let (left, right) = (cards[left].record, cards[right].record)
        if !sameBytes(left.rank, right.rank) { return left.rank.utf8.lexicographicallyPrecedes(right.rank.utf8) }
        return left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
      }
      for (place, source) in zip(places, onBoard) { ordered[place] = cards[source] }
    }
    return ordered
  }

  /// The names in a card's own text for which it would wait in a circle: there they stay.
  private static func circularNames(
    of record: ProjectRecord, before: ForeignTask?, format: TaskFormat, waiting: WaitingCards,
    cards: [String: String]
  ) -> [String] {
    guard let before, !before.blockedBy.isEmpty else { return [] }
    return before.blockedBy.filter { name in
      let id = waiting.has(name) ? name : cards[name] ?? TaskReading.id(ofUID: name, format: format)
      return !record.blockedBy.contains(id) && waiting.wouldWait(record.id, for: id)
    }
  }

  /// The cards that a card waits for, by the names that they have in the file.
  private static func names(
    of ids: [String], known: [String: String], before: ForeignTask?, format: TaskFormat
  ) -> [String] {
    // Those that never came are named in the card's own text alone.
    let missing = (before?.blockedBy ?? []).map { (TaskReading.id(ofUID: $0, format: format), $0) }
    let own = Dictionary(missing, uniquingKeysWith: { first, _ in first })
    return ids.map { known[$0] ?? own[$0] ?? $0 }
  }
}

/// Which cards wait for which, of one state of the library.
private struct WaitingCards {
  private let blockers: [String: [String]]

  init(_ cards: [(id: String, blockers: [String])]) {
    blockers = Dictionary(cards.map { ($0.id, $0.blockers) }, uniquingKeysWith: { first, _ in first })
  }

  func has(_ id: String) -> Bool { blockers[id] != nil }

  /// Whether a card that waited for another would wait for itself.
  func wouldWait(_ card: String, for blocker: String) -> Bool {
    var seen: Set = [blocker]
    var rest = [blocker]
    while let next = rest.popLast() {
      if next == card { return true }
      for id in blockers[next] ?? [] where seen.insert(id).inserted { rest.append(id) }
    }
    return false
  }
}

extension StoredSource {
  /// What the other tasks of its list call a card's task, where they have a name for it.
  fileprivate func nameInFile(zone: Zone) -> String? {
    guard source.format == .markdown,
      source.text.contains("🆔") || source.text.contains("[id::") || source.text.contains("(id::")
    else { return nil }
    return source.task(zone: zone)?.nameInFile
  }
}

extension ForeignSource {
  /// Whether a task came from a list of this format that is somebody's own: no line as we write them, with nothing around
  /// it.
  fileprivate func isOfList(in format: TaskFormat) -> Bool {
    if self.format != format { return false }
    let isAlone = (before + after + (head ?? "")).allSatisfy(\.isWhitespace)
    let isNested = text.first.map { $0.isWhitespace || $0 == ">" } ?? false
    return !isAlone || isNested || !text.contains("revision:")
  }
}
