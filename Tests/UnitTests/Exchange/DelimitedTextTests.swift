import Contract
import Kit
import Testing
import Wire

@testable import Exchange

@Suite("Exchange: tables as text") struct DelimitedTextTests {
  private func cells(_ text: String, delimiter: Character? = nil) throws -> [[String]] {
    try DelimitedText(Array(text.utf8), delimiter: delimiter?.asciiValue).rows.map(\.cells)
  }

  @Test(
    "a table is split into rows and cells by its own delimiter and line ends",
    arguments: [
      ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
      ("a,b\nc,d", [["a", "b"], ["c", "d"]]),
      ("a,b\rc,d", [["a", "b"], ["c", "d"]]),
      ("\u{FEFF}a,b", [["a", "b"]]),
      ("a,\n,b\n", [["a", ""], ["", "b"]]),
      ("a\n\n\r\nb", [["a"], ["b"]]),
      ("", []),
      ("\"a,b\";c", [["a,b", "c"]]),
      ("\"a\"\"b\",\"\"", [["a\"b", ""]]),
      ("\"a\r\nb\",c", [["a\r\nb", "c"]]),
      ("\"a\" tail,b", [["a tail", "b"]]),
      ("=\"0439785960\",b", [["=\"0439785960\"", "b"]]),
      // The first line decides on the delimiter, whatever the others contain.
      ("a;b\n1,2,3,4;c", [["a", "b"], ["1,2,3,4", "c"]]),
      ("a\tb;c,d\te\n", [["a", "b;c,d", "e"]]),
      ("a;b,c,d", [["a;b", "c", "d"]]),
      ("a\tb;c,d", [["a", "b;c,d"]]),
      ("a;b,c", [["a", "b,c"]]),
      ("a;b\tc;d", [["a", "b\tc", "d"]]),
    ])
  func split(text: String, expected: [[String]]) throws {
    #expect(try cells(text) == expected, "\(text)")
  }

  @Test("a given delimiter is not guessed")
  func given() throws {
    #expect(try cells("a;b;c,d", delimiter: ",") == [["a;b;c", "d"]])
  }

  @Test("each row knows its first line, also after cells and rows of several lines")
  func lines() throws {
    let table = try DelimitedText(Array("a\n\"b\nc\rd\r\ne\"\n\nf\r\ng\rh".utf8))
    #expect(table.rows.map(\.line) == [1, 2, 7, 8, 9])
  }

  @Test("bytes that are no table are refused with the reason and the line")
  func refused() {
    #expect(throws: WrongFormat(reason: "hasNUL")) { try DelimitedText([0x61, 0, 0x62]) }
    #expect(throws: WrongFormat(reason: "notUTF8")) { try DelimitedText([0x61, 0xFF]) }
    #expect(throws: WrongFormat(reason: "openQuote", line: 2)) { try DelimitedText(Array("a\n\"b\nc".utf8)) }
    #expect(throws: WrongFormat(reason: "noColumns")) { try NamedRows(DelimitedText([])) }
  }

  @Test("a long table can be cancelled")
  func cancelled() throws {
    let text = Array(String(repeating: "a\n", count: 1_024).utf8)
    #expect(throws: CancellationError.self) {
      try DelimitedText(text, checkCancelled: { throw CancellationError() })
    }
  }

  @Test(
    "a cell is quoted exactly where a reader would otherwise lose something",
    arguments: [
      ("plain", "plain"), ("a b", "a b"), ("a;b", "a;b"), ("", ""), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""),
      ("a\nb", "\"a\nb\""), ("a\rb", "\"a\rb\""), (" a", "\" a\""), ("a ", "\"a \""),
    ])
  func written(cell: String, expected: String) throws {
    #expect(DelimitedText.line([cell, "x"]) == expected + ",x\r\n")
    #expect(try cells(DelimitedText.line([cell, "x"]), delimiter: ",") == [[cell, "x"]])
  }

  @Test("cells are read by the names of columns, in any case, and what has no column by its number")
  func named() throws {
    let rows = try NamedRows(DelimitedText(Array("Title, Note ,\nDune,\"  kept  \",x,y\n \n,\"\",\n".utf8)))
    let row = rows.rows[0]
    #expect(rows.has("title", "NOTE") && !rows.has("title", "author"))
    #expect(row["TITLE"] == "Dune" && row["note"] == "kept" && row["author"] == nil)
    #expect(row.exact("Note") == "  kept  " && row.exact("author") == nil && rows.rows[2].exact("title") == nil)
    #expect(Array(row.members.keys) == ["Title", "Note", "", "#4"])
    #expect(rows.rows.map(\.number) == [1, 2, 3] && rows.rows.map(\.line) == [2, 3, 4])
    #expect(rows.rows.map(\.isBlank) == [false, true, true])
    // A row with fewer cells than columns.
    #expect(rows.rows[1]["Note"] == nil && rows.rows[1].exact("Note") == nil)
  }
}

@Suite("Exchange: cells that a spreadsheet would compute") struct GuardedCellTests {
  @Test(
    "each part that a spreadsheet takes for a formula gets an apostrophe, and loses it when it is read",
    arguments: [
      ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@a", "'@a"), ("Kim; =1+1", "Kim; '=1+1"),
      ("a\t=b", "a\t'=b"), ("a\n-b", "a\n'-b"), ("a\r@b", "a\r'@b"), ("'=1", "''=1"), ("\"=1\"", "\"'=1\""),
      ("\ta", "'\ta"), ("=1;=2", "'=1;'=2"),
    ])
  func guarded(cell: String, expected: String) throws {
    let line = GuardedCells.line(["Dune", cell], of: ["title", "note"])
    let rows = try NamedRows(DelimitedText(Array(("title,note,guarded\r\n" + line).utf8), delimiter: UInt8(ascii: ",")))
    #expect(rows.rows[0].cells == ["Dune", expected, "note"], "\(cell)")
    #expect(GuardedCells.opened(rows.rows[0]).cells == ["Dune", cell, ""], "\(cell)")
  }

  @Test(
    "other cells stay as they are, and apostrophes of columns without a guard too",
    arguments: ["a=b", "1-2", "it's", "'a", ""])
  func unguarded(cell: String) throws {
    let line = GuardedCells.line([cell, "=x"], of: ["title", "note"])
    let rows = try NamedRows(DelimitedText(Array(("title,note,guarded\r\n" + line).utf8), delimiter: UInt8(ascii: ",")))
    #expect(rows.rows[0].cells == [cell, "'=x", "note"])
    #expect(GuardedCells.opened(rows.rows[0]).cells == [cell, "=x", ""])
  }

  @Test("of two guarded columns each is named, and an unknown name is ignored")
  func several() throws {
    #expect(GuardedCells.line(["=1", "+2"], of: ["a", "b"]) == "'=1,'+2,a; b\r\n")
    let rows = try NamedRows(DelimitedText(Array("a,b,guarded\n'=1,'+2,a; b; c\n'=1,'+2,\n".utf8)))
    #expect(GuardedCells.opened(rows.rows[0]).cells == ["=1", "+2", ""])
    // Without the last column an apostrophe is the user's.
    #expect(GuardedCells.opened(rows.rows[1]).cells == ["'=1", "'+2", ""])
  }
}
