import Foundation
import TestSupport
import Testing
import Wire

/// Three editors on one board. `COMMONPLACE_EDITOR_STEPS` is the number of steps of each, which also go on for
/// `COMMONPLACE_EDITOR_MINUTES`, and `COMMONPLACE_EDITOR_SEED` begins their random numbers: 40 steps take seconds.
/// `EMACS` names another program than Debian's.
@Suite("Editors on one board", .timeLimit(.minutes(60)))
struct SharedBoardTests {
  @Test("random edits, saves, undo and killed daemons leave all editors equal, and every card there")
  func random() async throws {
    let variables = ProcessInfo.processInfo.environment
    let steps = variables["COMMONPLACE_EDITOR_STEPS"].flatMap(Int.init) ?? 40
    let minutes = variables["COMMONPLACE_EDITOR_MINUTES"].flatMap(Int.init) ?? 0
    let seed = variables["COMMONPLACE_EDITOR_SEED"].flatMap(Int.init) ?? 1
    print("COMMONPLACE_EDITOR_SEED=\(seed)")
    let home = CommandLineHome(hasLibrary: true)
    for number in 1...5 { _ = try await home.call("projects/add", "title=Z\(number)") }
    func settings(_ name: String, _ place: Int) -> [String: String] {
      [
        "EDITOR_NAME": name, "EDITOR_STEPS": "\(steps)", "EDITOR_MINUTES": "\(minutes)",
        "EDITOR_SEED": "\(seed + place)",
      ]
    }
    let editors = [
      try EditorScript.neovim(.old, BoardSteps.lua, in: home, as: "a.lua", changing: settings("A", 0)),
      try EditorScript.neovim(.new, BoardSteps.lua, in: home, as: "b.lua", changing: settings("B", 1)),
      try EditorScript.emacs(BoardSteps.lisp, in: home, changing: settings("C", 2)),
    ]
    for editor in editors { _ = try await editor.said("ready") }
    // The daemon is killed after each fifty steps of the first, and once at least.
    var steppedTens = 0
    while let step = try await editors[0].said("step", orEnd: "stepped") {
      steppedTens = try #require(Int(step)) / 10
      if steppedTens % 5 == 2 { home.owner.map { _ = kill($0.pid, SIGKILL) } }
    }
    #expect(steppedTens >= 2)
    var expected = Set((1...5).map { "Z\($0)" })
    for (name, editor) in zip(["A", "B", "C"], editors) {
      let count = try #require(Int(try await editor.said("added")))
      if count > 0 { expected.formUnion((1...count).map { "\(name)\($0)" }) }
    }
    try home.place("", as: "finish")
    var texts: Set<String> = []
    for editor in editors { texts.insert(try await editor.said("text")) }
    #expect(texts.count == 1, "\(seed): \(texts)")
    for editor in editors { await editor.end() }
    var titles: [String] = []
    var next: String?
    repeat {
      let page = try await home.call("projects/list", "limit:=100", next.map { "after=\($0)" } ?? "limit:=100")
      titles += page["items"]?.arrayValue?.compactMap { $0["title"]?.stringValue } ?? []
      next = page["next"]?.stringValue
    } while next != nil
    let names = titles.map { String($0.prefix { $0 != " " }) }
    #expect(expected.subtracting(names) == [], "\(seed)")
    let doubled = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
    #expect(doubled == [], "\(seed)")
  }
}
