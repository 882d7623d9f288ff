import Contract
import Foundation
import TestSupport
import Testing
import Wire

@testable import commonplace

/// One field of each kind that the command line reads in a way of its own.
private enum Try: Contract.Method {
  static let name = "try/everything"
  static let summary = "Takes one of everything."
  static let effects: Effects = []

  struct Params: Payload {
    var text: String?
    var line: String?
    var count: Int?
    var ratio: Double?
    var flag: Bool?
    var words: [String]?
    var numbers: [Int]?
    var path: String?
    var paths: [String]?
    var inner: Inner?
    var any: JSONValue?
    var note: Patch<String>
    var secret: String?

    static let example = Params(
      text: nil, line: nil, count: nil, ratio: nil, flag: nil, words: nil, numbers: nil, path: nil, paths: nil,
      inner: nil, any: nil, note: .absent, secret: nil)
    static let fields = Dictionary(
      uniqueKeysWithValues: [
        "text", "line", "count", "ratio", "flag", "words", "numbers", "path", "paths", "inner", "any", "note",
        "secret",
      ].map { ($0, "A field.") })
    static let limits: [String: FieldLimits] = [
      "text": .length(0...100_000), "line": .length(1...1_000), "path": .form(.absolutePath),
      "paths": .form(.absolutePath),
    ]
    static let secrets: Set<String> = ["secret"]
  }

  struct Inner: Payload {
    var depth: Int
    var name: String?
    static let example = Inner(depth: 1, name: nil)
    static let fields = ["depth": "A number.", "name": "A text."]
  }

  typealias Result = Empty
}

@Suite("The params of a call")
struct CallParamsTests {
  private func read(_ arguments: String..., secret: String? = nil) throws -> JSONValue {
    let place = try Place(locale: "en")
    let description = MethodDescription(Try.self, kind: "control")
    let prompt = SecretPrompt(isPossible: secret != nil) { _ in secret }
    return try CallParams(description: description, place: place, secrets: prompt).value(of: arguments)
  }

  @Test("the format of an export follows from the name of its file, or else the error lists the formats")
  func guessedFormat() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("projects/add", "title=Return the book")
    _ = try await home.call("projects/export", "path=cards.ics")
    let calendar = try String(contentsOfFile: home.work + "/cards.ics", encoding: .utf8)
    #expect(calendar.hasPrefix("BEGIN:VCALENDAR"))
    _ = try await home.call("books/export", "path=shelf.bib")
    _ = try await home.call("projects/export", "path=cards.txt", "format=jsonl")
    #expect(try String(contentsOfFile: home.work + "/cards.txt", encoding: .utf8).hasPrefix("{"))
    for path in ["cards", "cards.xyz", "shelf.bib"] {
      let refused = try await home.run(["call", "projects/export", "path=\(path)"])
      let formats = "“format” is missing. It is one of ics, taskwarrior, todotxt, markdown, jsonl."
      #expect(refused.status == 2 && refused.errors.contains(formats), "\(refused)")
    }
  }

  @Test("a path is taken from where the command runs, and from the home behind a tilde; none stays none")
  func absolutePaths() throws {
    let folder = FileManager.default.currentDirectoryPath
    let parent = String(folder[..<folder.lastIndex(of: "/")!])
    let home = ["HOME": "/home/ann"]
    for (path, expected) in [
      ("/a/../b", "/a/../b"), ("/a/.", "/a"), ("/a//b/", "/a/b"), ("/", "/"), (".", folder), ("a", folder + "/a"),
      ("./a//b/.", folder + "/a/b"), ("../a", parent + "/a"), ("", ""), ("/..", "/"), ("/../a", "/a"),
      ("/usr/../none/../b", "/none/../b"),
      ("~", "/home/ann"), ("~/a", "/home/ann/a"), ("~ann", folder + "/~ann"), (" ", folder + "/ "),
    ] {
      #expect(AbsolutePath.of(path, in: home) == expected)
    }
    // Beyond a link, “..” is the parent of the folder that it leads to.
    let files = TemporaryFolder()
    let manager = FileManager.default
    try manager.createDirectory(atPath: files.file("real/inner"), withIntermediateDirectories: true)
    try manager.createSymbolicLink(atPath: files.file("link"), withDestinationPath: files.file("real/inner"))
    let real = try #require(realpath(files.file("real"), nil).map { String(cString: $0) })
    #expect(AbsolutePath.of(files.file("link/../a"), in: home) == real + "/a")
    #expect(AbsolutePath.of(files.file("real/inner/../a"), in: home) == files.file("real/a"))
    for environment in [[:], ["HOME": "home"]] {
      #expect(AbsolutePath.of("~/a", in: environment) == folder + "/~/a")
    }
  }

  @Test("a list of one text with a comma in it is one element, and whoever may have meant two is told how to say it")
  func commas() throws {
    func hints(_ arguments: String...) throws -> [String] {
      try CallParams(description: MethodDescription(Try.self, kind: "control"), place: Place(locale: "en"))
        .hints(on: arguments)
    }
    #expect(try read("words=a,b") == ["words": ["a,b"]])
    let hint = try #require(try hints("words=a,b", "text=x,y").first)
    #expect(hint.contains("“a,b”") && hint.contains("words=a words=b"))
    for one in [
      ["words=a, b"], ["words=a"], ["words=[\"a,b\"]"], ["words:=[\"a,b\"]"], ["text=x,y"], ["words=a,b", "words=c"],
    ] {
      #expect(
        try CallParams(description: MethodDescription(Try.self, kind: "control"), place: Place(locale: "en"))
          .hints(on: one) == [], "\(one)")
    }
  }

  private func status(_ arguments: String...) -> commonplace.ExitStatus? {
    do {
      let place = try Place(locale: "en")
      let description = MethodDescription(Try.self, kind: "control")
      _ = try CallParams(description: description, place: place).value(of: arguments)
      return nil
    } catch {
      return error.status
    }
  }

  @Test(
    "each text is read as its field wants it",
    arguments: [
      ("text=7", ["text": "7"]), ("text=true", ["text": "true"]), ("text=", ["text": ""]),
      ("text=a=b", ["text": "a=b"]), ("count=7", ["count": 7]), ("count=-7", ["count": -7]),
      ("ratio=0.5", ["ratio": 0.5]), ("flag=true", ["flag": true]), ("flag=false", ["flag": false]),
      ("words=a", ["words": ["a"]]), (#"words=["a", "b"]"#, ["words": ["a", "b"]]), ("words=[", ["words": ["["]]),
      ("numbers=1", ["numbers": [1]]), ("inner.depth=3", ["inner": ["depth": 3]]),
      (#"inner={"depth": 3}"#, ["inner": ["depth": 3]]), ("any=7", ["any": 7]), ("any=seven", ["any": "seven"]),
      ("note:=null", ["note": nil]), ("note=null", ["note": "null"]), (#"text:="x""#, ["text": "x"]),
      ("text=@@home", ["text": "@home"]), ("path=/a/b", ["path": "/a/b"]),
    ] as [(String, JSONValue)])
  func pairs(pair: String, value: JSONValue) throws {
    #expect(try read(pair) == value)
  }

  @Test("repeated pairs of a list join, members of an object meet, and later ones replace earlier ones")
  func many() throws {
    #expect(try read("words=a", "words=b") == ["words": ["a", "b"]])
    #expect(try read("inner.depth=1", "inner.name=n") == ["inner": ["depth": 1, "name": "n"]])
    #expect(try read(#"{"text": "a", "count": 1}"#, "text=b") == ["text": "b", "count": 1])
  }

  @Test("paths are the user's, relative to where they are")
  func paths() throws {
    let here = FileManager.default.currentDirectoryPath
    #expect(try read("path=a/./b.pdf") == ["path": .string(here + "/a/b.pdf")])
    #expect(try read("paths=a", "paths=/b") == ["paths": [.string(here + "/a"), "/b"]])
    #expect(AbsolutePath.of("~/a", in: ["HOME": "/home/ann"]) == "/home/ann/a")
    // Not a path: left alone.
    #expect(try read("text=a/b") == ["text": "a/b"])
  }

  @Test("an unknown param is refused, but passed on to a method of the language server protocol, which ignores it")
  func unknown() throws {
    #expect(status("nowhere=1") == .usage)
    let initialize = try #require(MethodNames.describe("initialize"))
    let params = try CallParams(description: initialize, place: Place(locale: "en")).value(of: ["nowhere=1"])
    #expect(params["nowhere"] != nil)
  }

  @Test("a file's content is read byte for byte, and of a secret the line end goes")
  func files() throws {
    let folder = TemporaryFolder()
    try "one\ntwo\n".write(toFile: folder.file("f"), atomically: true, encoding: .utf8)
    #expect(try read("text=@\(folder.file("f"))") == ["text": "one\ntwo\n"])
    try "hush\n".write(toFile: folder.file("s"), atomically: true, encoding: .utf8)
    #expect(try read("secret=@\(folder.file("s"))") == ["secret": "hush"])
    #expect(status("text=@\(folder.file("none"))") == .notFound)
    // A mark of the byte order is of the text, and of no password.
    try Data([0xEF, 0xBB, 0xBF] + Array("BOM first".utf8)).write(to: URL(filePath: folder.file("b")))
    let marked = try #require(try read("text=@\(folder.file("b"))")["text"]?.stringValue)
    #expect(Array(marked.utf8) == [0xEF, 0xBB, 0xBF] + Array("BOM first".utf8))
    #expect(try read("secret=@\(folder.file("b"))") == ["secret": "BOM first"])
    // What is no text is refused, not mended.
    try Data([0x61, 0xFF]).write(to: URL(filePath: folder.file("l")))
    #expect(status("text=@\(folder.file("l"))") == .usage)
  }

  @Test("of what is one line, such as a title, the file's last line end goes, and a mark of the byte order")
  func lines() throws {
    let folder = TemporaryFolder()
    func content(_ text: String, of key: String) throws -> JSONValue {
      try Data(text.utf8).write(to: URL(filePath: folder.file("f")))
      return try read("\(key)=@\(folder.file("f"))")
    }
    for text in ["A title\n", "A title\r\n", "A title", "\u{FEFF}A title\n"] {
      #expect(try content(text, of: "line") == ["line": "A title"])
      #expect(try content(text, of: "words") == ["words": ["A title"]])
    }
    // A second one was meant, and is the daemon's to refuse; blanks are nobody's line end.
    #expect(try content("A title\n\n", of: "line") == ["line": "A title\n"])
    #expect(try content("A title \n", of: "line") == ["line": "A title "])
    #expect(try content("7\n", of: "count") == ["count": 7])
    #expect(try content("true\n", of: "flag") == ["flag": true])
    #expect(try content("/a/b\n", of: "path") == ["path": "/a/b"])
    #expect(
      try read("inner.depth=1", "inner.name=@\(folder.file("f"))") == ["inner": ["depth": 1, "name": "/a/b"]])
    // What stands on the command line is what was meant.
    #expect(try read("line=A title\n") == ["line": "A title\n"])
  }

  @Test("what people write in paragraphs is no line, and everything else is one")
  func paragraphs() {
    var names: Set<String> = []
    for route in MethodNames.routes {
      guard case .object(let params) = route.description.params else { continue }
      for field in params.fields where field.shape == .string && !field.isLine { names.insert(field.name) }
    }
    #expect(names == ["body", "data", "frontMatter", "html", "note", "quote", "text"])
  }

  @Test("a secret on the command line is refused in every form")
  func secrets() {
    #expect(status("secret=hush") == .usage)
    #expect(status("secret=@@hush") == .usage)
    #expect(status(#"secret:="hush""#) == .usage)
    #expect(status(#"{"secret": "hush"}"#) == .usage)
  }

  @Test(
    "what cannot be read is refused before any daemon is asked",
    arguments: ["count=x", "count=1.5", "flag=yes", "inner.depth=x", "unknown=1", "text", "=x", "text:=[", "{", "[1]"])
  func refused(argument: String) {
    #expect(status(argument) == .usage)
  }
}

@Suite("What a terminal shows")
struct TerminalTests {
  @Test("a bar fits its line, whatever letters the message has, and is not full before all is done")
  func bar() {
    #expect(
      ProgressBar.line(title: "Adding a document", percentage: 48, message: "3 of 6 MB", width: 80)
        == "Adding a document  [#########···········]   48 %  3 of 6 MB")
    #expect(
      ProgressBar.line(title: "t", percentage: 400, message: nil, width: 80)
        == "t  [###################·]   99 %")
    #expect(ProgressBar.line(title: "", percentage: nil, message: "문서를 가져오는 중", width: 11) == "문서를 가…")
  }

  @Test("JSON for people keeps what is short on its line")
  func pretty() {
    let value: JSONValue = ["a": [1, 2], "b": [["c": nil]], "d": [:], "e": []]
    #expect(
      PrettyJSON.text(of: value) == """
        {
          "a": [1, 2],
          "b": [
            {"c": null}
          ],
          "d": {},
          "e": []
        }
        """)
  }
}
