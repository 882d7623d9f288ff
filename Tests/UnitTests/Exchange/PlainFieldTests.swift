import Contract
import Testing
import Wire

@testable import Projects

@Suite("Exchange: fields of one value") struct PlainFieldTests {
  @Test("each scale of priorities reads what it writes, as far as it has as many words as ours has numbers")
  func scales() {
    for number in 1...9 {
      #expect(PriorityScale.digits.word(number).flatMap(PriorityScale.digits.number) == number)
      #expect(PriorityScale.letters.word(number).flatMap(PriorityScale.letters.number) == number)
      let sign = PriorityScale.signs.word(number)
      #expect(sign == nil || sign.flatMap(PriorityScale.signs.number) == number)
      let level = PriorityScale.levels.word(number)
      #expect(level.flatMap(PriorityScale.levels.number).flatMap(PriorityScale.levels.word) == level)
    }
    #expect(PriorityScale.letters.number("Z") == 9 && PriorityScale.levels.number("X") == nil)
    #expect(PriorityScale.digits.number("10") == nil && PriorityScale.digits.isNone("0"))
    #expect(PriorityScale.sign(named: "High") == "⏫" && PriorityScale.sign(named: "urgent") == nil)
  }

  @Test("a field is read and written by its declaration, and a value beyond its limits is refused")
  func declared() throws {
    let priority = try #require(PlainField.all.first { $0.name == "priority" })
    var card = ProjectRecord()
    #expect(priority.value(in: card) == nil && priority.word(in: card) == nil)
    #expect(priority.assign(word: "3", to: &card) && card.priority == 3)
    #expect(priority.value(in: card) == 3 && priority.word(in: card) == "3")
    for word in ["10", "0", "high", "3.5", ""] { #expect(!priority.assign(word: word, to: &card), "\(word)") }
    #expect(card.priority == 3)
    priority.clear(in: &card)
    #expect(card.priority == nil)
  }

  @Test("our own exact value holds as long as the property of the program agrees with it")
  func exact() {
    var (task, old) = (ExternalTask(), ExternalTask())
    task.priority = 3
    func ours(_ properties: [(key: String, value: String?)]) -> String? {
      properties.first { $0.key == "priority" }?.value
    }
    let written = PlainField.properties(of: task, since: old, in: .taskwarrior) { _ in nil }
    #expect(written.program.map(\.value) == ["H"] && ours(written.ours) == "3")
    func read(_ level: String?) -> ExternalTask {
      var read = ExternalTask()
      PlainField.read(into: &read, of: .taskwarrior, program: { _ in level }, ours: { $0 == "priority" ? "3" : nil })
      return read
    }
    #expect(read("H").priority == 3 && read("L").priority == 9 && read(nil).priority == nil)
    #expect(read("X").priority == nil && read("X").unread == ["priority"])
    old.priority = 3
    task.priority = nil
    let cleared = PlainField.properties(of: task, since: old, in: .taskwarrior) { _ in "H" }
    #expect(cleared.program.map(\.name) == ["priority"] && cleared.program[0].value == nil)
    #expect(ours(cleared.ours) == nil)
  }
}
