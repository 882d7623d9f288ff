import Display
import Foundation
import TestSupport
import Testing
import Wire

@testable import Texts

/// An open text and its edits, compared with the whole text edited as an editor does it.
@Suite("Open texts") struct OpenTextTests {
  /// More in a long run: `TEXT_EDITS=100000`.
  private static let count = ProcessInfo.processInfo.environment["TEXT_EDITS"].flatMap(Int.init) ?? 3_000

  private static let pieces = [
    "a", "Z", " ", "\n", "\r\n", "\r", "\t", "한", "글", "𝄞", "e\u{301}", "\u{2028}", "👩‍👩‍👧", "[[", "]]", "\\", "#", "",
  ]

  @Test("edits in each encoding leave what the editor has", arguments: PositionEncoding.allCases)
  func edits(encoding: PositionEncoding) {
    var random = SeededGenerator(seed: 7)
    var text = OpenText(uri: "a", languageID: "markdown", version: 0, text: "")
    var model = Array("".unicodeScalars)
    for version in 1...Self.count {
      var changes: [TextEdit] = []
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        if model.count > 400 || Int.random(in: 0..<200, using: &random) == 0 {
          let new = piece(&random)
          model = Array(new.unicodeScalars)
          changes.append(TextEdit(text: new))
          continue
        }
        let ends = [0, 0].map { _ in Int.random(in: 0...model.count, using: &random) }.sorted()
        let new = piece(&random)
        // No editor has a position between CR and LF.
        let (start, end) = (outside(ends[0], model), outside(ends[1], model))
        changes.append(
          TextEdit(
            range: PositionRange(position(start, model, encoding), position(end, model, encoding)), text: new))
        model.replaceSubrange(start..<max(start, end), with: new.unicodeScalars)
      }
      text = text.changed(changes, version: version, in: encoding)
      var expected = String.UnicodeScalarView()
      expected.append(contentsOf: model)
      let whole = String(expected)
      guard text.text.utf8.elementsEqual(whole.utf8) else {
        Issue.record("after edit \(version) the text is another")
        return
      }
      #expect(text.byteCount == whole.utf8.count)
      #expect(text.lines.count == whole.utf8.count { $0 == UInt8(ascii: "\n") } + 1)
    }
  }

  private func piece(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...6, using: &random)).map { _ in Self.pieces.randomElement(using: &random)! }.joined()
  }

  private func outside(_ place: Int, _ model: [Unicode.Scalar]) -> Int {
    place > 0 && place < model.count && model[place] == "\n" && model[place - 1] == "\r" ? place - 1 : place
  }

  private func position(_ place: Int, _ model: [Unicode.Scalar], _ encoding: PositionEncoding) -> TextPosition {
    let start = (model[..<place].lastIndex(of: "\n") ?? -1) + 1
    let length = model[start..<place].reduce(0) { sum, scalar in
      switch encoding {
      case .utf8: sum + UTF8.width(scalar)
      case .utf16: sum + UTF16.width(scalar)
      case .utf32: sum + 1
      }
    }
    return TextPosition(line: model[..<start].count { $0 == "\n" }, character: length)
  }

  @Test("a position after the end of a line or text is its end, and one inside a character its beginning")
  func clamped() {
    let text = OpenText(uri: "a", languageID: "markdown", version: 0, text: "a𝄞\r\nb")
    #expect(text.byte(of: TextPosition(line: 0, character: 99), in: .utf16) == 5)
    #expect(text.byte(of: TextPosition(line: 0, character: 2), in: .utf16) == 1)
    #expect(text.byte(of: TextPosition(line: 0, character: 3), in: .utf8) == 1)
    #expect(text.byte(of: TextPosition(line: 9, character: 9), in: .utf8) == 0)
    let range = PositionRange(TextPosition(line: 7, character: 0), TextPosition(line: 9, character: 9))
    let added = text.changed([TextEdit(range: range, text: "\nc")], version: 1, in: .utf16)
    #expect(added.text == "a𝄞\r\nb\nc")
  }

  @Test("links are found with their lines, whatever ends these, and none in code")
  func scan() {
    let text = OpenText(
      uri: "a", languageID: "markdown", version: 0, text: "한 [[A]]\r\n\n```\n[[no]]\n```\n`[[no]]` [[B|b]] [[C]]")
    #expect(text.scan.links.map(\.line) == [0, 5, 5])
    #expect(text.scan.links.map(\.range) == [4..<9, 9..<16, 17..<22])
    #expect(text.fenced == [2, 3, 4])
    #expect(text.scan.link(line: 5, byte: 22)?.range == 17..<22)
    #expect(text.scan.link(line: 5, byte: 8) == nil)
  }

  @Test("the fields of a line are found with their values, and a heading is no tag")
  func fields() {
    let fields = "- [ ] Read due:2026-11-24T17:30 #errands #\"two \\\"words\" after:^p9qx a#b".fields
    #expect(fields.map(\.name) == [.due, .tag, .tag, .after])
    #expect(fields.map(\.value) == ["2026-11-24", "errands", "two \"words", "p9qx"])
    #expect("# A heading".fields.isEmpty && "## Another".fields.isEmpty)
  }
}
