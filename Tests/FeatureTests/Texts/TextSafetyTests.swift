import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Texts: nothing is lost", .timeLimit(.minutes(10))) struct TextSafetyTests {
  /// `TEXT_SESSIONS=1000` for a long run.
  private static let sessions = ProcessInfo.processInfo.environment["TEXT_SESSIONS"].flatMap { Int($0) } ?? 12

  private static let tasks = [
    "return the book", "call Ann", "water the plants", "pay the rent", "mend the bicycle", "write to the bank",
    "buy bread and milk", "read the other chapter", "book a table", "wash the windows", "sort the photographs",
    "thank the neighbours",
  ]

  @Test(
    "whatever two editors do to a board, each card is in the library or was named as removed, and no line becomes another card"
  )
  func cards() async throws {
    let bench = try await TextBench()
    let other = try await bench.daemon.client(name: "other")
    var random = SeededGenerator(seed: 41)
    for session in 0..<Self.sessions {
      // The title of a card begins with a word of its own, so that it can be told which one a line is.
      var owners: [String: String] = [:]
      for number in 0..<12 {
        let name = "s\(session)n\(number)"
        owners[try await bench.card("\(name) \(Self.tasks[number])")] = name
      }
      var removed: Set<String> = []
      var texts = [try await bench.open("projects/board.md"), try await bench.open("projects/board.md", other)]
      for _ in 0..<8 {
        let turn = Int.random(in: 0...1, using: &random)
        texts[turn].lines = edited(texts[turn].lines, with: &random)
        let reply = try await bench.save(&texts[turn], [:], turn == 0 ? bench.client : other)
        removed.formUnion(reply["removed"].list.map { $0.id.text })
      }
      let cards = try await bench.client.call("projects/list", ["limit": 1_000]).items
      let titles = Dictionary(uniqueKeysWithValues: cards.map { ($0.id.text, $0["title"].text) })
      for (id, name) in owners where !removed.contains(id) {
        #expect(titles[id]?.hasPrefix(name + " ") == true, "\(session): \(name) is \(titles[id] ?? "gone")")
      }
      _ = try await bench.client.call("projects/removeAll", ["confirm": try await confirmation(bench)])
    }
    await bench.stop()
  }

  private func confirmation(_ bench: TextBench) async throws -> JSONValue {
    try await bench.client.call("projects/removeAll", ["dryRun": true])["confirm"] ?? .null
  }

  /// What people do to lines: they move, copy, add, cut, sort and change them.
  private func edited(_ lines: [String], with random: inout SeededGenerator) -> [String] {
    var lines = lines
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let cards = lines.indices.filter { lines[$0].hasPrefix("- ") }
      guard let place = cards.randomElement(using: &random), let target = cards.randomElement(using: &random) else {
        break
      }
      switch Int.random(in: 0...6, using: &random) {
      case 0: lines.insert(lines.remove(at: place), at: target)
      case 1: lines[place] += " more"
      case 2: lines[place] = lines[place].replacing("the", with: "some")
      case 3: lines.insert("- [ ] new", at: place)
      case 4: lines.insert(lines[place], at: target)
      case 5: lines.remove(at: place)
      default: lines[place] = String(lines[place].dropLast(Int.random(in: 1...7, using: &random)))
      }
    }
    return lines
  }
}
