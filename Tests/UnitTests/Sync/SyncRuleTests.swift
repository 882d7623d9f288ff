import TestSupport
import Testing
import Wire

@testable import Sync

/// The rules by which rows become states, and states rows: each of them was needed in some schedule.
@Suite struct SyncRuleTests {
  private static let cards = SyncedCollection(
    ["title": .latest, "rank": .quiet, "done": .maximum, "body": .text, "tags": .set, "waits": .references("cards")],
    acyclic: ["waits"])
  private static let documents = SyncedCollection(["title": .latest, "hash": .latest], identity: "hash")
  private static let marks = SyncedCollection(["document": .reference("documents"), "note": .text], holder: "document")
  private static let schema = SyncSchema(version: 1, ["cards": cards, "documents": documents, "marks": marks])
  private static let card = ItemKey("cards", "a")

  /// A library on one device.
  private struct Device {
    var library: SimulatedLibrary
    var time: Int64

    init(_ number: UInt64, at time: Int64 = 1_000) {
      var random = SeededGenerator(seed: number)
      let identity = WriterIdentity(boot: "0", device: "d\(number)", epoch: "e")
      library = SimulatedLibrary(SyncRuleTests.schema, FileLedger(identity, using: &random))
      self.time = time
    }

    mutating func put(_ row: SyncedRow, at key: ItemKey = SyncRuleTests.card, byRule: Bool = false) {
      library.put(row, at: key, byRule: byRule)
      library.absorb(at: time)
      time += 1
    }

    mutating func remove(_ key: ItemKey = SyncRuleTests.card) {
      library.remove(key)
      library.absorb(at: time)
      time += 1
    }

    mutating func read(_ other: Device) {
      library.states.join(other.library.states.all.map { StatedItem($0.key, $0.value) })
      library.show()
    }

    var row: SyncedRow? { library.rows[SyncRuleTests.card] }
    var conflicts: [SyncConflict] { library.view.conflicts }
  }

  /// Both read each other, in both orders, and are equal then.
  private func meet(_ one: inout Device, _ other: inout Device) {
    let before = one
    one.read(other)
    other.read(before)
    #expect(one.library.states.bytes == other.library.states.bytes)
    #expect(one.library.view == other.library.view)
  }

  @Test("a value that was seen is replaced whatever the clocks say, and concurrent ones are both listed")
  func clocks() {
    var (one, other) = (Device(1, at: 1 << 45), Device(2))
    one.put(["title": "Tea"])
    meet(&one, &other)
    other.put(["title": "Coffee"])
    meet(&one, &other)
    #expect(one.row == ["title": "Coffee"])
    #expect(one.conflicts.isEmpty)

    one.put(["title": "Milk"])
    other.put(["title": "Water"])
    meet(&one, &other)
    #expect(one.row == ["title": "Milk"])
    #expect(one.conflicts.map(\.kind) == [.values])
    #expect(one.conflicts.first?.values == ["Water", "Milk"])

    other.put(["title": "Juice"])
    meet(&one, &other)
    #expect(one.row == ["title": "Juice"])
    #expect(one.conflicts.isEmpty)
  }

  @Test("lines that two devices added to one text are all there, and a word that both changed is listed")
  func texts() {
    var (one, other) = (Device(1), Device(2))
    one.put(["body": "a\nb\nc\n"])
    meet(&one, &other)
    one.put(["body": "0\na\nb\nc\n"])
    one.put(["body": "0\n1\na\nb\nc\n"])
    other.put(["body": "a\nb\nc\nd\n"])
    meet(&one, &other)
    #expect(one.row == ["body": "0\n1\na\nb\nc\nd\n"])
    #expect(one.conflicts.isEmpty)

    one.put(["body": "0\n1\nx\nb\nc\nd\n"])
    other.put(["body": "0\n1\ny\nb\nc\nd\n"])
    meet(&one, &other)
    #expect(one.row?["body"]?.stringValue?.split(separator: "\n").sorted() == ["0", "1", "b", "c", "d", "x", "y"])
    #expect(one.conflicts.map(\.kind) == [.text])
  }

  @Test("an added element of a set wins, each device's order is shown as it was written")
  func sets() {
    var (one, other) = (Device(1), Device(2))
    one.put(["tags": ["b", "a"]])
    meet(&one, &other)
    one.put(["tags": ["b", "c"]])
    other.put(["tags": ["b", "a", "d"]])
    meet(&one, &other)
    #expect(Set(one.row?["tags"]?.arrayValue?.compactMap(\.stringValue) ?? []) == ["b", "c", "d"])
    one.put(["tags": ["c", "b", "d"]])
    other.put(["tags": []])
    meet(&one, &other)
    // What was moved was added anew.
    #expect(one.row?["tags"] != nil)
    for order in [["d", "c", "b", "a"], ["a", "x", "d"], ["e\u{301}", "é", "d"]] {
      one.put(["tags": .array(order.map { .string($0) })])
      #expect(one.row?["tags"] == .array(order.map { .string($0) }))
    }
  }

  @Test("an edit that a removal did not know brings the whole item back, a position or a rank does not")
  func removals() {
    var (one, other) = (Device(1), Device(2))
    one.put(["title": "Tea", "body": "a\n"])
    meet(&one, &other)
    one.remove()
    other.put(["title": "Tea", "body": "a\n", "rank": 7])
    meet(&one, &other)
    #expect(one.row == nil)

    one.put(["title": "Tea"])
    meet(&one, &other)
    #expect(other.row?["title"] == "Tea")
    one.remove()
    other.put(["title": "Tea", "tags": ["x"]])
    meet(&one, &other)
    #expect(one.row?["tags"] == ["x"])
    #expect(one.row?["title"] == "Tea")
    #expect(one.conflicts.map(\.kind) == [.removedElsewhere])
    other.remove()
    meet(&one, &other)
    #expect(one.row == nil)
  }

  @Test("what was edited before a removal in the same run is what another device's edit brings back")
  func removalAbsorbs() {
    var (one, other) = (Device(1), Device(2))
    one.put(["title": "Tea"])
    meet(&one, &other)
    one.library.put(["title": "Green tea"], at: Self.card)
    one.library.remove(Self.card)
    one.library.absorb(at: 2_000)
    other.put(["title": "Tea", "tags": ["x"]])
    meet(&one, &other)
    #expect(one.row?["title"] == "Green tea")
  }

  @Test("one id made on two devices has the values of both: empty fields of the one replace nothing")
  func sameID() {
    var (one, other) = (Device(1), Device(2, at: 5_000))
    one.put(["title": "Tea", "tags": ["x"], "body": "a\n"])
    other.put(["title": .null, "tags": [], "body": "", "done": 3])
    meet(&one, &other)
    #expect(one.row == ["title": "Tea", "tags": ["x"], "body": "a\n", "done": 3])
    #expect(one.conflicts.isEmpty)
  }

  @Test("an occurrence finished on two devices makes one next card, and an edit of it wins over the rule's copy")
  func recurrence() {
    var (one, other) = (Device(1), Device(2, at: 1 << 40))
    let next: SyncedRow = ["title": "Water the plants", "body": "1\n2\n"]
    one.put(next, byRule: true)
    other.put(next, byRule: true)
    one.put(["title": "Water all plants", "body": "1\n3\n"])
    meet(&one, &other)
    #expect(one.row == ["title": "Water all plants", "body": "1\n3\n"])
    #expect(one.conflicts.isEmpty)
  }

  @Test("a count that two devices raised is the greater one")
  func maximum() {
    var (one, other) = (Device(1, at: 9_000), Device(2))
    one.put(["title": "Tea", "done": 1])
    meet(&one, &other)
    one.put(["title": "Tea", "done": 2])
    other.put(["title": "Tea", "done": 5])
    meet(&one, &other)
    #expect(one.row?["done"] == 5)
    #expect(one.conflicts.isEmpty)
  }

  @Test("one document added on two devices is one, with the marks of both, and is removed and edited as one")
  func sameDocument() {
    var (one, other) = (Device(1), Device(2))
    let (a, b) = (ItemKey("documents", "a"), ItemKey("documents", "b"))
    one.put(["hash": "h", "title": "Essays"], at: b)
    one.put(["document": "b", "note": "x\n"], at: ItemKey("marks", "m"))
    other.put(["hash": "h"], at: a)
    other.put(["document": "a", "note": "y\n"], at: ItemKey("marks", "n"))
    // Whoever sees both publishes it.
    for _ in 0..<2 {
      let before = one
      one.read(other)
      other.read(before)
    }
    meet(&one, &other)
    #expect(one.library.rows.keys.filter { $0.collection == "documents" } == [a])
    #expect(one.library.rows[a]?["title"] == "Essays")
    #expect(one.library.rows[ItemKey("marks", "m")]?["document"] == "a")

    one.put(["hash": "h", "title": "All essays"], at: a)
    meet(&one, &other)
    #expect(other.library.rows[a]?["title"] == "All essays")
    for key in [a, ItemKey("marks", "m"), ItemKey("marks", "n")] { other.remove(key) }
    meet(&one, &other)
    #expect(one.library.rows.isEmpty)
  }

  @Test("a mark that a removal of its document did not know brings the document back, and waits for one not yet here")
  func holders() {
    var (one, other) = (Device(1), Device(2))
    let (document, mark) = (ItemKey("documents", "a"), ItemKey("marks", "m"))
    one.put(["hash": "h", "title": "Essays"], at: document)
    meet(&one, &other)
    one.remove(document)
    other.put(["document": "a", "note": "x\n"], at: mark)
    meet(&one, &other)
    #expect(one.library.rows[document]?["title"] == "Essays")

    var third = Device(3)
    third.library.states.join([StatedItem(mark, one.library.states.all[mark] ?? ItemState())])
    third.library.show()
    #expect(third.library.rows.isEmpty)
    third.read(one)
    #expect(third.library.rows.count == 2)
  }

  @Test("two cards that came to wait for each other do not: the later reference is listed and not shown")
  func circles() {
    var (one, other) = (Device(1), Device(2, at: 5_000))
    let (a, b) = (ItemKey("cards", "a"), ItemKey("cards", "b"))
    one.put(["title": "A"], at: a)
    one.put(["title": "B"], at: b)
    meet(&one, &other)
    one.put(["title": "A", "waits": ["b"]], at: a)
    other.put(["title": "B", "waits": ["a"]], at: b)
    meet(&one, &other)
    #expect(one.library.rows[a]?["waits"] == ["b"])
    #expect(one.library.rows[b]?["waits"] == nil)
    #expect(one.conflicts.map(\.kind) == [.circle])
    #expect(one.conflicts.first?.values == ["a"])
  }

  @Test("a value of a newer version stays and is passed on while the value before it is shown")
  func newerValues() {
    var schema = Self.schema
    schema.collections["cards"]?.isKnown = { field, value in field != "title" || value.stringValue != "hologram" }
    var (one, other) = (Device(1), Device(2))
    one.put(["title": "hologram", "tags": ["x"]])
    let shown = LibraryView(one.library.states.all, schema: schema)
    #expect(shown.rows[Self.card] == ["tags": ["x"]])
    meet(&one, &other)
    #expect(other.row?["title"] == "hologram")
  }

  @Test("a text whose earlier ones were forgotten still merges with an edit that did not know of it")
  func forgottenBases() {
    var (one, other) = (Device(1), Device(2, at: 2_000))
    one.put(["title": "T", "body": "a\nb\nc\n"])
    other.read(one)
    other.put(["title": "T", "body": "a\nb\nd\n"])
    one.read(other)
    var state = one.library.states.all[Self.card] ?? ItemState()
    #expect(state.texts["body"]?.values.first?.bases.isEmpty == false)
    state.forget(until: nil, Self.cards, as: one.library.ledger.writer)
    #expect(state.isConsistent && state.texts["body"]?.values.first?.bases.isEmpty == true)
    // Nothing is replaced by it a second time.
    var again = state
    again.forget(until: nil, Self.cards, as: one.library.ledger.writer)
    #expect(again == state)
    one.library.states.write(state, of: Self.card)
    one.library.show()
    other.put(["title": "T", "body": "x\na\nb\nd\n"])
    meet(&one, &other)
    #expect(one.row?["body"]?.stringValue == "x\na\nb\nd\n" && one.conflicts.isEmpty)
  }

  @Test("a removed item that is forgotten has no values, and an edit that did not know of it brings back what it wrote")
  func forgottenRemoval() {
    var (one, other) = (Device(1), Device(2, at: 2_000))
    one.put(["title": "T", "body": "a\n", "tags": ["x"]])
    other.read(one)
    one.remove()
    var state = one.library.states.all[Self.card] ?? ItemState()
    state.forget(until: 1, Self.cards, as: one.library.ledger.writer)
    #expect(state.latest["title"] != nil)
    state.forget(until: nil, Self.cards, as: one.library.ledger.writer)
    #expect(state.isConsistent && state.latest.isEmpty && state.texts.isEmpty && state.sets.isEmpty)
    one.library.states.write(state, of: Self.card)
    other.put(["title": "U", "body": "a\n", "tags": ["x"]])
    meet(&one, &other)
    #expect(one.row?["title"] == "U" && one.row?["body"] == nil)
  }
}
