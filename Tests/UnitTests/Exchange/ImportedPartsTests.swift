import Contract
import Display
import Kit
import Testing
import Wire

@testable import Exchange

@Suite("Exchange: revisions in files") struct FileRevisionTests {
  @Test("a revision is read from the two forms that files have, with and without an ancestor")
  func forms() throws {
    let plain = FileRevision(number: 42, history: "here")
    #expect(plain == FileRevision(number: 42, epoch: "here") && plain.history == "here" && plain.word == "42,here")
    let derived = FileRevision(number: 42, history: "here from 10 there")
    #expect(derived == FileRevision(number: 42, epoch: "here", ancestor: .init(number: 10, epoch: "there")))
    #expect(derived.history == "here from 10 there" && derived.word == "42,here from 10 there")
    for revision in [plain, derived, FileRevision(number: 1, epoch: nil)] {
      #expect(FileRevision(word: revision.word) == revision)
    }
    // What is no ancestor belongs to the name of the history.
    for odd in ["here from ten there", "here from 10", "here from "] {
      #expect(
        FileRevision(number: 42, history: odd).epoch == odd && FileRevision(number: 42, history: odd).ancestor == nil)
    }
    #expect(FileRevision(word: "x,here") == nil && FileRevision(word: "") == nil)
    #expect(FileRevision(nil, history: "here") == nil && FileRevision(3, history: nil)?.epoch == nil)
  }

  @Test("an export states as ancestor the revision of the other library, or what that one stated")
  func ancestors() {
    let foreign = FileRevision(number: 7, epoch: "there")
    #expect(foreign.ancestor(in: "here") == .init(number: 7, epoch: "there"))
    #expect(foreign.ancestor(in: "there") == nil)
    let own = FileRevision(number: 7, epoch: "here", ancestor: .init(number: 3, epoch: "there"))
    #expect(own.ancestor(in: "here") == .init(number: 3, epoch: "there"))
    #expect(own.ancestor(in: "elsewhere") == .init(number: 7, epoch: "here"))
    let nameless = FileRevision(number: 7, epoch: nil, ancestor: .init(number: 3, epoch: "there"))
    #expect(nameless.ancestor(in: "here") == .init(number: 3, epoch: "there"))
  }

  @Test("a file may be an edit of its own revision and of its ancestor, each in its history")
  func states() {
    let revision = FileRevision(number: 7, epoch: "here", ancestor: .init(number: 3, epoch: "there"))
    #expect(revision.number(in: "here") == 7 && revision.number(in: "there") == 3 && revision.number(in: "x") == nil)
    #expect(revision.states.map(\.number) == [7, 3])
  }
}

@Suite("Exchange: merge bases") struct MergeBaseTests {
  private func base(
    _ number: Int64, _ epoch: String, at clock: Int64 = 1, path: String? = "/a", after last: MergeBase? = nil,
    isLevel: Bool = false, isDisputed: Bool = false
  ) throws -> MergeBase {
    try #require(
      try MergeBase(
        FileRevision(number: number, epoch: epoch), from: path, at: clock, after: last?.stored, isLevel: isLevel,
        isDisputed: isDisputed))
  }

  @Test("a file without a history is no base")
  func none() throws {
    #expect(try MergeBase(nil, from: "/a", at: 1, after: nil) == nil)
    #expect(try MergeBase(FileRevision(number: 1, epoch: nil), from: "/a", at: 1, after: nil) == nil)
    #expect(try MergeBase(stored: nil) == nil)
  }

  @Test("it is stored and read with all of its parts")
  func stored() throws {
    let first = try base(4, "there")
    var second = try base(9, "elsewhere", at: 8, after: first, isDisputed: true)
    second.said = ["title": "Dune"]
    let read = try #require(try MergeBase(stored: second.stored))
    #expect((read.number, read.epoch, read.clock, read.path) == (9, "elsewhere", 8, "/a"))
    #expect(read.said == ["title": "Dune"] && read.agreed == 0)
    #expect(read.ancestor(in: "here") == .init(number: 4, epoch: "there"))
  }

  @Test("the ancestor is the other library's revision, or what it last agreed on")
  func ancestor() throws {
    let first = try base(4, "there")
    #expect(first.ancestor(in: "here") == .init(number: 4, epoch: "there"))
    #expect(first.ancestor(in: "there") == nil)
    let disputed = try base(6, "there", after: first, isDisputed: true)
    #expect(disputed.agreed == 4 && disputed.ancestor(in: "here") == .init(number: 4, epoch: "there"))
    // It stays what both agreed on, however many disputed files follow.
    #expect(try base(8, "there", after: disputed, isDisputed: true).agreed == 4)
    #expect(try base(8, "there", after: disputed).ancestor(in: "here") == .init(number: 8, epoch: "there"))
    // Another program has no history: the base before it counts.
    let external = try base(0, "external", after: first)
    #expect(external.ancestor(in: "here") == .init(number: 4, epoch: "there"))
    #expect(try base(2, "elsewhere", after: external).ancestor(in: "elsewhere") == .init(number: 4, epoch: "there"))
  }

  @Test("the same revision with another content is an edit, until another revision follows")
  func edited() throws {
    let first = try base(4, "there")
    #expect(first.isEdited == nil)
    let edited = try base(4, "there", after: first)
    #expect(edited.isEdited == true)
    #expect(try base(4, "there", after: edited, isLevel: true).isEdited == true)
    #expect(try base(4, "there", after: first, isLevel: true).isEdited == nil)
    #expect(try base(5, "there", after: edited).isEdited == nil)
  }

  @Test("it precedes later exports of the same other library, unless its file had been edited")
  func order() throws {
    let first = try base(4, "there")
    let edited = try base(4, "there", after: first)
    func revision(_ number: Int64, _ epoch: String? = "there") -> FileRevision {
      FileRevision(number: number, epoch: epoch)
    }
    #expect(first.comes(before: revision(5), in: "here", isSameFile: false))
    #expect(first.comes(before: revision(4), in: "here", isSameFile: false))
    #expect(!first.comes(before: revision(3), in: "here", isSameFile: true))
    #expect(!first.comes(before: revision(5, "x"), in: "here", isSameFile: true))
    #expect(!first.comes(before: revision(5, nil), in: "here", isSameFile: true))
    #expect(!edited.comes(before: revision(5), in: "here", isSameFile: true))
    #expect(edited.comes(before: revision(4), in: "here", isSameFile: true))
    // Of two files of one export of this library, each is an edit of its own.
    #expect(!first.comes(before: revision(5), in: "there", isSameFile: true))
    #expect(first.comes(before: revision(4), in: "there", isSameFile: true))
    #expect(!first.comes(before: revision(4), in: "there", isSameFile: false))
    #expect(first.isLater(than: revision(3), in: "here") && !first.isLater(than: revision(4), in: "here"))
    #expect(!first.isLater(than: revision(3), in: "there") && !first.isLater(than: revision(3, "x"), in: "here"))
    #expect(!first.isLater(than: revision(3, nil), in: "here"))
  }

  @Test("a base of bytes is no file, and only of the same path is it the same file")
  func paths() throws {
    let (named, bytes) = (try base(1, "there"), try base(1, "there", path: nil))
    #expect(named.isFile(at: "/a") && !named.isFile(at: "/b") && !named.isFile(at: nil))
    #expect(bytes.isFile(at: nil) && !bytes.isFile(at: "/a"))
  }
}

@Suite("Exchange: parts of imported files") struct ImportedPartsTests {
  @Test(
    "a list of front matter is read in each form that programs write",
    arguments: [
      (["tags: [\"novel\",\"to read\"]"], true, ["novel", "to read"]),
      (["tags: [novel, 'to read', \"x\"]"], true, ["novel", "to read", "x"]),
      (["tags: [2024, 2025]"], true, ["2024", "2025"]),
      (["tags: [a,", "  b]"], true, ["a", "b"]),
      (["tags: novel, to read"], true, ["novel", "to read"]),
      (["tags: novel #second"], true, ["novel", "second"]),
      (["tags:", "  - novel", "  -  #x ", "  other"], true, ["novel", "x"]),
      (["tags:", "  - 'a'", "  - \"b\"", "  - "], true, ["a", "b"]),
      // Only a pair of marks is removed.
      (["tags:", "  - 'tis", "  - \"a'", "  - '"], true, ["'tis", "\"a'", "'"]),
      (["aliases: A walk, long"], false, ["A walk, long"]),
      (["aliases:", "  - #one"], false, ["#one"]),
      (["aliases:"], false, []),
    ])
  func frontMatterList(lines: [String], isTags: Bool, expected: [String]) {
    #expect(FrontMatterList.elements(lines.map { $0[...] }, isTags: isTags) == expected, "\(lines)")
  }

  @Test("front matter has texts, quoted texts with escapes, and texts over several lines")
  func frontMatter() {
    var front = FrontMatter()
    let lines = [
      "title: A walk", "quoted: \"He said \\\"no\\\" \\\\ \\/\"", "single: 'it''s'", "half: \"open", "one: \"",
      "block: >-", "  \"A long\"", "  walk", "", "  further", "list:", "  - a", "no colon", "  lost", "lines: first",
      "\tsecond", "kept:  two", "again: |", "again: plain",
    ]
    for line in lines { front.add(line[...]) }
    let values = front.values
    #expect(values["title"] == "A walk" && values["quoted"] == "He said \"no\" \\ /" && values["single"] == "it's")
    #expect(values["half"] == "\"open" && values["one"] == "\"")
    // A block has no marks to remove. An empty line ends it.
    #expect(values["block"] == "\"A long\" walk")
    #expect(values["list"] == "" && values["lines"] == "first second" && values["kept"] == "two")
    #expect(values["again"] == "plain" && values["no colon"] == nil)
  }

  @Test("lines end at LF or CRLF, and together are the text")
  func lines() throws {
    let text = "a\r\nb\nc\rd\n\ne"
    let lines = TextLine.lines(of: text)
    #expect(lines.map(\.text) == ["a", "b", "c\rd", "", "e"] && lines.map(\.end) == ["\r\n", "\n", "\n", "\n", ""])
    #expect(lines.map(\.whole).joined() == text && TextLine.lines(of: "").isEmpty)
    #expect(TextLine.count(in: Array(text.utf8)) == 5 && TextLine.count(in: []) == 0)
    #expect(TextLine.count(in: Array("a\n".utf8)) == 1 && TextLine.count(in: Array("a".utf8)) == 1)
    #expect(throws: WrongFormat(reason: "notUTF8")) { try TextLine.lines(ofFile: [0xC3]) }
    #expect(throws: WrongFormat(reason: "hasNUL")) { try TextLine.lines(ofFile: [0x61, 0]) }
    var marked = try TextLine.lines(ofFile: [0xEF, 0xBB, 0xBF] + Array("\u{FEFF}\u{FEFF}a\n".utf8))[0]
    #expect(marked.takeByteOrderMark() == "\u{FEFF}\u{FEFF}" && marked == TextLine(text: "a", end: "\n"))
    #expect(marked.takeByteOrderMark() == "")
  }

  @Test(
    "a time is read as programs write it, and only if it exists",
    arguments: [
      ("09:05", 545, 0), ("09:05:59", 545, 59), ("9:5", 545, 0), ("12:00 AM", 0, 0), ("12:30 pm", 750, 0),
      ("09:05:59 PM", 1_265, 59), ("00:00", 0, 0), ("23:59:59", 1_439, 59),
    ] as [(String, Int, Int)])
  func times(text: String, minutes: Int, seconds: Int) throws {
    let day = try #require(CalendarDay("2026-11-27"))
    #expect(LocalDateTime(day: day, time: text) == LocalDateTime(day: day, minutes: minutes, seconds: seconds))
  }

  @Test(
    "a time that does not exist is none",
    arguments: [
      "24:00", "12:60", "12:00:60", "-1:00", "12", "12:00:00:00", "", "0:30 AM", "13:00 PM", "12:00 XM", "12:00 AM x",
      "a:b", "12:", ":30",
    ])
  func noTimes(text: String) throws {
    #expect(LocalDateTime(day: try #require(CalendarDay("2026-11-27")), time: text) == nil)
  }

  @Test("a local time is one of its zone, rounded down to the second, and none beyond the years that exist")
  func zones() throws {
    let (seoul, newYork) = (try #require(Zone("Asia/Seoul")), try #require(Zone("America/New_York")))
    let instant = try #require(Instant("2026-11-20T20:04:05.999Z"))
    let local = LocalDateTime(instant, in: seoul)
    #expect(
      local.day.description == "2026-11-21" && local.minutes == 304 && local.seconds == 5 && local.clock == "05:04")
    #expect(local.instant(in: seoul).description == "2026-11-20T20:04:05.000Z")
    let old = LocalDateTime(Instant(milliseconds: -1), in: .utc)
    #expect(old.day.description == "1969-12-31" && old.minutes == 1_439 && old.seconds == 59)
    let last = LocalDateTime(day: try #require(CalendarDay("9999-12-31")), minutes: 23 * 60, seconds: 0)
    #expect(last.exactInstant(in: newYork) == nil && last.exactInstant(in: .utc) != nil)
    #expect(LocalDateTime(exactly: try #require(Instant("9999-12-31T23:00:00.000Z")), in: seoul) == nil)
    #expect(LocalDateTime(exactly: instant, in: seoul) == local)
  }

  @Test("the elements of an array are found by scanning, each with its line, whole and byte for byte")
  func elements() throws {
    func read(_ text: String, under key: String? = nil) throws -> [(String, Int)] {
      try JSONElements(Array(text.utf8), under: key).elements.map {
        (String(decoding: $0.bytes, as: UTF8.self), $0.line)
      }
    }
    let text = "\u{FEFF} [ {\"a\": [1, \"]\\\"\"]},\n\n 12 ,\n\"x\ny\", [] ,true\n]\n"
    let found = try read(text)
    #expect(found.map(\.0) == ["{\"a\": [1, \"]\\\"\"]}", "12", "\"x\ny\"", "[]", "true"])
    #expect(found.map(\.1) == [1, 3, 4, 5, 5])
    #expect(try read("[]").isEmpty && read("{\"b\": [1], \"a\" : [ 2 , 3 ]}", under: "a").map(\.0) == ["2", "3"])
    // Of two members of one name the last is the value.
    #expect(try read("{\"a\":[1],\"a\":[2]}", under: "a").map(\.0) == ["2"])
    // A malformed element does not affect the others.
    let odd = try JSONElements(Array("[nul, 1]".utf8)).elements
    #expect(odd.map(\.value) == [nil, 1])
  }

  @Test(
    "a file whose brackets do not end is no shorter list",
    arguments: [
      ("[1", "notJSON"), ("[1,", "notJSON"), ("[1,]", "notJSON"), ("[1] x", "notJSON"), ("[\"a]", "notJSON"),
      ("[{]", "notJSON"), ("[1 2]", "notJSON"),
      ("{}", "noList"), ("", "noList"),
    ])
  func noElements(text: String, reason: String) {
    #expect(throws: WrongFormat(reason: reason, line: reason == "notJSON" ? 1 : nil), "\(text)") {
      try JSONElements(Array(text.utf8))
    }
  }

  @Test("an object without the member says which")
  func noMember() {
    #expect(throws: WrongFormat(missing: "a")) { try JSONElements(Array("{\"b\": []}".utf8), under: "a") }
    #expect(throws: WrongFormat(missing: "a")) { try JSONElements(Array("{}".utf8), under: "a") }
    #expect(throws: WrongFormat(reason: "noObject")) { try JSONElements(Array("[]".utf8), under: "a") }
    #expect(throws: WrongFormat(reason: "noList")) { try JSONElements(Array("{\"a\": 1}".utf8), under: "a") }
  }

  @Test("a text loses white space and NUL around it, and NUL within it")
  func readable() {
    #expect("a b".readable == "a b" && " \u{3000}a\n".readable == "a" && "a\0b".readable == "ab")
    #expect("\0 a \0".readable == "a" && " \0\n".readable == nil && "".readable == nil)
    #expect("abcd".shortened(to: 4).text == "abcd" && !"abcd".shortened(to: 4).isShortened)
    #expect("abcde".shortened(to: 4).text == "abc…" && "abcde".shortened(to: 4).isShortened)
    // Scalars count, not bytes.
    #expect(!"äöüß".shortened(to: 4).isShortened && "äöüßa".shortened(to: 4).text == "äöü…")
  }

  @Test("the id of an external key is a UUID of version 8, always the same")
  func derivedIDs() {
    let id = DerivedID.text(of: "a key")
    #expect(id == DerivedID.text(of: "a key") && id != DerivedID.text(of: "a kez"))
    #expect(id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}/) != nil)
    #expect(DerivedID.isByRule(DerivedID.textByRule(of: "a key")) && !DerivedID.isByRule(id))
  }

  @Test("a large import needs the token of its own file, format and history, and a small one none")
  func largeImports() throws {
    let file = LargeImport([1, 2], format: "csv", epoch: "here")
    #expect(file.token.utf8.count == 32 && file.token == LargeImport([1, 2], format: "csv", epoch: "here").token)
    for other in [
      LargeImport([1, 3], format: "csv", epoch: "here"), LargeImport([1, 2], format: "tsv", epoch: "here"),
      LargeImport([1, 2], format: "csv", epoch: "there"),
    ] {
      #expect(other.token != file.token)
      #expect(throws: RPCError.self) { try file.require(other.token, count: 1, isDryRun: nil) }
    }
    try file.require(nil, count: 10_000, isDryRun: nil)
    try file.require(file.token, count: 10_001, isDryRun: false)
    try file.require(nil, count: 10_001, isDryRun: true)
    #expect(throws: RPCError.self) { try file.require(nil, count: 10_001, isDryRun: nil) }
    #expect(throws: RPCError.self) { try file.require(nil, count: 10_001, isDryRun: false) }
  }

  @Test("fields of other programs are noted once each, with their number, and no more than a hundred of them")
  func leftOut() {
    var fields = LeftOutFields()
    fields.add(["mood", "weather"], at: .init(number: 1), title: "first")
    fields.add(["mood"], at: .init(number: 2), title: "second")
    let notes = fields.notes
    #expect(notes.map(\.field) == ["mood", "weather"] && notes.map(\.place.number) == [1, 1])
    #expect(notes.map { $0.text?.arguments["count"] } == ["2", "1"] && notes[0].title == "first")
    #expect(notes.allSatisfy { $0.reason == .badValue && !$0.isSkipped })
    fields.add((0..<200).map(String.init), at: .init(number: 3), title: "")
    #expect(fields.notes.count == 100)
    fields.add(["mood"], at: .init(number: 4), title: "")
    #expect(fields.notes[0].text?.arguments["count"] == "3")
  }

  @Test("only members with a value count as left out")
  func saying() {
    let object: JSONValue = [
      "a": 1, "b": "", "c": [], "d": [:], "e": .null, "f": false, "g": "x", "h": true, "i": 0, "j": [1], "k": ["a": 1],
    ]
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "absent"]
    #expect(object.saying(names) == ["a", "g", "h", "i", "j", "k"])
  }

  @Test("a conflict names all fields that both sides changed")
  func conflicts() {
    func text(_ fields: [String]) -> Text? { ImportNote.conflict(in: fields, at: .init(number: 1), title: "").text }
    #expect(text([]) == nil)
    #expect(text(["title"]) == Text("import.conflictIn", ["field": "title"]))
    #expect(text(["title", "body"])?.key == "import.conflictInMore")
    let note = ImportNote.conflict(in: ["title", "body"], at: .init(number: 1), title: "A walk")
    #expect(note.field == "title" && note.title == "A walk" && note.reason == .conflict && !note.isSkipped)
  }

  @Test("a note keeps the beginning of its title, and skips by its reason unless it says otherwise")
  func notes() {
    let place = ImportNote.Place(number: 1)
    #expect(ImportNote(.blank, at: place).title == nil && ImportNote(.blank, at: place).isSkipped)
    #expect(ImportNote(.blank, at: place, title: String(repeating: "a", count: 130)).title?.count == 120)
    #expect(!ImportNote(.blank, at: place, isSkipped: false).isSkipped)
    let imported: [ImportNote.Reason] = [
      .attachments, .badRule, .badValue, .badZone, .cameAgain, .conflict, .cutOff, .cycle, .keptOwn, .sameTitle,
      .undecided,
    ]
    for reason in ImportNote.Reason.allCases { #expect(reason.skips == !imported.contains(reason), "\(reason)") }
  }

  @Test("a file of a wrong format is reported with its line, its member of an archive, and what it lacks")
  func wrongFormat() {
    func error(_ failure: WrongFormat) -> Text? { RPCError(failure, of: "/a", format: "csv").text }
    var missing = WrongFormat(missing: "END:VTODO", line: 3)
    #expect(error(missing)?.key == "import.missingLine" && error(missing)?.arguments["line"] == "3")
    #expect(error(missing)?.arguments["part"] == "END:VTODO")
    missing.line = nil
    #expect(error(missing)?.key == "import.missingPart")
    #expect(error(WrongFormat(reason: "notUTF8"))?.key == "import.wrongFormat")
    let line = WrongFormat(reason: "openQuote", line: 2, file: "b.csv")
    #expect(error(line)?.key == "import.wrongLine" && error(line)?.arguments["source"] == "/a: b.csv")
    #expect(RPCError(line, of: "/a", format: "csv").kind == .corrupt)
    #expect(RPCError.reading(CancellationError(), of: "/a", format: "csv") is CancellationError)
    #expect((RPCError.reading(line, of: "/a", format: "csv") as? RPCError)?.kind == .corrupt)
  }
}
