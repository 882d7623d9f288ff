import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Texts: cards of one title", .timeLimit(.minutes(10))) struct EqualLineTests {
  /// `TEXT_SESSIONS=1000` for a long run.
  private static let sessions = ProcessInfo.processInfo.environment["TEXT_SESSIONS"].flatMap { Int($0) } ?? 6

  @Test("of cards whose lines are the same none is lost, doubled or taken for another, whatever two editors save")
  func cards() async throws {
    let bench = try await TextBench()
    let other = try await bench.daemon.client(name: "other")
    var random = SeededGenerator()
    var ids: [String: String] = [:]
    for session in 0..<Self.sessions {
      for title in ["Milk", "Milk", "Bread", "Milk", "Bread"] { try await bench.card(title) }
      var texts = [try await bench.open("projects/board.md"), try await bench.open("projects/board.md", other)]
      for turn in 0..<8 {
        let before = try await cards(bench)
        for id in before.keys where !ids.values.contains(id) { ids[try await anchor(of: id, bench)] = id }
        let editor = Int.random(in: 0...1, using: &random)
        let edit = edited(&texts[editor], tag: "t\(session)x\(turn)", with: &random)
        let comment: Comment = "seed \(SeededGenerator.seed), session \(session), turn \(turn)"
        let lines = texts[editor].lines.filter { $0.hasPrefix("- ") }
        let reply = try await bench.save(&texts[editor], [:], editor == 0 ? bench.client : other)
        let after = try await cards(bench)
        let removed = Set(reply["removed"].list.map { $0.id.text })
        #expect(Set(before.keys).subtracting(after.keys) == removed, comment)
        #expect(removed.count <= edit.removed, comment)
        // A card that the other editor has removed comes back if its line was changed.
        let returned = edit.tagged.flatMap { ids[$0.anchor] }.map { before[$0] == nil ? 1 : 0 } ?? 0
        #expect(after.keys.count { before[$0] == nil } == edit.added + returned, comment)
        for line in lines {
          guard let id = Self.anchor(of: line).flatMap({ ids[$0] }), before[id] != nil else { continue }
          #expect(after[id] != nil, comment)
        }
        if let tagged = edit.tagged, let id = ids[tagged.anchor] {
          #expect(after[id]?.contains(tagged.tag) == true, comment)
        }
        for (id, tags) in after where id != edit.tagged.flatMap({ ids[$0.anchor] }) {
          if let known = before[id] { #expect(tags == known, comment) }
        }
        // The text has each card once.
        let anchors = texts[editor].lines.filter { $0.hasPrefix("- ") }.map { Self.anchor(of: $0) }
        #expect(anchors.count == after.count && Set(anchors).count == anchors.count, comment)
      }
      _ = try await bench.client.call("projects/removeAll", ["confirm": try await confirmation(bench)])
    }
    await bench.stop()
  }

  private func confirmation(_ bench: TextBench) async throws -> JSONValue {
    try await bench.client.call("projects/removeAll", ["dryRun": true])["confirm"] ?? .null
  }

  /// The tags of each card.
  private func cards(_ bench: TextBench) async throws -> [String: [String]] {
    let cards = try await bench.client.call("projects/list", ["limit": 1_000]).items
    return Dictionary(uniqueKeysWithValues: cards.map { ($0.id.text, $0["tags"].list.map(\.text)) })
  }

  private func anchor(of id: String, _ bench: TextBench) async throws -> String {
    let lines = try await bench.open("projects/card/\(id).md").lines
    return try #require(lines.first.flatMap { Self.anchor(of: $0) })
  }

  private static func anchor(of line: String) -> String? {
    line.contains(" ^") ? line.split(separator: "^").last.map(String.init) : nil
  }

  /// What was done to a text: how many lines were added and removed, and the tag that a card got.
  private struct Edit {
    var added = 0
    var removed = 0
    var tagged: (anchor: String, tag: String)?
  }

  private func edited(_ text: inout TextBench.Opened, tag: String, with random: inout SeededGenerator) -> Edit {
    var edit = Edit()
    var lines = text.lines
    func cards() -> [Int] { lines.indices.filter { lines[$0].hasPrefix("- ") && lines[$0].contains(" ^") } }
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      guard let place = cards().randomElement(using: &random), let target = cards().randomElement(using: &random) else {
        break
      }
      switch Int.random(in: 0...3, using: &random) {
      case 0: lines.insert(lines.remove(at: place), at: target)
      case 1 where edit.removed == 0:
        lines.insert("- [ ] " + (Bool.random(using: &random) ? "Milk" : "Bread"), at: target)
        edit.added += 1
      case 2 where edit.added == 0 && edit.tagged == nil && edit.removed == 0:
        lines.remove(at: place)
        edit.removed += 1
      case 3 where edit.tagged == nil:
        let anchor = Self.anchor(of: lines[place])!
        lines[place] = "\(lines[place].dropLast(anchor.count + 2)) #\(tag) ^\(anchor)"
        edit.tagged = (anchor, tag)
      default: break
      }
    }
    text.lines = lines
    return edit
  }
}
