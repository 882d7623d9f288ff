import Contract
import Display
import Exchange
import Kit
import Store
import Wire

/// Cards of one snapshot, to be exported.
struct ExportedCards: Sendable {
  private typealias Card = (record: ProjectRecord, stored: StoredSource?)
  private let cards: [Card]
  let boards: CardBoards
  private let epoch: String

  /// In the order of insertion; cards of one imported file in the order of the file.
  init(_ records: [ProjectRecord], boards: CardBoards, epoch: String) throws {
    let cards = try records.enumerated().map {
      (index: $0.offset, record: $0.element, stored: try StoredSource($0.element))
    }
    self.cards = cards.sorted { left, right in
      (left.record.createdAt, left.stored?.place ?? 0, left.index)
        < (right.record.createdAt, right.stored?.place ?? 0, right.index)
    }.map { ($0.record, $0.stored) }
    self.boards = boards
    self.epoch = epoch
  }

  func tasks(as format: TaskFormat, zone: Zone) throws -> [ExternalTask] {
    var names: [String: String] = [:]
    for (record, stored) in cards {
      if let stored, stored.source.format == format, let name = record.foreignID {
        names[record.id] = stored.nameInFile(zone: zone) ?? name
      }
    }
    let cardsByName = Dictionary(names.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    let ordered = [.todotxt, .markdown].contains(format) ? Self.inOrder(cards, as: format) : cards
    let waiting = WaitingCards(cards.map { ($0.record.id, $0.record.blockedBy) })
    let parents = Dictionary(cards.map { ($0.record.id, $0.record.parent) }, uniquingKeysWith: { first, _ in first })
    var heads: Set<String> = []
    // Earlier versions gave a copy of a card that had changed on both sides the same name.
    var taken: Set<String> = []
    return try ordered.map { record, stored in
      var task = ExternalTask(record, boards: boards)
      let source = stored?.source
      let before = source?.format == format ? source?.task(zone: zone) : nil
      // A card in the column to which the state of its source text leads on this board needs no column property.
      if let before, before.revision == nil, before.column == nil, before.state == task.state,
        sameBytes(boards.columns(of: record.board).column(for: task.state).state, record.state)
      {
        task.column = nil
      }
      let circular = Self.circularNames(
        of: record, before: before, format: format, waiting: waiting, cards: cardsByName)
      task.blockedBy =
        Self.names(of: task.blockedBy, known: names, before: before?.blockedBy ?? [], format: format) + circular
      // A list has its cards nested, by their ids.
      if format != .markdown {
        task.parent =
          task.parent.flatMap { parent in
            Self.names(of: [parent], known: names, before: before?.parent.map { [$0] } ?? [], format: format).first
          }
          ?? Self.unusableParent(of: record, before: before, format: format, parents: parents, cards: cardsByName)
      }
      task.source = source
      let revision = FileRevision(
        number: record.revision, epoch: epoch,
        ancestor: try MergeBase(stored: record.mergeBase)?.ancestor(in: epoch) ?? before?.written?.ancestor(in: epoch))
      if format == .jsonl {
        task.uid = record.id
        task.revision = revision
        (task.blockedBy, task.parent) = (record.blockedBy, record.parent)
      } else if let before, record.foreignID != nil, before.uid.map({ taken.insert($0).inserted }) ?? true {
        // The name in its own program. If the format has no names for tasks, a changed card gets our id, so that it is
        // not imported as a new one.
        let isAsBefore = task.says(before) && task.hasColumn(of: before) && task.hasBoard(of: before)
        let isOwn = before.uid == nil && !isAsBefore || before.revision != nil
        task.uid = isOwn ? before.revision != nil ? before.uid : record.id : before.uid
        task.revision = isOwn ? revision : nil
        let written = FileRevision(
          number: record.revision, epoch: epoch, ancestor: before.written?.ancestor(in: epoch))
        task.written = isOwn ? nil : isAsBefore ? before.written : written
      } else {
        // A card made here, or the next card of an imported one: it has the source text, but not the name.
        task.uid = record.id
        task.revision = revision
      }
      // The beginning of the file is retained, whether its first task still exists or not.
      if let source, source.format == format, let head = source.head, heads.insert(head).inserted,
        !source.before.hasPrefix(head)
      {
        task.source?.before = head + source.before
      }
      return task
    }
  }

  /// Sorts the cards for formats whose only order is that of the lines. Cards that were not imported from somebody's
  /// list of this format are in board order: those of one column share the positions that they have together. Cards
  /// from a list stay in its order, with the text between them.
  private static func inOrder(_ cards: [Card], as format: TaskFormat) -> [Card] {
    var ordered = cards
    let own = cards.indices.filter { cards[$0].stored.map { !$0.source.isOfList(in: format) } ?? true }
    for places in Dictionary(
      grouping: own,
      by: {
        CardLanes.Lane(board: cards[$0].record.board, state: cards[$0].record.state)
      }
    ).values {
      let onBoard = places.sorted { left, right in
        let (left, right) = (cards[left].record, cards[right].record)
        if !sameBytes(left.rank, right.rank) { return left.rank.utf8.lexicographicallyPrecedes(right.rank.utf8) }
        return left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
      }
      for (place, source) in zip(places, onBoard) { ordered[place] = cards[source] }
    }
    return ordered
  }

  /// The blockers in a card's source text for which it would wait in a cycle: they stay in the text.
  private static func circularNames(
    of record: ProjectRecord, before: ExternalTask?, format: TaskFormat, waiting: WaitingCards,
    cards: [String: String]
  ) -> [String] {
    guard let before, !before.blockedBy.isEmpty else { return [] }
    return before.blockedBy.filter { name in
      let id = waiting.has(name) ? name : cards[name] ?? TaskReading.id(ofUID: name, format: format)
      return !record.blockedBy.contains(id) && waiting.wouldWait(record.id, for: id)
    }
  }

  /// The parent in the source text of a card that has none, if the card cannot have it: it is not here, or it is a part
  /// of the card.
  private static func unusableParent(
    of record: ProjectRecord, before: ExternalTask?, format: TaskFormat, parents: [String: String?],
    cards: [String: String]
  ) -> String? {
    guard let name = before?.parent else { return nil }
    var next = parents[name] == nil ? cards[name] ?? TaskReading.id(ofUID: name, format: format) : name
    if parents[next] == nil { return name }
    var seen: Set = [next]
    while next != record.id {
      guard let parent = parents[next] ?? nil, seen.insert(parent).inserted else { return nil }
      next = parent
    }
    return name
  }

  /// Other cards of a card, by their names in the file.
  ///
  /// - Parameter before: the names in its source text, which alone names cards that were never imported.
  private static func names(
    of ids: [String], known: [String: String], before: [String], format: TaskFormat
  ) -> [String] {
    let missing = before.map { (TaskReading.id(ofUID: $0, format: format), $0) }
    let own = Dictionary(missing, uniquingKeysWith: { first, _ in first })
    return ids.map { known[$0] ?? own[$0] ?? $0 }
  }
}

/// The blockers of the cards in one snapshot.
private struct WaitingCards {
  private let blockers: [String: [String]]

  init(_ cards: [(id: String, blockers: [String])]) {
    blockers = Dictionary(cards.map { ($0.id, $0.blockers) }, uniquingKeysWith: { first, _ in first })
  }

  func has(_ id: String) -> Bool { blockers[id] != nil }

  /// Whether a card would wait for itself if it waited for `blocker`.
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
  /// The name by which other tasks of its list refer to the task, if it has one.
  fileprivate func nameInFile(zone: Zone) -> String? {
    guard source.format == .markdown,
      source.text.contains("🆔") || source.text.contains("[id::") || source.text.contains("(id::")
    else { return nil }
    return source.task(zone: zone)?.nameInFile
  }
}

extension TaskSource {
  /// Whether a task was imported from a list of this format that somebody wrote by hand: not a line in the form of our
  /// exports without text around it.
  fileprivate func isOfList(in format: TaskFormat) -> Bool {
    if self.format != format { return false }
    let isAlone = (before + after + (head ?? "")).allSatisfy(\.isWhitespace)
    let isNested = text.first.map { $0.isWhitespace || $0 == ">" } ?? false
    return !isAlone || isNested || !text.contains("revision:")
  }
}
