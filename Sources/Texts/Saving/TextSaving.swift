import Contract
import Kit
import Store
import Wire

/// A save in progress.
struct TextSaving {
  private(set) var outcome: TextSaveOutcome
  private let path: TextPath
  private let base: TextBase
  private let editing: any TextEditing
  private let transaction: Transaction
  private var parsed = ParsedText()
  /// By parsed item: its id, the lane in which it is saved, and the version with which the next save is compared.
  private var ids: [String?] = []
  private var targets: [String] = []
  private var contents: [String] = []
  /// The parsed items that were moved by their box: to the end of the lane.
  private var movedByBox: Set<Int> = []
  /// The items of the version that the client edited.
  private let knownIDs: Set<String>

  init(
    _ path: TextPath, _ text: String, _ base: TextBase, _ editing: any TextEditing, _ transaction: Transaction
  ) {
    (self.path, self.base, self.editing, self.transaction) = (path, base, editing, transaction)
    knownIDs = Set(base.items.map(\.id))
    outcome = TextSaveOutcome(path: path, text: text)
  }

  private var snapshot: Snapshot { transaction.snapshot }

  mutating func run(_ granted: GrantedRemoval) throws {
    parsed = try editing.parse(outcome.text, of: path, since: base.items, in: snapshot)
    let binding = try TextBinding(parsed.items, to: base.items, isSingle: !editing.removesMissing) { anchor in
      try transaction.services.anchors.item(with: anchor, in: editing.collection, for: snapshot)
    }
    outcome.problems = parsed.problems + binding.problems
    ids = Array(repeating: nil, count: parsed.items.count)
    targets = parsed.items.map(\.lane)
    contents = parsed.items.map(\.content)
    for (place, match) in binding.matches.enumerated() {
      switch match {
      case .base(let index): try save(place, since: base.items[index])
      case .library(let id): try receive(place, id)
      case .new: try add(place)
      case .copy: continue
      }
    }
    if editing.isOrdered { try arrange(binding.matches) }
    if editing.removesMissing { try removeMissing(binding.missing.map { base.items[$0] }, granted) }
    try noteItems(binding.matches)
    for (index, item) in outcome.replaced.enumerated() {
      // A value that is written after this save is newer than those that it has replaced, and stays.
      outcome.replaced[index].former["ifRevision"] = try revision(of: item.key.id).map { .integer($0) }
    }
    if !outcome.isChange { transaction.keepSilent() }
  }

  // MARK: - Items

  private mutating func save(_ place: Int, since item: TextItem) throws {
    let written = parsed.items[place]
    (ids[place], contents[place]) = (item.id, item.content)
    targets[place] = item.lane
    if sameBytes(written.content, item.content), sameBytes(written.lane, item.lane) { return }
    let former = try editing.target(of: item.content, in: item.lane, formerly: item.lane, on: path, in: snapshot)
    let target = try editing.target(of: written.content, in: written.lane, formerly: item.lane, on: path, in: snapshot)
    if !sameBytes(written.lane, item.lane) {
      targets[place] = target
    } else if !sameBytes(target, former) {
      targets[place] = target
      movedByBox.insert(place)
    }
    let isEntering =
      try !editing.isOrdered && !sameBytes(written.lane, item.lane)
      && editing.content(of: item.id, on: path, in: snapshot) != nil
    if isEntering { try enter(place, item.id) }
    guard !sameBytes(written.content, item.content) else { return }
    // Removed elsewhere, and edited here: it comes back, so that nothing written is lost.
    if try editing.content(of: item.id, on: path, in: snapshot) == nil {
      guard try transaction.bringBack(collection: editing.collection, id: item.id) else { return try add(place) }
      outcome.changed += 1
    }
    // Of what others have changed, since the client's version.
    let isTouched = try revision(of: item.id) != item.revision
    let last = isTouched ? try snapshot.lastClient(of: item.key) : nil
    try change(place, item.id, from: item.content)
    guard isTouched, let former = replaced else { return }
    outcome.replaced.append(
      TextSaveOutcome.Replaced(
        key: item.key, line: written.lines.lowerBound,
        message: last.map { Text("text.replacedOf", ["client": $0]) } ?? Text("text.replaced"), former: former))
  }

  /// An item from elsewhere, or a removed one, whose line was pasted here.
  private mutating func receive(_ place: Int, _ id: String) throws {
    if try editing.content(of: id, on: path, in: snapshot) == nil {
      guard try transaction.bringBack(collection: editing.collection, id: id) else {
        // Its anchor was written before the item was.
        parsed.items[place].id = id
        return try add(place)
      }
      outcome.added += 1
    }
    ids[place] = id
    let content = try editing.content(of: id, on: path, in: snapshot)
    let lane = try editing.lane(of: id, on: path, in: snapshot)
    if !editing.isOrdered, lane.map({ !sameBytes($0, targets[place]) }) ?? true { try enter(place, id) }
    if let content, !sameBytes(content, parsed.items[place].content) { try change(place, id, from: content) }
  }

  /// Moves an item to the lane of its line, in a text whose order is not saved. The values that were written into the
  /// line are saved after it.
  private mutating func enter(_ place: Int, _ id: String) throws {
    let lane = parsed.items[place].lane
    let isMoved = try attempt(place) {
      try $0.editing.move(id, to: lane, after: nil, before: nil, on: $0.path, in: $0.transaction)
    }
    if isMoved == true { outcome.moved += 1 }
  }

  private mutating func add(_ place: Int) throws {
    var item = parsed.items[place]
    // Where the order is not saved, the lane of a line says what the new item is.
    if editing.isOrdered {
      targets[place] = try editing.target(of: item.content, in: item.lane, formerly: item.lane, on: path, in: snapshot)
      if !sameBytes(targets[place], item.lane) { movedByBox.insert(place) }
      item.lane = targets[place]
    }
    ids[place] = try attempt(place) { try $0.editing.add(item, to: $0.path, in: $0.transaction) }
    if ids[place] != nil { outcome.added += 1 }
    contents[place] = item.content
  }

  private mutating func change(_ place: Int, _ id: String, from content: String) throws {
    let item = parsed.items[place]
    replaced = nil
    guard let change = try attempt(place, { try $0.editing.change(id, from: content, to: item, in: $0.transaction) })
    else {
      contents[place] = content
      return
    }
    switch change {
    case .unchanged: contents[place] = item.content
    case .changed, .replaced:
      contents[place] = item.content
      outcome.changed += 1
      if case .replaced(let former) = change { replaced = former }
    case .conflict:
      contents[place] = content
      let key = ItemKey(collection: editing.collection, id: id)
      outcome.problems.append(
        TextProblem(.conflict, lines: item.lines, message: try snapshot.conflictMessage(of: key), item: key))
    }
  }

  /// The values of others that the last change has replaced.
  private var replaced: JSONObject?

  /// Runs a part of the save. If the library refuses it, only this item is not saved.
  ///
  /// - Returns: nil if it was refused.
  @discardableResult
  private mutating func attempt<Value>(_ place: Int, _ body: (Context) throws -> Value) throws -> Value? {
    let context = Context(editing: editing, path: path, transaction: transaction)
    do {
      return try transaction.attempt { try body(context) }
    } catch let error as RPCError where Self.isOfItem(error) {
      let isDay = ["deadline", "start"].contains(error.data["field"]?.stringValue)
      var problem = TextProblem(
        isDay ? .day : error.kind == .readOnly ? .readOnly : .unsaved, lines: parsed.items[place].lines,
        message: error.text, item: ids[place].map { ItemKey(collection: editing.collection, id: $0) })
      if let id = ids[place] { problem.isGone = try editing.content(of: id, on: path, in: snapshot) == nil }
      outcome.problems.append(problem)
      unsaved.insert(place)
      return nil
    }
  }
  private var unsaved: Set<Int> = []

  /// What a part of the save uses.
  private struct Context {
    var editing: any TextEditing
    var path: TextPath
    var transaction: Transaction
  }

  private static func isOfItem(_ error: RPCError) -> Bool {
    if error.code == RPCError.Code.invalidParams { return true }
    return switch error.kind {
    case .conflict, .exists, .notAllowed, .notFound, .readOnly, .tooLarge: true
    default: false
    }
  }

  // MARK: - Places

  /// Moves the items whose lines were moved: the longest common run of a lane's lines stays.
  private mutating func arrange(_ matches: [TextBinding.Match]) throws {
    var lanes: [String] = []
    for target in targets where !lanes.contains(where: { sameBytes($0, target) }) { lanes.append(target) }
    for lane in lanes {
      let places = parsed.items.indices.filter { ids[$0] != nil && sameBytes(targets[$0], lane) }
      let sequence = places.filter { !movedByBox.contains($0) }
      // The places of those that were in this lane before.
      let former = sequence.map { place -> Int? in
        guard case .base(let index) = matches[place], sameBytes(base.items[index].lane, lane) else { return nil }
        return index
      }
      let staying = Increasing.places(former)
      // The next one that stays, of each.
      var following = [Int?](repeating: nil, count: sequence.count)
      var next: Int?
      for rank in sequence.indices.reversed() {
        following[rank] = next
        if staying.contains(rank) { next = rank }
      }
      for (rank, place) in sequence.enumerated() where !staying.contains(rank) {
        let predecessor = try neighbour(in: lane, sequence[..<rank].reversed())
        let later = Swift.sequence(state: following[rank]) { rank -> Int? in
          defer { rank = rank.flatMap { following[$0] } }
          return rank.map { sequence[$0] }
        }
        try move(place, to: lane, after: predecessor, before: neighbour(in: lane, later))
      }
      for place in places where movedByBox.contains(place) { try move(place, to: lane, after: nil, before: nil) }
    }
  }

  /// The first item that is in the lane: one that somebody else has moved away is no neighbour.
  private func neighbour(in lane: String, _ places: some Sequence<Int>) throws -> String? {
    for place in places {
      guard let id = ids[place], let its = try editing.lane(of: id, on: path, in: snapshot), sameBytes(its, lane)
      else { continue }
      return id
    }
    return nil
  }

  private mutating func move(_ place: Int, to lane: String, after predecessor: String?, before successor: String?)
    throws
  {
    guard let id = ids[place] else { return }
    let isMoved = try attempt(place) {
      try $0.editing.move(id, to: lane, after: predecessor, before: successor, on: $0.path, in: $0.transaction)
    }
    if isMoved == true, knownIDs.contains(id) { outcome.moved += 1 }
  }

  // MARK: - Missing items

  private mutating func removeMissing(_ missing: [TextItem], _ granted: GrantedRemoval) throws {
    if missing.isEmpty { return }
    let isPlain = !outcome.problems.contains { $0.kind == .unsaved && $0.item == nil }
    let isMuch = missing.count > 3 && missing.count * 5 > base.items.count
    for item in missing {
      // An item that was moved to another text is none that was removed.
      let lane = try editing.lane(of: item.id, on: path, in: snapshot)
      let former = try editing.target(of: item.content, in: item.lane, formerly: item.lane, on: path, in: snapshot)
      guard let lane, sameBytes(lane, former) || sameBytes(lane, item.lane) else { continue }
      let isUnchanged =
        try revision(of: item.id) == item.revision
        || editing.content(of: item.id, on: path, in: snapshot).map { sameBytes($0, item.content) } ?? false
      // A line that was damaged, or joined with another one, still has its anchor somewhere.
      let isDamaged = item.anchor.map(hasAnchor) ?? false
      let isArrived = base.arrived?.contains(item.id) ?? false
      // The text may have been written while somebody had removed the item.
      let wasRemoved = try LoggedRemoval.exists(of: item.key, since: base.clock, in: snapshot)
      let isAllowed =
        switch granted {
        case .all: true
        case .anchors(let anchors): item.anchor.map(anchors.contains) ?? false
        case .usual:
          isPlain && !isMuch && !parsed.items.isEmpty && isUnchanged && !isDamaged && !isArrived && !wasRemoved
        }
      let title = try editing.title(of: item.id, in: snapshot)
      guard isAllowed else {
        try hold(item, title)
        continue
      }
      try editing.remove(item.id, in: transaction)
      outcome.removed.append(
        TextSaveOutcome.Removed(key: item.key, anchor: item.anchor, title: title, line: line(before: item)))
    }
  }

  /// Whether the text has an anchor, but for `after:^k3f2`, by which another card only waits for the item.
  private func hasAnchor(_ anchor: String) -> Bool {
    let mark = "^" + anchor
    return outcome.text.contains(mark) && outcome.text.replacing("after:" + mark, with: "").contains(mark)
  }

  private func revision(of id: String) throws -> Int64? {
    guard let table = transaction.services.library.collection(editing.collection)?.table else { return nil }
    return try transaction.db.first("SELECT revision FROM \(table) WHERE id = ?", [.text(id)]) { $0.integer(0) }
  }

  private mutating func hold(_ item: TextItem, _ title: String) throws {
    let anchor =
      try item.anchor
      ?? transaction.services.anchors.anchors(of: [item.id], in: editing.collection, for: snapshot)[0]
    outcome.held.append(
      TextSaveOutcome.Held(key: item.key, anchor: anchor, title: title, line: line(before: item)))
  }

  /// The last line of the nearest item before a missing one that the text still has.
  private func line(before item: TextItem) -> Int {
    let index = base.items.firstIndex { $0.id == item.id } ?? 0
    let place = base.items[..<index].reversed().lazy.compactMap { known in ids.firstIndex(of: known.id) }.first
    return place.map { parsed.items[$0].lines.upperBound - 1 } ?? 0
  }

  // MARK: - The next base

  private mutating func noteItems(_ matches: [TextBinding.Match]) throws {
    for (place, item) in parsed.items.enumerated() {
      outcome.written.append((item.lines, ids[place], !unsaved.contains(place)))
      guard let id = ids[place] else { continue }
      var next = TextItem(
        collection: editing.collection, id: id, anchor: item.anchor, title: "", lines: item.lines, lane: item.lane,
        content: contents[place])
      if case .base(let index) = matches[place], sameBytes(base.items[index].content, item.content) {
        (next.title, next.revision) = (base.items[index].title, base.items[index].revision)
      } else {
        (next.title, next.revision) = (try editing.title(of: id, in: snapshot), try revision(of: id) ?? 0)
      }
      outcome.items.append(next)
    }
    // The next save compares a held part again.
    for held in outcome.held {
      guard var item = base.items.first(where: { $0.id == held.key.id }) else { continue }
      (item.firstLine, item.lineCount) = (held.line, 0)
      let place = outcome.items.firstIndex { $0.firstLine > held.line } ?? outcome.items.endIndex
      outcome.items.insert(item, at: place)
    }
  }
}

extension Snapshot {
  /// The client that has changed an item last, for a conflict with the version of a client.
  ///
  /// - Throws: `DatabaseError`.
  func conflictMessage(of key: ItemKey) throws -> Text {
    guard let client = try lastClient(of: key) else { return Text("text.conflict") }
    return Text("text.conflictWith", ["client": client])
  }

  /// The name of the client that has changed an item last; nil if it has none.
  ///
  /// - Throws: `DatabaseError`.
  func lastClient(of key: ItemKey) throws -> String? {
    let last = try ItemVersion.history(
      of: key.collection, id: key.id, before: nil, limit: 1, ofContent: true, in: self
    ).first
    return last.flatMap { $0.client.isEmpty ? nil : $0.client }
  }
}

/// The longest run of places that rise: what has not been moved.
enum Increasing {
  /// - Parameter values: nil for an element that is in no run.
  /// - Returns: the indexes of the elements of the run.
  static func places(_ values: [Int?]) -> Set<Int> {
    var tops: [Int] = []
    var before = [Int](repeating: -1, count: values.count)
    for (index, value) in values.enumerated() {
      guard let value else { continue }
      var (low, high) = (0, tops.count)
      while low < high {
        let middle = (low + high) / 2
        if values[tops[middle]]! < value { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[index] = tops[low - 1] }
      if low == tops.count { tops.append(index) } else { tops[low] = index }
    }
    var run: Set<Int> = []
    var index = tops.last ?? -1
    while index >= 0 {
      run.insert(index)
      index = before[index]
    }
    return run
  }
}
