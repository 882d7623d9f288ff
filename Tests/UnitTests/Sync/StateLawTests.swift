import Foundation
import TestSupport
import Testing
import Wire

@testable import Sync

@Suite struct StateLawTests {
  /// `SYNC_STATES=100000` for a long run.
  private static let count = ProcessInfo.processInfo.environment["SYNC_STATES"].flatMap { Int($0) } ?? 200

  private func forEach(_ body: (inout GeneratedStates) throws -> Void) rethrows {
    var random = SeededGenerator()
    for _ in 0..<Self.count {
      var states = GeneratedStates(SeededGenerator(seed: random.next()))
      try body(&states)
    }
  }

  @Test("the join of states is commutative, associative and idempotent, and consistent")
  func join() {
    forEach { states in
      let (a, b, c) = (states.state(), states.state(), states.state())
      #expect(a.isConsistent)
      #expect(a.joined(with: b) == b.joined(with: a))
      #expect(a.joined(with: b).joined(with: c) == a.joined(with: b.joined(with: c)))
      #expect(a.joined(with: a) == a)
      #expect(a.joined(with: b).joined(with: b) == a.joined(with: b))
      #expect(a.joined(with: ItemState()) == a)
      #expect(a.joined(with: b).isConsistent)
    }
  }

  @Test("writes that were given to another writer are new to whoever knows their numbers, and earlier ones are not")
  func moved() {
    let (old, new) = (WriterID(1), WriterID(77))
    forEach { states in
      let before = states.state()
      var state = before
      state.move(writesOf: old, after: 3, to: new)
      #expect(state.isConsistent)
      #expect(state.dots.count == before.dots.count)
      #expect(state.dots.allSatisfy { $0.writer != old || $0.number <= 3 })
      #expect(state.context.highest[old] ?? 0 <= 3)
      var other = ItemState()
      other.context = before.context
      let kept = state.joined(with: other).dots
      #expect(Set(kept) == Set(state.dots.filter { $0.writer == new }))
      #expect(before.joined(with: other).dots.isEmpty)
    }
  }

  @Test("one dot with two values, which only a reused number makes, joins to one of them in either order")
  func oneDot() {
    let dot = Dot(WriterID(1), 1)
    func state(_ value: JSONValue) -> ItemState {
      var state = ItemState()
      state.context.insert(dot)
      state.latest["title"] = [dot: Register(at: 1, value: value)]
      return state
    }
    #expect(state("a").joined(with: state("b")) == state("b"))
    #expect(state("b").joined(with: state("a")) == state("b"))
  }

  @Test("states in any order, some of them twice, have the same bytes and the same view")
  func orders() {
    let schema = SyncSchema(version: 1, ["cards": GeneratedStates.collection])
    var random = SeededGenerator(seed: 3)
    forEach { states in
      var all = (0..<5).map { _ in states.state() }
      let one = all.reduce(ItemState()) { $0.joined(with: $1) }
      all.append(all[Int.random(in: 0..<5, using: &random)])
      all.shuffle(using: &random)
      let other = all.reduce(ItemState()) { $0.joined(with: $1) }
      let key = GeneratedStates.key
      #expect(StateLine.canonical(key, one) == StateLine.canonical(key, other))
      #expect(LibraryView([key: one], schema: schema) == LibraryView([key: other], schema: schema))
    }
  }

  @Test("a state that was written to a line and read is the same state, also fields that this version does not know")
  func lines() throws {
    try forEach { states in
      let state = states.state()
      let header = LogHeader(schema: 1, device: "d", name: "phone", at: 5)
      let file = LogFile(header, [StatedItem(GeneratedStates.key, state)])
      let read = try LogFile(file.bytes)
      #expect(read == file)
      #expect(read.bytes == file.bytes)
    }
  }

  @Test("after an absorbed row the view shows that row, and other states of before change nothing of it")
  func absorption() {
    let schema = SyncSchema(version: 1, ["cards": GeneratedStates.collection])
    let key = GeneratedStates.key
    var random = SeededGenerator(seed: 4)
    forEach { states in
      let older = states.state()
      var state = older.joined(with: states.state())
      state.same = []
      let row: SyncedRow = [
        "title": .string("t\(Int.random(in: 0...9, using: &random))"), "body": "a\nx\n", "done": 7,
        "tags": .array(["d", "x", "b", "c"].shuffled(using: &random).map { .string($0) }),
      ]
      var items = [key.id: state]
      let shown = LibraryView([key: state], schema: schema).rows[key]
      let stamp = WriteStamp(Dot(WriterID(9), 7), at: Int64.random(in: 1...9, using: &random))
      Absorption(GeneratedStates.collection, stamp).update(&items, of: key, from: shown, to: row)
      let absorbed = items[key.id] ?? ItemState()
      #expect(absorbed.isConsistent)
      func shownRow(_ state: ItemState) -> SyncedRow? { LibraryView([key: state], schema: schema).rows[key] }
      #expect(shownRow(absorbed) == row)
      var late = absorbed.joined(with: older)
      late.same = []
      #expect(shownRow(late) == row)

      Absorption(GeneratedStates.collection, WriteStamp(Dot(WriterID(9), 8), at: 1)).remove(&items)
      #expect(shownRow(items[key.id] ?? ItemState()) == nil)
      #expect(items[key.id]?.isConsistent == true)
    }
  }
}
