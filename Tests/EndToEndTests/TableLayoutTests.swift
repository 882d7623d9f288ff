import Display
import TestSupport
import Testing
import Wire

@testable import commonplace

@Suite("The widths of a table") struct TableLayoutTests {
  private typealias Column = TableLayout.Column

  @Test("what short columns leave goes to the long ones, as even as can be")
  func fair() {
    let columns = [
      Column(widest: 5, needed: 5), Column(widest: 60, needed: 12, stays: .always), Column(widest: 12, needed: 8),
      Column(widest: 60, needed: 8),
    ]
    // Three gaps of two; the first and the third are whole, and the others halve what is left.
    #expect(TableLayout(columns, id: 0, width: 73).widths == [5, 25, 12, 25])
    #expect(TableLayout(columns, id: 0, width: 74).widths == [5, 26, 12, 25])
    #expect(TableLayout(columns, id: 0, width: 500).widths == [5, 60, 12, 60])
    #expect(TableLayout(columns, id: 0, width: 39).widths == [5, 12, 8, 8])
  }

  @Test("a column that others go before is not cut while there is room for it")
  func atFirst() {
    let columns = [
      Column(widest: 50, needed: 12, stays: .always), Column(widest: 40, atFirst: 24, needed: 8, stays: .whileRoom),
      Column(widest: 90, atFirst: 12, needed: 12, stays: .whileRoom),
    ]
    // The title first, which is whole before a name takes more than names usually do.
    #expect(TableLayout(columns, id: 0, width: 90).widths == [50, 24, 12])
    #expect(TableLayout(columns, id: 0, width: 110).widths == [50, 28, 28])
    #expect(TableLayout(columns, id: 0, width: 184).widths == [50, 40, 90])
  }

  private static func row(_ member: String, _ text: String) -> JSONObject {
    var row: JSONObject = ["title": "b"]
    row[member] = .string(text)
    return row
  }

  @Test("objects whose texts take up to forty columns are a table, and with a longer one they are none")
  func longestCell() {
    let screen = Screen(width: 100, ink: Ink(isOn: false), zone: .utc, say: { $0.key })
    func isTable(_ name: String, _ member: String = "name") -> Bool {
      let objects: [JSONObject] = [["title": "a"], Self.row(member, name)]
      return ObjectTable(objects, shape: nil, on: screen, width: 100) != nil
    }
    #expect(isTable(String(repeating: "x", count: 40)) && !isTable(String(repeating: "x", count: 41)))
    #expect(isTable(String(repeating: "책", count: 20)) && !isTable(String(repeating: "책", count: 21)))
    // An id is what commands take, however long it is.
    #expect(isTable(String(repeating: "x", count: 41), "id"))
  }

  @Test("a long name is whole on a wide terminal, and of wide letters none is counted for one column")
  func rows() {
    func lines(_ title: String, by: String, width: Int) -> String {
      let item: JSONValue = ["id": "7", "display": ["title": .string(title), "authors": .string(by)]]
      let say: (Text) -> String = { $0.key }
      let screen = Screen(width: width, ink: Ink(isOn: false), zone: .utc, say: say)
      return ReplyTable(["items": [item], "total": 1], say: say)?.text(on: screen) ?? ""
    }
    let authors = "Gabriel García Márquez and 2 others"
    #expect(lines("Leaf Storm", by: authors, width: 80) == "  Leaf Storm  \(authors)  7\n")
    let hangul = "가르시아 마르케스와 그 밖의 옮긴이 세 사람"
    #expect(lines("잎", by: hangul, width: 80) == "  잎  \(hangul)  7\n")
    let title = "썩은 잎과 아무도 대령에게 편지하지 않다"
    for width in 40...80 {
      let line = lines(title, by: hangul, width: width).dropLast()
      #expect(TextWidth.columns(of: line) <= width && line.hasSuffix("  7"), "\(width): \(line)")
      // Nothing is cut with two columns to spare, which a wide letter would take.
      if line.contains("…") { #expect(TextWidth.columns(of: line) >= width - 2, "\(width): \(line)") }
    }
  }
}
