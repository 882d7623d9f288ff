import Foundation
import TestSupport
import Testing
import Wire

@Suite("commonplace call", .timeLimit(.minutes(10)))
struct CallTests {
  @Test("takes params as pairs, as JSON, and from its input, and means the same")
  func forms() async throws {
    let home = CommandLineHome()
    let wanted = try await home.call("changes/since", "clock=0", "collections=documents", "collections=highlights")
    #expect(wanted["clock"] == 0)
    let json = #"{"clock": 0, "collections": ["documents", "highlights"]}"#
    try json.write(toFile: home.work + "/params.json", atomically: true, encoding: .utf8)
    #expect(try await home.call("changes/since", json) == wanted)
    #expect(try await home.call("changes/since", #"{"clock": 7}"#, "clock=0", #"collections:=["documents"]"#) == wanted)
    let piped = try await home.run(["call", "changes/since", "-"], input: json)
    #expect(try JSONParser.parse(piped.output) == wanted)
  }

  @Test("prints one line for a pipe, and several when asked")
  func layout() async throws {
    let home = CommandLineHome()
    #expect(try await home.run(["call", "session/sync"]).output == #"{"clock":0}"# + "\n")
    #expect(try await home.run(["call", "session/sync", "--pretty"]).output == "{\n  \"clock\": 0\n}\n")
  }

  @Test("tells a wrong method or parameter with the nearest name, and starts no daemon for it")
  func mistakes() async throws {
    let home = CommandLineHome()
    let method = try await home.run(["call", "session/pong"])
    #expect(method.status == 2)
    #expect(
      method.errors
        == "commonplace: There is no method “session/pong”. Did you mean “session/ping”? “commonplace describe” lists them all.\n"
    )
    #expect(try await home.run(["call", "toggleBookmark"]).errors.contains("“documents/toggleBookmark”"))
    #expect(
      try await home.run(["call", "unicorns/feed"]).errors
        == "commonplace: There is no method “unicorns/feed”. “commonplace describe” lists them all.\n")
    let name = try await home.run(["call", "changes/since", "clok=1"])
    #expect(name.status == 2)
    #expect(name.errors == "commonplace: There is no parameter “clok”. Did you mean “clock”?\n")
    let type = try await home.run(["call", "changes/since", "clock=yesterday"])
    #expect(type.status == 2)
    #expect(type.errors == "commonplace: “clock” takes “whole number”, not “text”.\n")
    #expect(try await home.run(["call", "changes/since", "clock"]).status == 2)
    #expect(try await home.run(["call", "changes/since", "{"]).status == 2)
    #expect(home.owner == nil)
  }

  @Test("what the parser of arguments refuses is told in the user's language too")
  func parserLanguage() async throws {
    let home = CommandLineHome()
    let korean = try await home.run(["call", "projects/board", "--foo", "--locale", "ko-KR"])
    #expect(korean.status == 2 && korean.errors.hasPrefix("오류: ‘--foo’ 옵션은 없습니다."), "\(korean)")
    #expect(korean.errors.contains("사용법: commonplace call"))
    let other = try await home.run(["watch", "--nope"], changing: ["LANG": "ko_KR.UTF-8"])
    #expect(other.errors.hasPrefix("오류: ‘--nope’ 옵션은 없습니다.\n사용법: "), "\(other)")
    #expect(try await home.run(["watch", "--nope"]).errors.hasPrefix("Error: Unknown option '--nope'\nUsage: "))
  }

  @Test(
    "so is what the commands themselves refuse, each in its own words",
    arguments: [
      (["call"], "Name a method; “commonplace describe” lists them."),
      (["describe", "projects", "--markdown"], "A document is of the whole protocol; leave out the name."),
      (["serve", "--private"], "--private goes with --stdio."),
      (["serve", "--stdio", "--background"], "--background does not go with --stdio."),
      (["serve", "--stdio", "--private", "--socket", "s"], "A private daemon has no --socket."),
    ])
  func ownMistakes(_ arguments: [String], _ sentence: String) async throws {
    let home = CommandLineHome()
    let english = try await home.run(arguments)
    #expect(english.status == 2 && english.errors.hasPrefix("Error: \(sentence)\n"), "\(english)")
    let korean = try await home.run(arguments, changing: ["LANG": "ko_KR.UTF-8"])
    #expect(korean.errors.hasPrefix("오류: ") && !korean.errors.contains(sentence), "\(korean)")
  }

  @Test("speaks the user's language")
  func languages() async throws {
    let home = CommandLineHome()
    let korean = try await home.run(["call", "session/pong"], changing: ["LANG": "ko_KR.UTF-8"])
    #expect(korean.errors.hasPrefix("commonplace: ‘session/pong’ 메서드는 없습니다. 혹시 ‘session/ping’입니까?"))
    let asked = try await home.run(["call", "changes/undo", "--locale", "ko-KR"])
    #expect(asked.errors == "commonplace: 실행을 취소할 것이 없습니다. changes/log에서 커밋 목록과 취소할 수 있는 것을 볼 수 있습니다.\n")
    #expect(asked.status == 5)
  }

  @Test("a failure has its sentence on the error output and its own status")
  func failures() async throws {
    let home = CommandLineHome()
    let gone = try await home.run(["call", "documents/get", "id=0192"])
    #expect(gone.status == 4)
    #expect(gone.output == "")
    #expect(gone.errors.hasPrefix("commonplace: ") && gone.errors.split(separator: "\n").count == 1)
    let missing = try await home.run(["call", "documents/add", "path=no.pdf"])
    #expect([4, 13].contains(missing.status), "\(missing)")
    // A relative path is the user's, not the daemon's.
    #expect(missing.errors.contains(home.work + "/no.pdf"), "\(missing.errors)")
  }

  @Test("a secret is asked for on the terminal and not shown")
  func prompts() async throws {
    let home = CommandLineHome()
    let call = try home.startOnTerminal(["call", "documents/add", "path=no.pdf", "password=@-"])
    #expect(await call.says("password: "))
    call.write("hush\n")
    let result = await call.ended()
    #expect(result.status == 4)
    #expect(!result.output.contains("hush"))
  }

  @Test("the password of a document that wants one is asked for on a terminal, until it is the right one")
  func passwordAsked() async throws {
    let home = CommandLineHome()
    try Data(SamplePDF.encrypted).write(to: URL(filePath: home.work + "/locked.pdf"))
    let call = try home.startOnTerminal(["call", "documents/add", "path=locked.pdf"])
    for (word, why) in [
      ("wrong", "opens only with its password"), ("pässwört", "The password given does not open"),
    ] {
      #expect(await call.line()?.contains(why) == true)
      #expect(await call.says("password: "))
      call.write(word + "\n")
      #expect(await call.line() == "password: \r")
    }
    let result = await call.ended()
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains("protected") && result.output.contains("locked.pdf"), "\(result)")
  }

  @Test("where nobody can be asked, the error says how a password is given")
  func passwordTold() async throws {
    let home = CommandLineHome()
    try Data(SamplePDF.encrypted).write(to: URL(filePath: home.work + "/locked.pdf"))
    let refused = try await home.run(["call", "documents/add", "path=locked.pdf"])
    #expect(refused.status == 8)
    #expect(refused.errors.contains("password=@-") && refused.errors.contains("password=@FILE"))
    try "pässwört\n".write(toFile: home.work + "/word", atomically: true, encoding: .utf8)
    let added = try await home.call("documents/add", "path=locked.pdf", "password=@word")
    #expect(added["isProtected"] == true)
  }

  @Test("the places of an ambiguous line are printed as they read, each with what means it")
  func places() async throws {
    let home = CommandLineHome()
    try Data(SamplePDF(pages: [.init(["again", "other", "again"])]).bytes).write(
      to: URL(filePath: home.work + "/paper.pdf"))
    let id = try #require(try await home.call("documents/add", "path=paper.pdf")["id"]?.stringValue)
    let refused = try await home.run(["call", "documents/toggleHighlight", "id=\(id)", "page=0", "lines=again"])
    #expect(refused.status == 5)
    let lines = refused.errors.split(separator: "\n").map(String.init)
    try #require(lines.count == 5)
    #expect(lines[1] == "  1. [again] other again")
    #expect(lines[3] == "  2. again other [again]")
    // What stands there is taken as it stands there.
    let pair = try #require(lines[4].split(separator: "'").dropFirst().first)
    let marked = try await home.call("documents/toggleHighlight", "id=\(id)", "page=0", "quads:=\(pair)")
    #expect(marked["added"]?[0]?["prefix"]?.stringValue?.hasSuffix("other\n") == true)
  }

  @Test("Ctrl-C at the prompt for a secret ends the command")
  func promptCancelled() async throws {
    let home = CommandLineHome()
    let call = try home.startOnTerminal(["call", "documents/add", "path=no.pdf", "password=@-"])
    #expect(await call.says("password: "))
    call.write("\u{3}")
    #expect(await call.ended().status == 130)
    #expect(home.owner == nil)
  }

  @Test("a signal at the prompt for a secret ends the command by that signal, and what is typed is shown again")
  func promptKilled() async throws {
    for number in [SIGTERM, SIGHUP, SIGINT] {
      let home = CommandLineHome()
      let terminal = try home.startOnTerminal(
        script: """
          bash -c 'echo $$; exec "$0" call documents/add path=no.pdf password=@-' "$commonplace"
          echo "status $?"
          stty -a
          """)
      let pid = try #require(await terminal.line().flatMap { pid_t($0.filter(\.isNumber)) })
      #expect(await terminal.says("password: "))
      kill(pid, number)
      let output = await terminal.ended().output
      #expect(output.contains("status \(128 + number)"), "\(output)")
      let settings = Set(output.split(whereSeparator: \.isWhitespace))
      #expect(settings.contains("echo") && settings.contains("isig"), "\(output)")
    }
  }

  @Test("a long call shows how far it is on a terminal, and answers for people")
  func progress() async throws {
    let home = CommandLineHome()
    let check = try home.startOnTerminal(["check", "--rebuild-index"])
    let result = await check.ended()
    #expect(result.status == 0)
    #expect(result.output.contains("Checking the library  ["))
    // The bar is gone before the answer is written, which is a page as that of `call library/check`.
    #expect(result.output.contains("\r\u{1B}[K\u{1B}[2mintact "), "\(result)")
    #expect(!result.output.contains("{"), "\(result)")
    let json = try await home.startOnTerminal(["check", "--json"]).ended()
    #expect(json.output.contains("{\r\n  \"ok\": true"), "\(json)")
    let backup = try await home.startOnTerminal(["backup", "copy"]).ended()
    #expect(backup.output.contains(home.work + "/copy\r\n") && !backup.output.contains("{"), "\(backup)")
  }

  @Test("a daemon that ends in the moment in which it is greeted is not the end of the call")
  func endsWhenGreeted() async throws {
    let home = CommandLineHome()
    let server = try await HeldServer.listen(at: home.socket, closingFirst: true)
    let call = try home.start(["call", "session/sync", "--socket", home.socket])
    await server.asked()
    call.kill(SIGINT)
    #expect(await call.ended().status == 130)
    await server.close()
  }

  @Test("a daemon that ends between being found and being connected to is not the end of the call")
  func endsWhenFound() async throws {
    let home = CommandLineHome()
    let program = """
      import socket, sys
      listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
      listening.bind(sys.argv[1])
      listening.listen(1)
      print("listening", flush=True)
      listening.accept()
      """
    let killed = try ChildProcess(
      "/usr/bin/python3", ["-c", program, home.socket], environment: home.environment, folder: home.work)
    #expect(await killed.line() == "listening")
    let result = try await home.run(["call", "diary/add", "text=one", "--socket", home.socket])
    #expect(result.status == 0, "\(result)")
    _ = await killed.ended()
  }

  @Test("whoever asked for a change of a daemon that ended before it answered is told that nobody knows; of a read not")
  func endsUnanswered() async throws {
    let home = CommandLineHome()
    let server = try await HeldServer.listen(at: home.socket, closingAsked: true)
    let write = try await home.run(["call", "diary/add", "text=one", "--socket", home.socket])
    #expect(write.status == 3)
    #expect(
      write.errors
        == "commonplace: The daemon ended before it answered; the request may or may not have been executed. Check the result before you repeat it. The next command starts the daemon again.\n"
    )
    let read = try await home.run(["call", "diary/list", "--socket", home.socket])
    #expect(read.status == 3)
    #expect(read.errors == "commonplace: The daemon has ended. The next command starts it again.\n")
    await server.close()
  }

  @Test("Ctrl-C cancels the request and waits for what became of it")
  func cancels() async throws {
    let home = CommandLineHome()
    let server = try await HeldServer.listen(at: home.socket)
    let call = try home.start(["call", "session/sync", "--socket", home.socket])
    await server.asked()
    call.kill(SIGINT)
    let result = await call.ended()
    #expect(result.status == 130)
    #expect(result.errors == "commonplace: cancelled at last\n")
    await server.close()
  }

  @Test("a post that is looked at and not kept for good is no failure")
  func unsavedPost() async throws {
    let home = CommandLineHome()
    let server = try ScriptedServer { _ in
      .text(
        "<rss version=\"2.0\"><channel><title>News</title><item><guid>1</guid><title>Lunch</title></item></channel></rss>"
      )
    }
    defer { server.stop() }
    _ = try await home.call("boards/addSource", "kind=feed", "url=\(server.origin)/feed")
    let board = try #require(try await home.call("boards/list")["items"]?[0]?["id"]?.stringValue)
    let post = try #require(try await home.call("boards/posts", "board=\(board)")["items"]?[0]?["id"]?.stringValue)
    let result = try await home.run(["call", "boards/post", "id=\(post)"])
    #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
    #expect(try JSONParser.parse(result.output)["saved"] == false)
  }

  @Test("days are those of the zone in config.toml where the shell names none of its own")
  func configuredZone() async throws {
    let home = CommandLineHome()
    try home.configure("[library]\ntimeZone = \"Pacific/Honolulu\"\n")
    for (shell, zone) in [(nil, "Pacific/Honolulu"), ("Asia/Seoul", "Asia/Seoul")] as [(String?, String)] {
      let result = try await home.run(["call", "diary/add", "text=A walk"], changing: ["TZ": shell])
      #expect(try JSONParser.parse(result.output)["timeZone"]?.stringValue == zone, "\(result)")
    }
  }
}
