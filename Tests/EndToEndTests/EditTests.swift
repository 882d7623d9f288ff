import Contract
import Foundation
import TestSupport
import Testing
import Wire

@testable import commonplace

@Suite("commonplace edit", .timeLimit(.minutes(10)))
struct EditTests {
  /// Runs `edit` with a script of bash as the editor, which has the file as `$1`.
  private func edit(
    _ home: CommandLineHome, _ item: String, _ options: [String] = [], with script: String
  ) async throws -> ChildProcess.Result {
    let editor = home.work + "/editor"
    try "#!/bin/bash\n\(script)\n".write(toFile: editor, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: editor)
    mkdir(home.work + "/tmp", 0o700)
    return try await home.run(
      ["edit"] + options + [item], changing: ["EDITOR": editor, "VISUAL": nil, "TMPDIR": home.work + "/tmp"])
  }

  private func leftovers(_ home: CommandLineHome) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: home.work + "/tmp")
  }

  @Test("saves the fields and the text that were changed, and leaves no file", arguments: [[], ["--toml"]])
  func saves(_ options: [String]) async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call(
      "projects/add", "id=book", "title=Return the book", "body=To the library.", "deadline=2026-12-01", "tags=a, b")
    let sign = options.isEmpty ? ":" : " ="
    let result = try await edit(
      home, "book", options,
      with: """
        cp "$1" shown; stat -c %a "$1" > mode
        sed -i 's/^title\(sign) .*/title\(sign) "Return: both"/; s/^deadline/# deadline/' "$1"
        sed -i 's/^\\(# \\)\\?priority.*/priority\(sign) 3/' "$1"
        echo 'Or by post.' >> "$1"
        """)
    #expect(result.status == 0, "\(result)")
    let card = try await home.call("projects/get", "id=book")
    #expect(card["title"] == "Return: both" && card["priority"] == 3, "\(card)")
    #expect(card["body"] == "To the library.\nOr by post.")
    // Fields without a value say how one is written.
    let form = try String(contentsOfFile: home.work + "/shown", encoding: .utf8)
    #expect(form.contains(options.isEmpty ? "priority:  # 1–9\n" : "# priority = 1–9\n"), "\(form)")
    #expect(form.contains(options.isEmpty ? "recurrence:  # {rule: " : "# recurrence = {rule = "), "\(form)")
    // A line that was removed changes nothing.
    #expect(card["deadline"] == "2026-12-01" && card["tags"] == ["a, b"])
    #expect(try String(contentsOfFile: home.work + "/mode", encoding: .utf8) == "600\n")
    #expect(try leftovers(home) == [])
    #expect(try await home.call("projects/drafts")["total"] == 0)
  }

  @Test("a day is its newest entry, and an item of that title precedes")
  func day() async throws {
    let home = CommandLineHome(isNoon: true)
    _ = try await home.call("diary/add", "id=walk", "text=A walk")
    let edited = try await edit(home, "today", with: "echo 'Along the river.' >> \"$1\"")
    #expect(edited.status == 0, "\(edited)")
    #expect(try await home.call("diary/get", "id=walk")["body"]?.stringValue?.contains("Along the river.") == true)
    _ = try await home.call("diary/add", "id=rain", "text=Rain")
    let newest = try await edit(home, "today", with: "echo 'Until noon.' >> \"$1\"")
    #expect(newest.status == 0, "\(newest)")
    #expect(try await home.call("diary/get", "id=rain")["body"]?.stringValue?.contains("Until noon.") == true)
    let none = try await edit(home, "1 March 2020", with: "true")
    #expect(none.status == 4 && none.errors.contains("“1 March 2020”"), "\(none)")
    _ = try await home.call("projects/add", "id=card", "title=Today", "deadline:=null")
    let card = try await edit(home, "today", with: "sed -i 's/Today/This day/' \"$1\"")
    #expect(card.status == 0, "\(card)")
    #expect(try await home.call("projects/get", "id=card")["title"] == "This day")
    // Without an entry a new one is written.
    let other = CommandLineHome(isNoon: true)
    let written = try await other.startOnTerminal(
      script: "printf '#!/bin/bash\\necho Snow. > \"$1\"\\n' > editor; chmod +x editor\n"
        + "EDITOR=\"$PWD/editor\" \"$commonplace\" edit today"
    ).ended()
    #expect(written.status == 0, "\(written)")
    #expect(try await other.call("diary/list")["items"]?[0]?["title"] == "Snow.")
  }

  @Test("an editor that fails or leaves the file as it was changes nothing")
  func unchanged() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("diary/add", "id=walk", "text=A walk")
    let before = try await home.call("diary/get", "id=walk")
    let same = try await edit(home, "A walk", with: "true")
    #expect(same.status == 0 && same.errors == "commonplace: Nothing was changed.\n", "\(same)")
    let failed = try await edit(home, "A walk", with: "exit 3")
    #expect(failed.status == 1 && failed.errors.contains("ended with status 3"), "\(failed)")
    let missing = try await home.run(["edit", "A walk"], changing: ["EDITOR": "no-such-editor --wait", "VISUAL": nil])
    #expect(missing.status == 1 && missing.errors.contains("The editor “no-such-editor --wait” was not found"))
    #expect(missing.errors.contains("$EDITOR") && !missing.errors.contains("127"), "\(missing)")
    #expect(try leftovers(home) == [])
    // What an editor wrote before it failed is there.
    let written = try await edit(home, "A walk", with: "echo more >> \"$1\"; exit 1")
    #expect(written.status == 1 && written.errors.contains("What you wrote is in \(home.work)/tmp/"), "\(written)")
    #expect(try leftovers(home).count == 1)
    #expect(try await home.call("diary/get", "id=walk")["revision"] == before["revision"])
  }

  @Test("a note without a text is written in the editor, and one that is left empty is not saved")
  func note() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let terminal = try await home.startOnTerminal(
      script: """
        mkdir tmp; export TMPDIR=$PWD/tmp
        EDITOR='printf "A walk\\n\\nAlong a river, a=b.\\n" >' "$commonplace" note
        EDITOR=true "$commonplace" note; echo "status $?"
        EDITOR='printf "Snow" >' "$commonplace" note day=2026-03-01
        EDITOR=false "$commonplace" note; echo "status $?"
        ls tmp
        """
    ).ended().output
    #expect(terminal.contains("status 2") && terminal.hasSuffix("status 1\r\n"), "\(terminal)")
    let list = try await home.call("diary/list")
    let id = try #require(list["items"]?[0]?["id"]?.stringValue)
    #expect(list["total"] == 2)
    #expect(try await home.call("diary/get", "id=\(id)")["text"] == "A walk\n\nAlong a river, a=b.\n")
    // The parameters beside the missing text hold.
    #expect(list["items"]?[1]?["day"] == "2026-03-01" && list["items"]?[1]?["title"] == "Snow", "\(list)")
  }

  @Test("a note of an empty day begins with the configured template, and one that is left as it began is not saved")
  func template() async throws {
    let home = CommandLineHome(hasLibrary: true)
    try home.configure("[diary]\ntemplate = \"Morning\"\n")
    _ = try await home.call("notes/add", "text=Morning\nRain on {day}?")
    let terminal = try await home.startOnTerminal(
      script: """
        EDITOR=true "$commonplace" note; echo "status $?"
        EDITOR='sed -i s/Rain/Snow/' "$commonplace" note
        EDITOR='grep -c Rain' "$commonplace" note; echo "status $?"
        """
    ).ended().output
    #expect(terminal.contains("status 2") && terminal.hasSuffix("status 1\r\n"), "\(terminal)")
    let list = try await home.call("diary/list")
    let id = try #require(list["items"]?[0]?["id"]?.stringValue, "\(terminal)")
    #expect(list["total"] == 1)
    let text = try await home.call("diary/get", "id=\(id)")["text"]?.stringValue ?? ""
    #expect(text.hasPrefix("Snow on 20") && !text.contains("{"), "\(text)")
  }

  @Test("what cannot be read or saved stays in the file, which is named")
  func mistakes() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("projects/add", "id=book", "title=Return the book")
    let unknown = try await edit(home, "book", with: "sed -i 's/^title:.*/titel: x/' \"$1\"")
    #expect(
      unknown.status == 2 && unknown.errors.contains("Line 2 of the file cannot be read: “titel: x”."), "\(unknown)")
    let wrong = try await edit(home, "book", with: "sed -i 's/^deadline:.*/deadline: someday maybe/' \"$1\"")
    #expect(wrong.status == 2 && wrong.errors.contains("someday maybe"), "\(wrong)")
    #expect(wrong.errors.contains("What you wrote is in "))
    let files = try leftovers(home)
    #expect(files.count == 2)
    for file in files {
      let attributes = try FileManager.default.attributesOfItem(atPath: home.work + "/tmp/" + file)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test("what somebody else changed meanwhile is merged, and both versions of the same are stored in the file")
  func conflicts() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("projects/add", "id=book", "title=Return", "body=one\ntwo\nthree", "tags=a")
    let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "commonplace")
      .path
    let merged = try await edit(
      home, "book",
      with: """
        '\(program)' call projects/update id=book body=$'zero\\none\\ntwo\\nthree' tags=a tags=theirs deadline=2027-01-01 >/dev/null
        sed -i 's/^title:.*/title: Mine/; s/^tags:.*/tags: [a, mine]/; s/^three/drei/' "$1"
        """)
    #expect(merged.status == 0 && merged.errors.contains("both changes were merged"), "\(merged)")
    let card = try await home.call("projects/get", "id=book")
    #expect(card["title"] == "Mine" && card["deadline"] == "2027-01-01" && card["tags"] == ["a", "theirs", "mine"])
    #expect(card["body"] == "zero\none\ntwo\ndrei")
    let conflict = try await edit(
      home, "book",
      with: """
        '\(program)' call projects/update id=book title=Theirs >/dev/null
        sed -i 's/^title:.*/title: Ours/' "$1"
        """)
    #expect(conflict.status == 5 && conflict.errors.contains("here to Ours, elsewhere to Theirs"), "\(conflict)")
    #expect(try await home.call("projects/get", "id=book")["title"] == "Theirs")
    let file = try #require(try leftovers(home).first)
    let content = try String(contentsOfFile: home.work + "/tmp/" + file, encoding: .utf8)
    #expect(content.contains("\ntitle: Ours\n") && content.contains("# Both changed title"), "\(content)")
  }

  @Test(
    "every field of every item is written as it is read, in YAML and TOML", arguments: [FieldValue.Style.yaml, .toml])
  func values(_ style: FieldValue.Style) throws {
    let values: [JSONValue] = [
      "plain words", "a: b", "# no comment", "- item", "true", "2026-11-21", "12", "", " blank ", "it's", "“q” \"q\"",
      "line\nline", "독서 メモ", "C:\\path", ["a", "b, c", "true"], [], ["rule": "FREQ=WEEKLY;BYDAY=SA", "from": "due"],
      "key:", "a #b", "[x]", "null", "~", "yes",
    ]
    for value in values {
      let shape: Shape =
        value.arrayValue != nil ? .array(.string) : value.objectValue != nil ? .dictionary(.any) : .string
      let text = FieldValue.text(of: value, style)
      #expect(try FieldValue.value(of: text, shape) == value, "\(text)")
    }
    for (text, value) in [("3", 3), ("true", true), ("", nil), ("3 # high", 3)] as [(String, JSONValue)] {
      #expect(try FieldValue.value(of: text, .integer) == value)
    }
    for broken in ["[a", "{a: 1", "\"a", "'a", "[a] b"] {
      #expect(throws: FieldValue.SyntaxError.self) { try FieldValue.value(of: broken, .any) }
    }
  }

  @Test("a text is read byte for byte, whatever lines it begins and ends with")
  func texts() throws {
    let method = try #require(MethodNames.describe("projects/update"))
    for text in ["", "a", "a\n", "\n", "\n\na", "a\n\n", "---\nb\n---", "a\r\nb\r\n", "  x"] {
      let file = EditedFile(fields: ["title": "T"], text: text)
      let read = try EditedFile.read(file.written(.yaml), original: file, method.params)
      #expect(read.text == text && read.fields == file.fields, "\(text.debugDescription)")
    }
    // A list in lines of its own.
    let file = EditedFile(fields: ["title": "T", "tags": []], text: nil)
    let read = try EditedFile.read("---\ntags:\n  - a\n  - \"b, c\"\ntitle: U\n---\n", original: file, method.params)
    #expect(read.fields == ["title": "U", "tags": ["a", "b, c"]])
  }
}
