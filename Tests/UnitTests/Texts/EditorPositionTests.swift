import Display
import Testing
import Wire

@testable import Texts

@Suite("Positions and links in open texts") struct EditorPositionTests {
  @Test("an offset is converted in each encoding, at and inside each scalar, up to the line's end")
  func offsets() {
    let line = "aé𝄞한b\r\n"
    // The offsets in bytes of the beginnings of the scalars, and of the end.
    let bytes = [0, 1, 3, 7, 10, 11]
    let units: [PositionEncoding: [Int]] = [
      .utf8: bytes, .utf16: [0, 1, 2, 4, 5, 6], .utf32: [0, 1, 2, 3, 4, 5],
    ]
    for (encoding, units) in units {
      for (unit, byte) in zip(units, bytes) {
        #expect(encoding.byteOffset(of: unit, in: line) == byte, "\(encoding) \(unit)")
        #expect(encoding.character(ofByte: byte, in: line) == unit, "\(encoding) \(byte)")
      }
      // Beyond the line's end is its end, before the line break.
      #expect(encoding.byteOffset(of: 99, in: line) == 11)
    }
    // Inside a scalar is its beginning.
    #expect(
      PositionEncoding.utf8.byteOffset(of: 2, in: line) == 1 && PositionEncoding.utf8.byteOffset(of: 6, in: line) == 3)
    #expect(PositionEncoding.utf16.byteOffset(of: 3, in: line) == 3)
  }

  @Test("the length of a line is without its line end")
  func contentCounts() {
    for (line, count) in [("", 0), ("\n", 0), ("\r\n", 0), ("a\n", 1), ("a\r\n", 1), ("a", 1), ("a\r", 2), ("é\n", 2)] {
      #expect(line.contentCount == count)
    }
  }

  @Test("a position needs two numbers that are not negative, and the ends of a range are put in order")
  func read() {
    #expect(TextPosition(["line": 1, "character": 2]) == TextPosition(line: 1, character: 2))
    for odd: JSONValue in [
      ["line": -1, "character": 0], ["line": 0, "character": -1], ["line": 0], ["character": 0],
      ["line": "0", "character": 0], [], .null,
    ] { #expect(TextPosition(odd) == nil) }
    let (first, second) = (TextPosition(line: 1, character: 5), TextPosition(line: 2, character: 0))
    #expect(first < second && !(second < first) && !(first < first))
    #expect(TextPosition(line: 1, character: 4) < first)
    #expect(PositionRange(["start": second.json, "end": first.json]) == PositionRange(first, second))
    #expect(PositionRange(["start": first.json]) == nil && PositionRange(["end": first.json]) == nil)
    #expect(
      PositionRange(first, second).json == ["start": ["line": 1, "character": 5], "end": ["line": 2, "character": 0]])
  }

  @Test("a change is a text with a range, or the whole text")
  func edits() {
    #expect(TextEdit(["text": "a"])?.range == nil && TextEdit(["text": "a", "range": .null])?.text == "a")
    #expect(TextEdit(["range": .null]) == nil && TextEdit(["text": "a", "range": [:]]) == nil)
  }

  @Test("lines between fences are found as Markdown has them")
  func fences() {
    func fenced(_ text: String) -> [Int] { TextScan.fences(in: OpenText.lines(of: text)).sorted() }
    #expect(fenced("a\n```\nb\n```\nc") == [1, 2, 3])
    #expect(fenced("  ````x\n```\n````  \nc") == [0, 1, 2])
    #expect(fenced("~~~ a`b\n```\n~~~~\nc") == [0, 1, 2])
    // Neither two signs nor a code span are a fence, and an open one goes to the end.
    #expect(fenced("``\na\n``") == [] && fenced("```a``` b\nc") == [] && fenced("```\na") == [0, 1])
    // A fence is closed by its own sign, as long as it, and nothing after it.
    #expect(fenced("```\n~~~\n``` x\n``\n```\nc") == [0, 1, 2, 3, 4])
  }

  private func links(_ language: String, _ text: String) -> [String] {
    let open = OpenText(uri: "a", languageID: language, version: 0, text: text)
    return open.scan.links.map { "\($0.line):\(open.line($0.line).bytes($0.range))" }
  }

  @Test("in prose every link is one, each in its own line")
  func prose() {
    let text = "a [[One]] [[Two]]\n\n[[Three]]\r\n한 [[Four]]"
    for language in ["markdown", "Markdown", "", "org", "gitcommit"] {
      #expect(links(language, text) == ["0:[[One]]", "0:[[Two]]", "2:[[Three]]", "3:[[Four]]"], "\(language)")
    }
  }

  @Test("in code titles are links in comments only")
  func code() {
    let text = """
      a[[1]] // [[One]]
      [[ -f x ]] # [[Two]]
      a-- [[Three]]
      /* [[Four]]
      [[Five]] */ b[[2]]
      c[[3]] % [[Six]]
      d#[[4]]
      \t; [[Seven]]
      """
    #expect(
      links("c", text) == [
        "0:[[One]]", "1:[[Two]]", "2:[[Three]]", "3:[[Four]]", "4:[[Five]]", "4:[[2]]", "5:[[Six]]", "7:[[Seven]]",
      ])
    let open = OpenText(uri: "a", languageID: "c", version: 0, text: text)
    #expect(open.scan.isComment(0, at: 7) && !open.scan.isComment(0, at: 6) && !open.scan.isComment(6, at: 3))
    #expect(open.scan.isComment(4, at: 0) && open.fenced.isEmpty)
  }

  @Test("a stable link in code is one outside of comments too")
  func stable() {
    let link = "commonplace:/diary/0192f0c1-6a00-7000-8000-000000000000"
    #expect(links("swift", "let a = \"\(link)\"").count == 1)
  }

  @Test("the link at a place is the one that has it, or ends there if none begins")
  func place() throws {
    let scan = OpenText(uri: "a", languageID: "", version: 0, text: "x\n[[A]][[B]] c\n[[D]]").scan
    func title(_ line: Int, _ byte: Int) -> String? {
      guard case .title(let title)? = scan.link(line: line, byte: byte)?.target else { return nil }
      return title
    }
    #expect(title(0, 0) == nil && title(1, 0) == "A" && title(1, 4) == "A" && title(1, 5) == "B")
    #expect(
      title(1, 10) == "B" && title(1, 11) == nil && title(2, 0) == "D" && title(2, 5) == "D" && title(3, 0) == nil)
    #expect(scan.links(inLine: 1).count == 2 && scan.links(inLine: 0).isEmpty)
  }

  @Test("a task's box is read behind each sign of a list")
  func boxes() {
    for (line, box) in [
      ("- [ ] a", TaskBox.open), ("\t* [x] a", .done), ("  + [X]", .done), ("- [ ]", .open),
    ] { #expect(line.box == box, "\(line)") }
    for line in ["- [y] a", "-[ ] a", "- [] a", "[ ] a", "1. [ ] a", "- a", "", "-"] {
      #expect(line.box == nil, "\(line)")
    }
  }
}

@Suite("What an editor declares") struct LanguageAbilityTests {
  private func abilities(
    _ text: JSONValue = [:], _ workspace: JSONValue = [:], info: JSONValue? = nil, options: JSONValue = [:],
    window: JSONValue = [:]
  ) -> LanguageAbilities {
    var client: JSONObject = [
      "capabilities": ["textDocument": text, "workspace": workspace, "window": window],
      "initializationOptions": ["commonplace": options],
    ]
    if let info { client["clientInfo"] = info }
    return LanguageAbilities(.object(client))
  }

  @Test("each ability follows from its own capability, and from no other")
  func table() {
    let flags: [(String, KeyPath<LanguageAbilities, Bool>, JSONValue, JSONValue)] = [
      ("linkSupport", \.linkSupport, ["definition": ["linkSupport": true]], [:]),
      ("documentChanges", \.documentChanges, [:], ["workspaceEdit": ["documentChanges": true]]),
      ("appliesEdits", \.appliesEdits, [:], ["applyEdit": true]),
      ("markdownHover", \.markdownHover, ["hover": ["contentFormat": ["plaintext", "markdown"]]], [:]),
      (
        "hierarchicalSymbols", \.hierarchicalSymbols,
        ["documentSymbol": ["hierarchicalDocumentSymbolSupport": true]], [:]
      ),
      ("actionLiterals", \.actionLiterals, ["codeAction": ["codeActionLiteralSupport": [:]]], [:]),
      (
        "resolvesActionEdits", \.resolvesActionEdits,
        ["codeAction": ["resolveSupport": ["properties": ["edit"]]]], [:]
      ),
      ("versionedDiagnostics", \.versionedDiagnostics, ["publishDiagnostics": ["versionSupport": true]], [:]),
      ("prepareRename", \.prepareRename, ["rename": ["prepareSupport": true]], [:]),
      (
        "resolvesSymbols", \.resolvesSymbols, [:],
        ["symbol": ["resolveSupport": ["properties": ["location.range"]]]]
      ),
      ("codeLenses", \.codeLenses, ["codeLens": [:]], [:]),
      ("inlayHints", \.inlayHints, ["inlayHint": [:]], [:]),
      ("semanticTokens", \.semanticTokens, ["semanticTokens": [:]], [:]),
      ("textContent", \.textContent, [:], ["textDocumentContent": [:]]),
    ]
    for (name, _, text, workspace) in flags {
      let declared = abilities(text, workspace)
      for (other, path, _, _) in flags { #expect(declared[keyPath: path] == (other == name), "\(name): \(other)") }
      #expect(declared.servesTexts && !declared.liveEdits && !declared.showsDocuments)
    }
    #expect(abilities(window: ["showDocument": ["support": true]]).showsDocuments)
    #expect(!LanguageAbilities(["capabilities": ["window": [:]]]).servesTexts && !LanguageAbilities([:]).servesTexts)
    #expect(LanguageAbilities(["capabilities": ["workspace": [:]]]).servesTexts)
    #expect(LanguageAbilities(["capabilities": ["textDocument": [:]]]).servesTexts)
    let other = abilities(["codeAction": ["resolveSupport": ["properties": ["command"]]]])
    #expect(!other.resolvesActionEdits && !abilities(["hover": ["contentFormat": ["plaintext"]]]).markdownHover)
  }

  @Test("live edits go to an editor with a name that can apply them, unless its options say otherwise")
  func liveEdits() {
    let able: JSONValue = ["applyEdit": true, "workspaceEdit": ["documentChanges": true]]
    let info: JSONValue = ["name": "Helix"]
    #expect(abilities([:], able, info: info).liveEdits && !abilities([:], able).liveEdits)
    #expect(abilities([:], able, options: ["liveEdits": true]).liveEdits)
    // To texts that are no files only where it says so: it has to follow their versions.
    #expect(abilities([:], able, options: ["liveEdits": true]).followsVersions)
    #expect(!abilities([:], able, info: info).followsVersions)
    #expect(!abilities([:], [:], options: ["liveEdits": true]).followsVersions)
    #expect(!abilities([:], able, info: info, options: ["liveEdits": false]).liveEdits)
    #expect(!abilities([:], ["applyEdit": true], info: info).liveEdits)
    #expect(
      !abilities([:], ["workspaceEdit": ["documentChanges": true]], info: info, options: ["liveEdits": true]).liveEdits)
  }

  @Test("options turn lenses and hints off, and choose documents and unknown titles")
  func options() {
    #expect(!abilities(["codeLens": [:]], options: ["codeLenses": false]).codeLenses)
    #expect(!abilities(["inlayHint": [:]], options: ["inlayHints": false]).inlayHints)
    #expect(abilities(options: ["documents": "virtual", "unknownTitles": "never"]).documents == .virtual)
    #expect(abilities(options: ["unknownTitles": "everywhere"]).unknownTitles == .everywhere)
    #expect(abilities(options: ["unknownTitles": "never"]).unknownTitles == .never)
    #expect(abilities(options: ["documents": "x", "unknownTitles": 1]).documents == .files)
    #expect(abilities().unknownTitles == .library)
  }

  @Test("versions of Neovim that cut completions get titles as tails")
  func tails() {
    for version in ["0.7.2", "v0.8.0", "0.9.5", "0.11.0", "v0.11.4+x"] {
      #expect(abilities(info: ["name": "Neovim", "version": .string(version)]).titlesAsTails, "\(version)")
    }
    for version in ["0.10.2", "0.12.0", "1.0", ""] {
      #expect(!abilities(info: ["name": "Neovim", "version": .string(version)]).titlesAsTails, "\(version)")
    }
    #expect(!abilities(info: ["name": "Emacs", "version": "0.9.0"]).titlesAsTails)
    #expect(!abilities(info: ["version": "0.9.0"]).titlesAsTails)
  }
}
