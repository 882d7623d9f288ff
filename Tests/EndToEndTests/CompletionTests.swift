import Daemon
import Foundation
import TestSupport
import Testing

@testable import Link
@testable import commonplace

@Suite("Completion of items", .timeLimit(.minutes(10)))
struct CompletionTests {
  @Test("offers the titles that begin so, from the daemon that runs, and starts none")
  func titles() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let words = ["---completion", "open", "--", "positional@0", "2", "3", "commonplace", "open", "Ret"]
    let none = try await home.run(words, changing: ["SAP_SHELL": "bash"])
    #expect(none.status == 0 && none.output.trimmingCharacters(in: .newlines) == "", "\(none)")
    #expect(home.owner == nil)
    for title in ["Return the book", "Retire $(reboot)", "Other"] {
      _ = try await home.call("projects/add", "title=\(title)", "deadline:=null")
    }
    // The daemon of a busy machine may take its time here.
    let items = ItemCompletion(place: try Place(Paths.Options(library: home.library.path)), patience: .seconds(300))
    // A shell would run what stands in a title like the second.
    #expect(items.matching("Ret") == ["Return the book"])
    #expect(items.matching("\"ret") == ["Return the book"])
    #expect(items.words("Ret", in: ["commonplace", "done", "Ret"]) == ["Return the book"])
    #expect(items.words("Ret", in: ["commonplace", "do", "Ret"]) == [])
    // The value of a parameter that is an id, in one word or in three as bash has it.
    let call = ["commonplace", "call", "projects/get"]
    #expect(ParameterNames.matching("id=Ret", in: call + ["id=Ret"], items: items) == ["id=Return the book"])
    #expect(ParameterNames.matching("Ret", in: call + ["id", "=", "Ret"], items: items) == ["Return the book"])
    #expect(ParameterNames.matching("i", in: call + ["i"], items: items) == ["id=", "ids="])
  }

  @Test("a daemon that says nothing, or never an end, is waited for no longer than a shell may stand still")
  func silence() throws {
    let home = CommandLineHome(hasLibrary: true)
    let library = home.library
    let lock = open(library.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    let socket = try UnixSocket.bind(home.socket)
    defer { for descriptor in [lock, socket] { close(descriptor) } }
    try #require(flock(lock, LOCK_EX | LOCK_NB) == 0 && listen(socket, 8) == 0)
    try "pid \(getpid())\nsocket \(home.socket)\n".write(toFile: library.lock, atomically: false, encoding: .utf8)
    let items = ItemCompletion(
      place: try Place(Paths.Options(library: library.path)), patience: .milliseconds(1))
    #expect(items.matching("Ret") == [])
    close(accept(socket, nil, nil))
    // Blank by blank, for longer than that, and then nothing more.
    Thread.detachNewThread {
      let client = accept(socket, nil, nil)
      var count = 0
      while count < 200_000, send(client, " ", 1, Int32(MSG_NOSIGNAL)) == 1 { count += 1 }
      var end: UInt8 = 0
      while read(client, &end, 1) > 0 {}
      close(client)
    }
    #expect(items.matching("Ret") == [])
  }

  @Test("offers areas and methods to be described")
  func described() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let words = ["---completion", "describe", "--", "positional@0", "2", "3", "commonplace", "describe", "pro"]
    let result = try await home.run(words, changing: ["SAP_SHELL": "bash"])
    let offered = Set(result.output.split(whereSeparator: \.isWhitespace).map(String.init))
    #expect(offered.isSuperset(of: ["projects", "projects/add"]), "\(result)")
    #expect(offered.allSatisfy { $0.hasPrefix("pro") })
  }

  @Test("offers the tags and the other values of a query's conditions, with what is below a tag")
  func conditions() async throws {
    let home = CommandLineHome(hasLibrary: true)
    for (title, tag) in [("One", "travel/asia"), ("Two", "Travel"), ("Three", "tra $(reboot)"), ("Four", "home")] {
      _ = try await home.call("projects/add", "title=\(title)", "tags:=[\"\(tag)\"]", "deadline:=null")
    }
    let items = ItemCompletion(place: try Place(Paths.Options(library: home.library.path)), patience: .seconds(300))
    let search = ["commonplace", "search"]
    #expect(items.conditions("tag:tra", in: search + ["tag:tra"]) == ["tag:Travel", "tag:travel/asia"])
    #expect(items.conditions("tra", in: search + ["tag", ":", "tra"]) == ["Travel", "travel/asia"])
    #expect(items.conditions(":", in: search + ["river", "tag", ":"]).isEmpty == false)
    #expect(items.conditions("in:not", in: search + ["in:not"]) == ["in:notes"])
    #expect(items.conditions("tra", in: search + ["tra"]) == [])
    #expect(items.conditions("tag:tra", in: ["commonplace", "note", "tag:tra"]) == [])
  }

  @Test("offers the values of a parameter: of a choice, true and false, tags, boards, columns, and the items of ids")
  func values() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("projects/add", "title=One", "tags:=[\"garden\", \"$(reboot)\"]", "deadline:=null")
    _ = try await home.call("projects/addBoard", "title=Garden")
    let items = ItemCompletion(place: try Place(Paths.Options(library: home.library.path)), patience: .seconds(300))
    func offered(_ word: String, of method: String) -> [String] {
      ParameterNames.matching(word, in: ["commonplace", "call", method, word], items: items)
    }
    #expect(offered("format=i", of: "projects/export") == ["format=ics"])
    // As zsh has it.
    #expect(offered("format\\=i", of: "projects/export") == ["format=ics"])
    #expect(offered("allBoards=", of: "projects/list") == ["allBoards=true", "allBoards=false"])
    #expect(offered("sort=u", of: "projects/list") == ["sort=urgency"])
    #expect(offered("tags=", of: "projects/add") == ["tags=garden"] && offered("tag=x", of: "projects/list") == [])
    #expect(offered("board=Ga", of: "projects/list") == ["board=Garden"])
    #expect(offered("state=do", of: "projects/list") == ["state=doing", "state=done"])
    #expect(offered("query=do", of: "projects/list") == [])
    let split = ["commonplace", "call", "projects/export", "format", "="]
    #expect(ParameterNames.matching("=", in: split, items: items).contains("ics"))
    #expect(ParameterNames.matching("i", in: split + ["i"], items: items) == ["ics"])
  }

  @Test("offers the numbers and the short ids of the last list of the terminal")
  func lastList() async throws {
    let home = CommandLineHome(hasLibrary: true)
    for (title, end) in [("One", "3c5d9a1e9f3a"), ("Two", "77aa01e24b20")] {
      _ = try await home.call("projects/add", "title=\(title)", "id=019ac0f2-7b1e-7000-8000-\(end)", "deadline:=null")
    }
    let output = try await home.startOnTerminal(
      script: """
        "$commonplace" call projects/list
        offered() {
          echo "$1: $(SAP_SHELL=bash "$commonplace" ---completion open -- positional@0 2 3 commonplace open "$1" | xargs)"
        }
        offered %
        "$commonplace" search nothing-of-this
        offered %
        offered 4b
        """
    ).ended().output
    // A search without a hit leaves the list as it was.
    #expect(output.split(separator: "%: %1 %2\r\n", omittingEmptySubsequences: false).count == 3, "\(output)")
    #expect(output.contains("4b: 4b20\r\n"), "\(output)")
  }

  @Test(
    "a shell completes commands and titles at its prompt",
    arguments: [
      ("bash", ["--norc", "-i"], "source ./completions"),
      ("zsh", ["-f", "-i"], "fpath=($PWD $fpath); autoload -U compinit; compinit -u -D"),
      ("fish", ["--no-config", "-i"], "source ./completions"),
    ])
  func shells(shell: String, arguments: [String], setup: String) async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("projects/add", "title=Zanzibar by boat", "deadline:=null")
    let script = try await home.run(["completion", shell])
    #expect(script.status == 0, "\(script)")
    for name in ["completions", "_commonplace"] {
      try script.output.write(toFile: "\(home.work)/\(name)", atomically: true, encoding: .utf8)
    }
    try FileManager.default.createSymbolicLink(
      atPath: "\(home.work)/commonplace", withDestinationPath: CommandLineHome.commonplace)
    let environment = home.environment.merging(["TERM": "xterm", "PATH": "\(home.work):/usr/bin:/bin"]) { $1 }
    let typed = try await ChildProcess(
      "/usr/bin/python3", ["-c", Self.typing, setup, shell] + arguments, environment: environment, folder: home.work
    ).end()
    #expect(typed.output == "op: open\nopen Zan: Zanzibar\n", "\(typed)")
  }

  /// Types the beginning of a command and a tab at the prompt of a shell, until the rest is shown, at most forty times:
  /// completion gives up on a daemon that takes long, as on a busy machine.
  private static let typing = """
    import os, pty, select, sys, time
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(sys.argv[2], sys.argv[2:])
    def shows(text, seconds):
        shown, end = b"", time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([terminal], [], [], end - time.monotonic())[0]:
                shown += os.read(terminal, 65536)
                if text.encode() in shown:
                    return True
        return False
    os.write(terminal, (sys.argv[1] + "; echo rea''dy\\n").encode())
    shows("ready", 120)
    for typed, rest in [("op", "open"), ("open Zan", "Zanzibar")]:
        line = b"\\x15commonplace " + typed.encode() + b"\\t"
        if any(os.write(terminal, line) and shows(rest, 5) for _ in range(40)):
            print(typed + ": " + rest, flush=True)
    os.kill(child, 9)
    """

  @Test("offers nothing that a shell would expand")
  func plain() {
    for text in ["A paper", "독서 2", "a-b_c.d", "%3"] { #expect(ItemCompletion.isPlain(text), "\(text)") }
    for text in ["$(x)", "`x`", "a;b", "a\\b", "~/x", "a\"b", "a'b", "*", "a\u{1B}b", "a:b"] {
      #expect(!ItemCompletion.isPlain(text), "\(text)")
    }
  }
}
