import Foundation
import TestSupport
import Testing
import Wire

@testable import Display

@Suite("The texts")
struct TextsTests {
  private let catalogue = Catalogue()

  @Test("every kind of error has its sentence", arguments: ErrorKind.allCases)
  func kinds(kind: ErrorKind) {
    #expect(catalogue.word("error.\(kind.rawValue)", in: .english) != nil)
  }

  /// Keys that are put together: the part before the interpolation, and what may follow it.
  private static let interpolated: [String: [String]] = [
    "error.": ErrorKind.allCases.map(\.rawValue),
    "error.parse.": ["ended", "unexpected", "tooDeep", "tooMany", "controlCharacter", "invalidUTF8", "numberTooLarge"],
    // Its reasons are arguments of `invalidRequest(…)`, which the scan reads too.
    "error.invalidRequest.": [],
    // The forms of Contract.
    "param.": [
      "id", "day", "givenDay", "instant", "color", "month", "timeOfDay", "language", "absolutePath", "base64",
    ],
    // The parts of the agenda.
    "text.agenda.": ["later", "overdue", "today", "waiting", "week"],
    // The types of JSON, of which a value is one and help names `any` too.
    "type.": ["any", "array", "boolean", "integer", "null", "number", "object", "string"],
    // The collections to whose items a text can link.
    "item.": ["boards", "books", "diary", "documents", "files", "notes", "posts", "projects"],
    // The collections whose items have tags.
    "items.": ["books", "diary", "documents", "notes", "posts", "projects"],
    "links.": ["ambiguous", "gone", "unknown"],
    // What happened to an item on a day.
    "day.kind.": ["added", "due", "event", "finished", "marked", "moved", "read", "written"],
    // Of items that one change added, so many at once.
    "day.many.": ["books", "notes", "projects"],
    "search.target.": ["all", "title", "contents", "writer"],
    "search.prompt.": ["boards", "books", "library"],
    // What may stand behind `is:`.
    "search.state.": [
      "abandoned", "attachment", "blocked", "bookmark", "closed", "doing", "done", "hidden", "highlight", "later",
      "memo", "notice",
      "open",
      "orphan", "overdue", "read", "reading", "ready", "saved", "someday", "starred", "todo", "unread",
      "want",
    ],
    "boards.badge.": ["new", "notice", "reply", "attachment"], "boards.ruleAction.": ["hide", "read", "save", "tag"],
    // What a file says of a book otherwise than its reader, by the names of the params.
    "books.kept.": ["finished", "lentTo", "note", "place", "progress", "rating", "started", "status"],
    "books.status.": ["abandoned", "read", "reading", "want"],
    // The states and kinds of a highlight, and the lists of the agenda.
    "choice.": ["orphan", "underline", "squiggly", "strikeOut", "note", "area", "ink"],
    "field.": ["overdue", "due", "events", "starting", "foreseen"],
    // When a card reminds, beside or at the deadline or the start.
    "projects.remind": ["Minutes", "Hours", "Days"].flatMap { unit in
      ["BeforeDeadline", "AfterDeadline", "BeforeStart", "AfterStart"].map { unit + $0 }
    },
    "projects.remindAt": ["Deadline", "Start"], "projects.noSnooze.": ["until", "for"],
    // Limits with one end only.
    "": ["range", "length", "count"].flatMap { ["param.\($0).minimum", "param.\($0).maximum"] },
  ]

  private static let scan = Result { try SourceScan() }

  @Test("every text that the sources name is in the languages")
  func sources() throws {
    let scan = try Self.scan.get()
    #expect(scan.files > 10)
    #expect(scan.named.count > 15)
    let known = try LanguageFile.keys()
    #expect(scan.named.subtracting(known).sorted() == [])
    for prefix in scan.prefixes.sorted() {
      let endings = try #require(Self.interpolated[prefix], "List what may follow \(prefix)")
      #expect(endings.map { prefix + $0 }.filter { !known.contains($0) } == [])
    }
  }

  /// What all texts of a family are given in one place: by the mistakes of config.toml, of credentials and of
  /// questions, and by what counts how far something has come.
  private static let addedLater: [String: Set<String>] = [
    "configuration": ["key", "line"], "credential": ["name"], "search": ["offset"], "progress": ["done", "total"],
  ]

  @Test("whoever names a text gives it what its places want")
  func arguments() throws {
    let scan = try Self.scan.get()
    #expect(scan.arguments.count > 5)
    for (key, arguments) in scan.arguments {
      guard let english = catalogue.word(key, in: .english) else { continue }
      // `invalidParams(field:reason:)` adds the field, and `saying(_:at:)` the sentences inside.
      let inner = Set(english.matches(of: /\{sentence\.(\w+)\}/).map { String($0.output.1) })
      let added = Self.addedLater[String(key.prefix { $0 != "." })] ?? []
      #expect(
        Template(english).places.subtracting(arguments.union(["field"]).union(inner).union(added)) == [], "\(key)")
    }
  }

  @Test("an error is its sentence and its advice in the client's language, with the keys for programs")
  func render() {
    let error = RPCError.notFound("diary", id: "7")
    let (message, data) = catalogue.render(error, language: .english)
    #expect(message == "There is nothing with the id 7 in diary. It may have been removed; fetch the list again.")
    #expect(
      data == [
        "collection": "diary", "id": "7", "kind": "notFound", "key": "error.notFound",
        "advice": "It may have been removed; fetch the list again.",
      ])
    let korean = catalogue.render(error, language: .korean).message
    #expect(korean == "diary에 id가 7인 항목이 없습니다. 삭제되었을 수 있으니 목록을 다시 불러오십시오.")
    for language in [Language.japanese, .chinese] {
      let message = catalogue.render(error, language: language).message
      #expect(message.contains(/。[^ ]/) && !message.contains("。 "), "\(message)")
    }
  }

  @Test("why the system refused a file is said in the client's language; what nobody has put into words stays")
  func systemReasons() {
    func said(_ reason: String, _ language: Language) -> String {
      catalogue.string(for: Text("file.unreadable", ["path": "/a", "reason": reason]), language: language)
    }
    #expect(said("No such file or directory", .english) == "/a cannot be read: No such file or directory.")
    #expect(said("No such file or directory", .korean) == "/a를 읽을 수 없습니다: 그런 파일이나 폴더가 없습니다.")
    #expect(said("Key has expired", .korean) == "/a를 읽을 수 없습니다: Key has expired.")
    for code in [ENOENT, EACCES, EISDIR, ENOTDIR, EEXIST, ENOSPC, EROFS, EMFILE, ELOOP, ENAMETOOLONG] {
      #expect(!said(String(cString: strerror(code)), .korean).contains(String(cString: strerror(code))), "\(code)")
    }
  }

  @Test("a wrong type is told in the words that help has for it, in the client's language")
  func types() {
    let error = RPCError.wrongType(.field(.root, "clock"), expected: "integer", found: .string("yesterday"))
    #expect(catalogue.render(error, language: .english).message == "“clock” takes “whole number”, not “text”.")
    #expect(catalogue.render(error, language: .korean).message == "‘clock’에는 ‘글’이 아니라 ‘정수’를 넣어야 합니다.")
    // What has no word is told as it is.
    let strange = Text("param.wrongType", ["field": "a", "expected": "type", "found": "unicorn"])
    #expect(catalogue.string(for: strange, language: .english) == "“a” takes “type”, not “unicorn”.")
  }

  @Test("an error without kind or advice has neither in its data")
  func renderPlain() {
    let (message, data) = catalogue.render(.cancelled, language: .english)
    #expect(message == "The request was cancelled.")
    #expect(data == ["key": "error.cancelled"])
  }

  @Test("an advice that lacks its argument is left out")
  func adviceWithoutArgument() {
    func render(_ arguments: [String: String]) -> String {
      let reason = Text("param.unknown", arguments)
      return catalogue.render(.invalidParams(field: "titel", reason: reason), language: .english).message
    }
    #expect(render([:]) == "There is no parameter “titel”.")
    #expect(render(["nearest": "title"]) == "There is no parameter “titel”. Did you mean “title”?")
  }

  @Test("an error names all that may have been meant, and of very much of that no half of an id")
  func choices() {
    func render(_ count: Int) -> String {
      let ids = (0..<count).map { "book=0192f0c1-7b1e-7000-8000-\(100_000_000_000 + $0)" }.joined(separator: " ")
      let text = Text("toy.none", ["candidates": ids])
      let catalogue = Catalogue(adding: [.english: "toy.none = It may be {candidates}"])
      return catalogue.render(RPCError(code: RPCError.Code.invalidParams, text: text), language: .english).message
    }
    #expect(render(5).hasSuffix("100000000004"))
    let many = render(500)
    #expect(many.hasSuffix("…") && many.count < 1_100)
    let words = many.replacing("…", with: "").split(separator: " ").map(\.count)
    #expect(words.dropFirst(3).allSatisfy { $0 == 41 }, "\(many)")
  }

  @Test("an error quotes no more than the beginning of a long argument")
  func longArgument() {
    let error = RPCError(
      code: RPCError.Code.methodNotFound,
      text: Text("error.methodNotFound", ["method": String(repeating: "가", count: 1_000_000)]))
    let message = catalogue.render(error, language: .korean).message
    #expect(message.count < 200)
    #expect(message.contains("가…"))
    let accents = "e" + String(repeating: "\u{301}", count: 1_000_000)
    #expect(catalogue.render(.notFound("diary", id: accents), language: .english).message.utf8.count < 400)
    let fits = String(repeating: "가", count: 120)
    #expect(catalogue.render(.notFound("diary", id: fits), language: .english).message.contains(fits))
  }
}
