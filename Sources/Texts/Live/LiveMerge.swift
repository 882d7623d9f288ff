import Kit
import Store
import Wire

/// A text of the library as a client should have it: without the items that the client's text does not have and that
/// nobody has decided about yet.
struct LibraryVersion {
  private(set) var text: String
  /// In the order of the text, with their lines in it.
  private(set) var items: [TextItem]

  init(_ rendered: RenderedText, without hidden: Set<String>) {
    (text, items) = (rendered.text, rendered.items)
    guard items.contains(where: { hidden.contains($0.id) }) else { return }
    let lines = TextLines.split(text)
    var shown: [Substring] = []
    var place = 0
    items = []
    for item in rendered.items {
      shown += lines[place..<item.lines.lowerBound]
      place = item.lines.upperBound
      if hidden.contains(item.id) { continue }
      var moved = item
      moved.firstLine = shown.count
      items.append(moved)
      shown += lines[item.lines]
    }
    text = (shown + lines[place...]).joined(separator: "\n")
  }
}

/// What others have changed in the library, and the lines of a client: those that it edits, or those of a draft.
struct LiveMerge {
  /// The client's text with the changes.
  private(set) var text: String
  /// The version with which the next save is compared once the client has `text`.
  private(set) var next: TextBase
  /// The items whose lines both sides have changed, and the lines in `text`. They stay as the client wrote them.
  private(set) var conflicts: [(item: ItemKey, line: Int)] = []

  /// - Parameters:
  ///   - base: the version that the client edits.
  ///   - text: the client's text.
  init(_ base: TextBase, _ text: String, _ rendered: RenderedText, clock: Int64) {
    let arrived = Set(base.arrived ?? [])
    // An item without lines is held: the reader has not decided yet.
    let held = base.items.filter { $0.lineCount == 0 && !arrived.contains($0.id) }
    let library = LibraryVersion(rendered, without: Set(held.map(\.id)))
    let merge = LineMerge(base: base.shown ?? base.text, theirs: library.text, ours: text)
    self.text = merge.text
    next = base
    next.clock = clock
    (next.text, next.shown, next.fileHash, next.isWhole) = (library.text, nil, nil, true)
    let known = base.itemsByID
    let ours = Self.anchors(in: TextLines.split(text))
    dropCopies(library, notOf: ours)
    let lost = Set(bringBack(library) { known[$0.id] == nil || $0.anchor.map { ours[$0] != nil } ?? false })
    dispute(library.items, of: library.text, since: known, merge)
    next.items += held
    keepMoved(of: base, library)
    next.arrived = library.items.map(\.id).filter { arrived.contains($0) || known[$0] == nil || lost.contains($0) }
  }

  /// Others have moved an item with a conflict to another text: its lines stay, and so does the conflict.
  private mutating func keepMoved(of base: TextBase, _ library: LibraryVersion) {
    guard let disputed = base.disputed else { return }
    let shown = Set(library.items.map(\.id))
    let moved = base.items.filter { $0.lineCount > 0 && disputed.contains($0.id) && !shown.contains($0.id) }
    if moved.isEmpty { return }
    next.items += moved
    next.disputed = (next.disputed ?? []) + moved.map(\.id)
  }

  /// The numbers of the lines with anchors, by anchor.
  private static func anchors(in lines: [Substring]) -> [String: [Int]] {
    var anchors: [String: [Int]] = [:]
    for (number, line) in lines.enumerated() {
      if let anchor = TextAnchor.split(line).anchor { anchors[anchor, default: []].append(number) }
    }
    return anchors
  }

  /// Leaves one line of each item: one that others have moved away from lines which the client has changed is in both
  /// places.
  ///
  /// - Parameter ours: the anchors of the client's text, which may have copies of its own.
  private mutating func dropCopies(_ library: LibraryVersion, notOf ours: [String: [Int]]) {
    let lines = TextLines.split(text)
    let places = Self.anchors(in: lines)
    if places.allSatisfy({ $0.value.count == 1 }) { return }
    let source = TextLines.split(library.text)
    var copies: Set<Int> = []
    for item in library.items where item.lineCount == 1 {
      guard let anchor = item.anchor, let all = places[anchor], all.count > 1, ours[anchor]?.count ?? 0 < 2 else {
        continue
      }
      let kept = all.first { lines[$0].utf8.elementsEqual(source[item.firstLine].utf8) }
      copies.formUnion(all.filter { $0 != kept ?? all[0] })
    }
    text = lines.enumerated().filter { !copies.contains($0.offset) }.map(\.element).joined(separator: "\n")
  }

  /// Brings the items back that the library has and that the client has not taken away: one that others have moved
  /// between lines which the client has changed is neither where it was nor where it is now.
  ///
  /// - Returns: those that have no line. They were not removed from the text either.
  private mutating func bringBack(_ library: LibraryVersion, if isWanted: (TextItem) -> Bool) -> [String] {
    var lines = TextLines.split(text)
    var places = Self.anchors(in: lines).compactMapValues(\.last)
    let source = TextLines.split(library.text)
    let theirs = Self.anchors(in: source)
    let missing = library.items.filter { item in
      item.anchor.map { places[$0] == nil && theirs[$0] != nil } ?? false && isWanted(item)
    }
    if missing.isEmpty { return [] }
    for item in missing where item.lineCount == 1 {
      let place = place(below: source[..<item.firstLine], in: lines, places)
      lines.insert(source[item.firstLine], at: place)
      places = places.mapValues { $0 >= place ? $0 + 1 : $0 }
      if let anchor = item.anchor { places[anchor] = place }
    }
    text = lines.joined(separator: "\n")
    return missing.filter { $0.lineCount != 1 }.map(\.id)
  }

  /// The place in a text below the nearest of some lines that is in it: that of an item, or a heading.
  private func place(below above: ArraySlice<Substring>, in lines: [Substring], _ places: [String: Int]) -> Int {
    for line in above.reversed() {
      if let anchor = TextAnchor.split(line).anchor {
        if let place = places[anchor] { return place + 1 }
      } else if !line.allSatisfy(\.isWhitespace),
        let heading = lines.firstIndex(where: { $0.utf8.elementsEqual(line.utf8) })
      {
        return heading + 1
      }
    }
    return 0
  }

  /// Brings a draft of an earlier session into the version that a client has opened.
  ///
  /// - Parameter base: the version from which the draft was written.
  init(draft: String, of base: TextBase, into opened: TextBase) {
    let merge = LineMerge(base: base.shown ?? base.text, theirs: opened.text, ours: draft)
    text = merge.text
    next = opened
    let known = base.itemsByID
    dispute(opened.items, of: opened.text, since: known, merge)
    // A new item in the place of changed lines is not in the text, and was not removed from it.
    next.arrived = (opened.arrived ?? []) + conflicts.map(\.item.id).filter { known[$0] == nil }
  }

  /// Sets the items of the next version: each that both sides have changed is the one from which the client's lines were
  /// written.
  ///
  /// - Parameter theirs: the text of the items.
  private mutating func dispute(
    _ items: [TextItem], of theirs: String, since known: [String: TextItem], _ merge: LineMerge
  ) {
    let (lines, source) = (TextLines.split(text), TextLines.split(theirs))
    var disputed = Set(next.disputed ?? [])
    next.items = items.map { item in
      if let overlap = merge.overlaps.first(where: { $0.theirs.overlaps(item.lines) }) {
        let line = item.anchor.flatMap { anchor in lines.firstIndex { $0.hasSuffix(" ^" + anchor) } }
        // A line that was only moved between changed ones is as others have it.
        let isTheirs =
          item.lineCount == 1 && line.map { sameBytes(String(lines[$0]), String(source[item.firstLine])) } ?? false
        if !isTheirs {
          conflicts.append((item.key, line ?? min(overlap.line, lines.count - 1)))
          disputed.insert(item.id)
        }
      }
      guard disputed.contains(item.id), let mine = known[item.id] else { return item }
      var item = item
      (item.content, item.revision, item.lane) = (mine.content, mine.revision, mine.lane)
      return item
    }
    let pending = next.items.map(\.id).filter(disputed.contains)
    next.disputed = pending.isEmpty ? nil : pending
  }
}

extension TextBase {
  fileprivate var itemsByID: [String: TextItem] { Dictionary(items.map { ($0.id, $0) }) { first, _ in first } }
}

/// Three-way merge by whole lines, in which the lines that both sides have changed stay as ours are.
struct LineMerge {
  private(set) var text = ""
  /// The lines of theirs that are not in `text`, and the line in `text` where ours are.
  private(set) var overlaps: [(theirs: Range<Int>, line: Int)] = []
  private var lines: [Substring] = []
  /// The lines of ours with anchors that the base has not so or not there, by anchor. Theirs with such an anchor are there
  /// already: a client that has applied an edit and whose user has typed on gets them once, and a line that both have
  /// moved or changed stays where and as it is in ours. Other lines are, where ours has them in the same place: a line
  /// like "---" may be added in two.
  private var present: [String: Substring] = [:]
  /// The latest changes of ours that adjoin each other.
  private var adjoining: [Change] = []

  /// Lines of the base that a side has replaced.
  private struct Change {
    var base: Range<Int>
    var side: Range<Int>
  }

  /// A text without a line end at its end counts as if it had one: the result ends as ours.
  init(base: String, theirs: String, ours: String) {
    let isEnded = ours.isEmpty || ours.utf8.last == UInt8(ascii: "\n")
    let sides = [base, theirs, ours].map { text in
      let lines = WrittenEdit.withEnds(TextLines.split(text))
      return lines.last.map { $0.utf8.last == UInt8(ascii: "\n") } ?? true
        ? lines : lines.dropLast() + [lines[lines.count - 1] + "\n"]
    }
    merge(sides[0], sides[1], sides[2])
    text = lines.joined()
    if !isEnded, text.utf8.last == UInt8(ascii: "\n") { text.unicodeScalars.removeLast() }
  }

  private mutating func merge(_ base: [Substring], _ theirs: [Substring], _ ours: [Substring]) {
    var (left, right) = (Self.changes(base, theirs)[...], Self.changes(base, ours)[...])
    for line in right.flatMap({ ours[$0.side] }) {
      if let anchor = Self.anchor(of: line) { present[anchor] = line }
    }
    var place = 0
    while let start = [left.first, right.first].compactMap({ $0?.base.lowerBound }).min() {
      lines += base[place..<start]
      place = start
      func isAddition(_ change: Change?) -> Bool { change.map { $0.base == start..<start } ?? false }
      if isAddition(left.first) || isAddition(right.first) {
        // Lines that were only added come before a changed one that follows them, theirs before ours.
        if isAddition(left.first) {
          let near = ourChanges(at: start, before: right).flatMap { ours[$0.side] }
          lines += missing(theirs[left.removeFirst().side], near)
        }
        if isAddition(right.first) { lines += ours[take(&right).side] }
        continue
      }
      // The changes that are connected: each overlaps one of the other side.
      var end = start + 1
      var (lefts, rights): ([Change], [Change]) = ([], [])
      while true {
        if let change = left.first, change.base.lowerBound < end {
          lefts.append(left.removeFirst())
          end = max(end, change.base.upperBound)
        } else if let change = right.first, change.base.lowerBound < end {
          rights.append(take(&right))
          end = max(end, change.base.upperBound)
        } else {
          break
        }
      }
      place = end
      settle(start..<end, (lefts, theirs), (rights, ours), base)
    }
    lines += base[place...]
  }

  private mutating func take(_ right: inout ArraySlice<Change>) -> Change {
    let change = right.removeFirst()
    if adjoining.last?.base.upperBound != change.base.lowerBound { adjoining = [] }
    adjoining.append(change)
    return change
  }

  /// The changes of ours that lead up to a line of the base or begin there, each next to another.
  private func ourChanges(at start: Int, before right: ArraySlice<Change>) -> [Change] {
    var near = adjoining.last?.base.upperBound == start ? adjoining : []
    var end = start
    for change in right {
      guard change.base.lowerBound == end else { break }
      near.append(change)
      end = change.base.upperBound
    }
    return near
  }

  private mutating func missing(_ theirs: ArraySlice<Substring>, _ near: [Substring]) -> [Substring] {
    let near = Set(near.map { Array($0.utf8) })
    var missing: [Substring] = []
    for (place, line) in zip(theirs.indices, theirs) {
      if let mine = Self.anchor(of: line).flatMap({ present[$0] }) {
        if !mine.utf8.elementsEqual(line.utf8) { overlaps.append((place..<place + 1, lines.count)) }
      } else if Self.anchor(of: line) != nil || line.allSatisfy(\.isWhitespace) || !near.contains(Array(line.utf8)) {
        missing.append(line)
      }
    }
    return missing
  }

  private static func anchor(of line: Substring) -> String? {
    TextAnchor.split(line.utf8.last == UInt8(ascii: "\n") ? Substring(line.utf8.dropLast()) : line).anchor
  }

  private mutating func settle(
    _ range: Range<Int>, _ theirs: (changes: [Change], lines: [Substring]),
    _ ours: (changes: [Change], lines: [Substring]), _ base: [Substring]
  ) {
    func applied(_ side: (changes: [Change], lines: [Substring])) -> [Substring] {
      var result: [Substring] = []
      var place = range.lowerBound
      for change in side.changes {
        result += base[place..<change.base.lowerBound] + side.lines[change.side]
        place = change.base.upperBound
      }
      return result + base[place..<range.upperBound]
    }
    if ours.changes.isEmpty {
      lines += applied(theirs)
      return
    }
    let mine = applied(ours)
    let isSame = theirs.changes.isEmpty || applied(theirs).elementsEqual(mine) { $0.utf8.elementsEqual($1.utf8) }
    if !isSame {
      for change in theirs.changes { overlaps.append((change.side, lines.count)) }
    }
    lines += mine
  }

  /// Lines that were replaced by as many are changed one by one.
  private static func changes(_ base: [Substring], _ side: [Substring]) -> [Change] {
    var changes: [Change] = []
    var (before, after) = (0, 0)
    for pair in SamePieces(base[...], side[...]).pairs + [(base.count, side.count)] {
      if pair.old - before == pair.new - after {
        for offset in 0..<pair.old - before {
          changes.append(
            Change(base: before + offset..<before + offset + 1, side: after + offset..<after + offset + 1))
        }
      } else {
        changes.append(Change(base: before..<pair.old, side: after..<pair.new))
      }
      (before, after) = (pair.old + 1, pair.new + 1)
    }
    return changes
  }
}
