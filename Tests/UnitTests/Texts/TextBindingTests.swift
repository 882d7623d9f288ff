import Foundation
import Kit
import TestSupport
import Testing

@testable import Texts

/// Which item a line is after what people do to a list.
@Suite struct TextBindingTests {
  /// `TEXT_SESSIONS=30000` for a long run.
  private static let sessions = ProcessInfo.processInfo.environment["TEXT_SESSIONS"].flatMap { Int($0) } ?? 3_000

  private struct Line {
    var text: String
    /// The item whose line it is; nil for a new one, and for a copy.
    var owner: Int?
  }

  @Test("no line becomes another item, whatever is moved, changed, copied, cut and sorted, and few are added again")
  func identity() {
    var random = SeededGenerator(seed: 3)
    var (lines, others, again, taken) = (0, 0, 0, 0)
    for _ in 0..<Self.sessions {
      let (base, text) = Self.session(&random)
      let parsed = text.indices.map { place -> ParsedTextItem in
        let (rest, anchor) = TextAnchor.split(text[place].text[...])
        return ParsedTextItem(anchor: anchor, lines: place..<(place + 1), content: String(rest))
      }
      let binding = TextBinding(parsed, to: base, isSingle: false) { _ in nil }
      lines += text.count
      for (line, match) in zip(text, binding.matches) {
        switch (match, line.owner) {
        case (.base(let place), let owner?): others += place == owner ? 0 : 1
        case (.base(let place), nil): taken += text.contains { $0.owner == place } ? 0 : 1
        // A copy that has kept the text of an item that was changed is the item: the other line is new.
        case (.new, let owner?): again += binding.matches.contains(.base(owner)) ? 0 : 1
        default: break
        }
      }
    }
    #expect(others == 0)
    #expect(Double(again) < 0.0005 * Double(lines) && Double(taken) < 0.0005 * Double(lines))
  }

  private static let words = [
    "water", "plants", "return", "book", "library", "call", "Ann", "bake", "bread", "Sunday", "mend", "bicycle",
    "write",
    "landlord", "read", "chapter", "nine", "buy", "stamps", "envelopes", "learn", "second", "movement", "pay",
    "electricity", "bill", "sort", "old", "photographs", "plan", "trip", "north",
  ]

  private static func title(_ random: inout SeededGenerator) -> String {
    let count = Int.random(in: 2...6, using: &random)
    return "- [ ] " + (0..<count).map { _ in words.randomElement(using: &random)! }.joined(separator: " ")
  }

  private static func session(_ random: inout SeededGenerator) -> (base: [TextItem], text: [Line]) {
    let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")
    var base: [TextItem] = []
    var text: [Line] = []
    for place in 0..<30 {
      // No two items have one anchor.
      var anchor = ""
      repeat {
        anchor = String((0..<4).map { _ in digits.randomElement(using: &random)! })
      } while base.contains { $0.anchor == anchor }
      let content = title(&random)
      base.append(
        TextItem(
          collection: "projects", id: "\(place)", anchor: anchor, title: content, lines: place..<(place + 1),
          content: content))
      text.append(Line(text: "\(content) ^\(anchor)", owner: place))
    }
    for _ in 0..<6 where text.count > 2 {
      let (place, target) = (text.indices.randomElement(using: &random)!, text.indices.randomElement(using: &random)!)
      switch Int.random(in: 0...9, using: &random) {
      case 0, 1: text.insert(text.remove(at: place), at: target)
      case 2, 3: text[place].text = changed(text[place].text, &random)
      case 4: text.insert(Line(text: title(&random)), at: place)
      case 5: text.insert(Line(text: text[place].text), at: target)
      case 6: text.remove(at: place)
      case 7: text[place].text = String(text[place].text.dropLast(Int.random(in: 1...7, using: &random)))
      case 8: text.sort { $0.text < $1.text }
      default: text.swapAt(place, target)
      }
    }
    return (base, text)
  }

  /// The line with another word.
  private static func changed(_ line: String, _ random: inout SeededGenerator) -> String {
    let (rest, anchor) = TextAnchor.split(line[...])
    var parts = rest.split(separator: " ").map(String.init)
    parts[Int.random(in: 0..<parts.count, using: &random)] = words.randomElement(using: &random)!
    return parts.joined(separator: " ") + (anchor.map { " ^" + $0 } ?? "")
  }

  @Test(
    "a path of a text is one of its files and nothing else",
    arguments: [
      "diary/../x.md", "../x.md", "diary//x.md", "/diary/x.md", "diary/%2e%2e/x.md", "diary/./x.md", "diary/x",
      "x%0ay.md",
      "diary/%zz.md", "%ff.md", ".md", "a/b/c/d/e/f/g/h/i.md", String(repeating: "a", count: 300) + ".md",
    ])
  func hostilePath(text: String) {
    #expect(TextPath(parsing: text) == nil)
    #expect(TextPath(uri: "commonplace:///text/\(text)") == nil)
  }

  @Test("a path is written as it is read, with one slash or three")
  func path() throws {
    let path = try #require(TextPath("projects", "column", "zu tun/일 %"))
    #expect(path.text == "projects/column/zu%20tun%2F%EC%9D%BC%20%25.md")
    #expect(TextPath(parsing: path.text) == path && TextPath(uri: path.uri) == path)
    #expect(TextPath(uri: "commonplace:/text/\(path.text)") == path)
    #expect(TextPath(uri: "commonplace:/projects/0192") == nil && TextPath(uri: path.uri + "?a") == nil)
  }
}
