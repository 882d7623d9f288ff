import Contract
import Foundation
import Testing
import Wire

@testable import commonplace

@Suite("Texts that the command line reads and writes") struct CommandTextTests {
  @Test("a handle is a number of the list, a title in marks, an id, or another title")
  func handles() {
    let rows: [(String, Handle)] = [
      ("%3", .number(3)), ("%12", .number(12)), ("%0", .title("%0")), ("%-1", .title("%-1")), ("%x", .title("%x")),
      ("%", .title("%")), ("9f3a", .maybeID("9f3a")), ("Dune", .maybeID("Dune")), ("A paper", .title("A paper")),
      ("\"Dune\"", .title("Dune")), ("“Dune”", .title("Dune")), ("「砂」", .title("砂")), ("『砂』", .title("砂")),
      ("\"\"", .title("\"\"")), ("\"Dune”", .title("\"Dune”")),
      ("commonplace:/diary/a", .title("commonplace:/diary/a")),
    ]
    for (text, handle) in rows { #expect(Handle(text) == handle, "\(text)") }
    #expect(Handle("%3").text == "%3" && Handle("%3").title == nil && Handle("\"A b\"").text == "A b")
    #expect(Handle("Dune").title == "Dune")
  }

  private static let (one, two) = ("019ac0f2-7b1e-7000-8000-3c5d9a1e9f3a", "019ac0f2-7b1e-7001-8000-77aa01e24b20")

  @Test("a short id is the shortest end that no other id of the list has, of all alike")
  func shortIDs() {
    #expect(ShortIDs.labels(of: [Self.one, Self.two, "book"]) == [Self.one: "9f3a", Self.two: "4b20", "book": "book"])
    let alike = "119ac0f2-7b1e-7000-8000-3c5d9a109f3a"
    #expect(
      ShortIDs.labels(of: [Self.one, alike, Self.two]) == [Self.one: "e9f3a", alike: "09f3a", Self.two: "24b20"])
    // Where even eight characters are alike, the whole ids are shown.
    let twin = "219ac0f2-7b1e-7000-8000-3c5d9a1e9f3a"
    #expect(ShortIDs.labels(of: [Self.one, twin]) == [Self.one: Self.one, twin: twin])
    // The end of an id that somebody chose is no short id of another, but for a long one.
    #expect(ShortIDs.labels(of: [Self.one, "x9f3a"])[Self.one] == "e9f3a")
    #expect(ShortIDs.labels(of: [Self.one, "abcdefghijkl9f3a"])[Self.one] == "9f3a")
    #expect(ShortIDs.labels(of: [Self.one, Self.one]).count == 1 && ShortIDs.labels(of: []).isEmpty)
  }

  @Test("a part of an id is its beginning or its end, of four characters at least, in any case")
  func partsOfIDs() {
    #expect(
      ShortIDs.isUUID(Self.one) && ShortIDs.isUUID(Self.one.uppercased())
        && !ShortIDs.isUUID(String(Self.one.dropLast())))
    #expect(!ShortIDs.isUUID(Self.one.replacing("-", with: "0")) && !ShortIDs.isUUID("g" + Self.one.dropFirst()))
    for part in ["019a", "9f3a", "9F3A", "019ac0f2-7b1e", Self.one] {
      #expect(ShortIDs.matches(part, Self.one), "\(part)")
    }
    for part in ["f3a", "7b1e", "9f3b", "019b", ""] { #expect(!ShortIDs.matches(part, Self.one), "\(part)") }
    #expect(ShortIDs.matches("book", "book") && !ShortIDs.matches("boo", "book") && !ShortIDs.matches("9f3a", "x9f3a"))
    #expect(ShortIDs.isBeginning("card", of: "card-1") && !ShortIDs.isBeginning("car", of: "card-1"))
    #expect(!ShortIDs.isBeginning("ard-", of: "card-1"))
    #expect(
      ShortIDs.mayBePart("0-9f") && !ShortIDs.mayBePart("09f") && !ShortIDs.mayBePart("0 9f")
        && !ShortIDs.mayBePart("gggg"))
  }

  @Test("a value of a file's head is written so that it is read as itself", arguments: [FieldValue.Style.yaml, .toml])
  func values(style: FieldValue.Style) throws {
    let texts = [
      "Return the book", "a: b", "2026-11-21", "true", "No", "12", "1.5", "null", "-a", "a #b", "a#b", "[a]", "a,b",
      "'a'",
      "\"a\"", "a:", "a ", " a", "é", "책", "a\nb", "\u{7F}", "{a}", "on", "~", "#a", "@a",
    ]
    for text in texts {
      let written = FieldValue.text(of: .string(text), style)
      #expect(try FieldValue.value(of: written, .string) == .string(text), "\(written)")
      let list = FieldValue.text(of: [.string(text), "x"], style)
      #expect(try FieldValue.value(of: list, .array(.string)) == [.string(text), "x"], "\(list)")
      // YAML without a shape reads plain texts as themselves too.
      if style == .yaml, written == text {
        #expect(try FieldValue.value(of: written, .any) == .string(text), "\(text)")
      }
    }
    let object: JSONValue = ["rule": "FREQ=WEEKLY;BYDAY=MO,TU", "count": 3, "is": true, "list": [1, 2]]
    #expect(try FieldValue.value(of: FieldValue.text(of: object, style), .any) == object)
    #expect(FieldValue.text(of: .null, style) == "" && FieldValue.text(of: 3, style) == "3")
  }

  @Test("the forms of YAML that nobody writes here are read too")
  func read() throws {
    let rows: [(String, Shape, JSONValue)] = [
      ("", .string, .null), ("# a", .string, .null), ("~", .string, .null), ("null", .integer, .null),
      (" a b  # c", .string, "a b"),
      ("a#b", .string, "a#b"), ("3", .integer, 3), ("3", .string, "3"), ("x", .integer, "x"),
      ("'it''s'", .string, "it's"),
      ("\"a\\\"b\\n\" # c", .string, "a\"b\n"), ("[a, 'b', \"c\"]", .array(.string), ["a", "b", "c"]),
      ("[]", .array(.string), []),
      ("[1, 2,]", .array(.integer), [1, 2]), ("{a: 1, \"b c\": x}", .any, ["a": 1, "b c": "x"]), ("{}", .any, [:]),
      ("{a = 1}", .any, ["a": 1]), ("[ [1], {a: [2]} ]", .any, [[1], ["a": [2]]]),
    ]
    for (text, shape, value) in rows { #expect(try FieldValue.value(of: text, shape) == value, "\(text)") }
    for text in ["[a", "[a b", "{a}", "{: 1}", "{a: 1", "\"a", "'a", "\"a\" b", "[a] b", "\"a\\", "{a: 1 b: 2"] {
      #expect(throws: FieldValue.SyntaxError.self, "\(text)") { try FieldValue.value(of: text, .any) }
    }
  }

  @Test("an edited file is read as it was written, a changed one with its changes, and a mistake by its line")
  func editedFiles() throws {
    let shape = try #require(MethodNames.describe("projects/update")).params
    var file = EditedFile(fields: JSONObject(), text: "To the library.")
    (file.fields["title"], file.fields["tags"], file.fields["priority"]) = ("Return: it", ["errands", "a b"], .null)
    for style in [FieldValue.Style.yaml, .toml] {
      let written = file.written(style, remarks: ["A remark"])
      let same = try EditedFile.read(written, original: file, shape)
      #expect(same.fields == file.fields && same.text == file.text, "\(written)")
      #expect(written.hasPrefix(style.fence + "\n# A remark\n"))
      let windows = try EditedFile.read(written.replacing("\n", with: "\r\n"), original: file, shape)
      #expect(windows.fields == file.fields && windows.text == file.text)
    }
    func read(_ text: String) throws -> EditedFile { try EditedFile.read(text, original: file, shape) }
    let list = try read("---\ntags:\n- x\n  - y\npriority: 3\n---\n\n\nA\n\n")
    #expect(list.fields["tags"] == ["x", "y"] && list.fields["priority"] == 3 && list.fields["title"] == "Return: it")
    #expect(list.text == "\nA\n")
    #expect(
      try read("---\ntags:\n---\n").fields["tags"] == [] && read("---\n---\nB").text == "B"
        && read("---\n---\n").text == "")
    let mistakes: [(String, Int)] = [
      ("title: A\n---\n", 1), ("", 1), ("---\ntitle: A\n", 4), ("---\n\n# x\ntitle\n---\n", 4),
      ("---\ncolor: red\n---\n", 2),
      ("---\ntitle: A\ntags: [a\n---\n", 3), ("---\ntags:\n- x\n- [y\n---\n", 4), ("+++\ntitle: A\n+++\n", 2),
    ]
    for (text, line) in mistakes {
      let mistake = #expect(throws: EditedFile.Mistake.self, "\(text)") { try read(text) }
      #expect(mistake?.line == line, "\(text)")
    }
  }

  @Test("a text that ends in a line end keeps it, and an item without a text has none")
  func editedTexts() throws {
    let shape = try #require(MethodNames.describe("projects/update")).params
    for text in ["", "a", "a\n", "a\n\n", "\na", "\n"] {
      let file = EditedFile(fields: JSONObject(), text: text)
      #expect(try EditedFile.read(file.written(.yaml), original: file, shape).text == text, "\(text.debugDescription)")
    }
    let file = EditedFile(fields: JSONObject(), text: nil)
    #expect(try EditedFile.read(file.written(.yaml) + "more", original: file, shape).text == nil)
  }

  @Test("a list is paged by its cursor, or by its offset, up to its end")
  func paging() throws {
    let byCursor = try #require(MethodNames.describe("projects/list"))
    #expect(ListPaging.first(JSONObject(), of: byCursor)["limit"] == 1_000)
    #expect(ListPaging.first(["limit": 5], of: byCursor)["limit"] == 5)
    let reply: JSONValue = ["items": [["id": "a"], ["id": "b"]], "hasMore": true, "next": "x", "offset": 4]
    let next = ListPaging.next(["offset": 4, "tag": "t"], after: reply, of: byCursor)
    #expect(next == ["tag": "t", "after": "x"])
    let byOffset = try #require(MethodNames.describe("diary/day"))
    #expect(ListPaging.next(["day": "2026-11-21"], after: reply, of: byOffset) == ["day": "2026-11-21", "offset": 6])
    for end: JSONValue in [
      ["items": [["id": "a"]], "hasMore": false, "next": "x"], ["items": [], "hasMore": true, "next": "x"],
      ["hasMore": true],
      ["items": [["id": "a"]]],
    ] { #expect(ListPaging.next([:], after: end, of: byCursor) == nil) }
    let noPages = try #require(MethodNames.describe("projects/get"))
    #expect(ListPaging.next([:], after: reply, of: noPages) == nil)
  }

  @Test("the line of a file is without its last line end and without a byte order mark")
  func lines() {
    for (file, line) in [
      ("a\n", "a"), ("a\r\n", "a"), ("a\n\n", "a\n"), ("a", "a"), ("\u{FEFF}a\n", "a"), ("", ""), ("\n", ""),
      ("a\r", "a\r"),
    ] { #expect(file.asLine.utf8.elementsEqual(line.utf8), "\(file.debugDescription)") }
  }

  @Test("a path is one of the folder in which the command runs, or of the user's home")
  func paths() {
    let folder = FileManager.default.currentDirectoryPath
    let parent = "/" + folder.split(separator: "/").dropLast().joined(separator: "/")
    let rows = [
      ("/a/./b//c/", "/a/b/c"), ("/", "/"), ("/.", "/"), ("a", folder + "/a"), (".", folder), ("./a/.", folder + "/a"),
      ("..", parent), ("/none/../b", "/none/../b"), ("/usr/../b", "/b"), ("~", "/home/x"), ("~/a", "/home/x/a"),
      ("~a", folder + "/~a"),
      ("", ""),
    ]
    for (path, absolute) in rows { #expect(AbsolutePath.of(path, in: ["HOME": "/home/x"]) == absolute, "\(path)") }
    #expect(
      AbsolutePath.of("~/a", in: [:]) == folder + "/~/a" && AbsolutePath.of("~/a", in: ["HOME": "x"]) == folder + "/~/a"
    )
    #expect(AbsolutePath.isFolder("/tmp") && !AbsolutePath.isFolder("/etc/passwd") && !AbsolutePath.isFolder("/none"))
  }

  @Test("a text for a terminal has no controls, and its lines are no wider than asked for")
  func terminal() {
    #expect(TerminalText.line("a\u{1B}[31m\nb \t c\u{202E}d") == "a [31m b cd")
    #expect(TerminalText.verbatim("a \u{1B}b\u{2028}c\n\nd\u{200E} ") == "a  b\nc\n\nd")
    #expect(TerminalText.lines("\n\na b\n\n", width: 80) == ["a b"])
    #expect(
      TerminalText.lines("aa bb cc", width: 5) == ["aa bb", "cc"]
        && TerminalText.lines("aa bb", width: 4) == ["aa", "bb"])
    #expect(
      TerminalText.lines("abcdef", width: 3) == ["abc", "def"] && TerminalText.lines("가나다", width: 4) == ["가나", "다"])
    #expect(TerminalText.lines("ab", width: 0) == ["a", "b"] && TerminalText.lines("  a", width: 9) == ["  a"])
    #expect(TerminalText.lines("a\tb", width: 9) == ["a    b"])
    // The sign that joins characters of one picture is not taken out.
    #expect(TerminalText.line("👩\u{200D}👧") == "👩\u{200D}👧")
  }
}
