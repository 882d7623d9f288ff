import Testing
import Wire

@testable import Link

@Suite("Progress that waits")
struct ProgressQueueTests {
  /// Takes in a step that is written as `a+`, `a1` to `a9` or `a-`: the beginning, a report, the end of token `a`.
  private func add(_ step: String, to queue: inout ProgressQueue, hasRoom: Bool = true) {
    let kind: ProgressStep = step.hasSuffix("+") ? .begin : step.hasSuffix("-") ? .end : .report
    queue.add(Array(step.utf8), step: kind, token: .string(String(step.prefix(1))), hasRoom: hasRoom)
  }

  private func all(of queue: inout ProgressQueue) -> [String] {
    var steps: [String] = []
    while let bytes = queue.popFirst() { steps.append(String(decoding: bytes, as: UTF8.self)) }
    #expect(queue.isEmpty)
    return steps
  }

  private func leaving(_ steps: String) -> [String] {
    var queue = ProgressQueue()
    for step in steps.split(separator: " ") { add(String(step), to: &queue) }
    return all(of: &queue)
  }

  @Test("of a token that nobody read in between its beginning, its latest report and its end leave, in this order")
  func latest() {
    #expect(leaving("a+ a1 a2 a3 a-") == ["a+", "a3", "a-"])
    #expect(leaving("a+ a-") == ["a+", "a-"])
    #expect(leaving("a+ a1") == ["a+", "a1"])
    #expect(leaving("") == [])
  }

  @Test("what was read in between is told once, and each report after it again")
  func readBetween() {
    var queue = ProgressQueue()
    add("a+", to: &queue)
    #expect(all(of: &queue) == ["a+"])
    add("a1", to: &queue)
    add("a2", to: &queue)
    #expect(all(of: &queue) == ["a2"])
    add("a3", to: &queue)
    add("a-", to: &queue)
    #expect(all(of: &queue) == ["a3", "a-"])
  }

  @Test("reports and ends of what never began, or has ended, are dropped")
  func neverBegun() {
    #expect(leaving("a1 a-") == [])
    #expect(leaving("a+ b1 b- a-") == ["a+", "a-"])
    #expect(leaving("a+ a- a1 a-") == ["a+", "a-"])
  }

  @Test("tokens leave in the order in which they first had something to say, each with all that it has")
  func order() {
    #expect(leaving("a+ b+ b1 a1 b- a2") == ["a+", "a2", "b+", "b1", "b-"])
    var queue = ProgressQueue()
    add("a+", to: &queue)
    add("b+", to: &queue)
    #expect(all(of: &queue) == ["a+", "b+"])
    add("b1", to: &queue)
    add("a1", to: &queue)
    #expect(all(of: &queue) == ["b1", "a1"])
  }

  @Test("without room nothing begins and nothing is reported, and every end that is owed comes")
  func noRoom() {
    var queue = ProgressQueue()
    add("a+", to: &queue)
    add("b+", to: &queue, hasRoom: false)
    for step in ["a1", "b1", "a-", "b-"] { add(step, to: &queue, hasRoom: false) }
    #expect(all(of: &queue) == ["a+", "a-"])
    // There is room again: what did not begin stays unheard of, what begins now is told.
    add("b2", to: &queue)
    add("b+", to: &queue)
    #expect(all(of: &queue) == ["b+"])
  }

  @Test("a token that is used again while the end of its first use waits is told of twice, one after the other")
  func usedAgain() {
    #expect(leaving("a+ a1 a- a+ a2 a-") == ["a+", "a1", "a-", "a+", "a2", "a-"])
    #expect(leaving("a+ a- a+ b+ a3") == ["a+", "a-", "a+", "a3", "b+"])
  }

  @Test("however much is reported, three messages a token wait at most")
  func bounded() {
    let reports = (0..<1_000).map { "\(["a", "b"][$0 % 2])\($0 % 10)" }
    #expect(leaving((["a+", "b+"] + reports + ["a-", "b-"]).joined(separator: " ")).count == 6)
  }

  @Test("a queue that was emptied owes nobody an end")
  func emptied() {
    var queue = ProgressQueue()
    add("a+", to: &queue)
    add("a1", to: &queue)
    queue.removeAll()
    add("a2", to: &queue)
    add("a-", to: &queue)
    #expect(all(of: &queue) == [])
  }
}
