import Client
import Daemon
import Features
import Foundation
import System
import TestSupport
import Testing
import Wire

@testable import commonplace

@Suite("commonplace watch", .timeLimit(.minutes(10)))
struct WatchTests {
  /// Adds toys until the watcher has told of one.
  private func firstLine(of watch: ChildProcess, while writer: Client) async throws -> String? {
    try await firstLine(of: watch) { _ in _ = try await writer.call("toys/add", ["title": "A top"]) }
  }

  /// Changes something until the watcher has told of it: nothing else says from outside that it has begun to watch.
  private func firstLine(
    of watch: ChildProcess, while change: @escaping @Sendable (Int) async throws -> Void
  ) async throws -> String? {
    try await withThrowingTaskGroup(of: String?.self) { group in
      group.addTask { await watch.line() }
      group.addTask {
        var number = 0
        while !Task.isCancelled {
          number += 1
          try await change(number)
        }
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }

  @Test("writes every notification as one line at once, and with --no-wait ends with 3 when the daemon does")
  func lines() async throws {
    let home = CommandLineHome()
    let daemon = try await TestDaemon(features: AllFeatures.features + [ToyFeature.feature])
    let writer = try await daemon.client()
    let watch = try home.start(["watch", "--no-wait", "--collections", "toys", "--socket", daemon.socket])
    let line = try #require(try await firstLine(of: watch, while: writer))
    let notification = try JSONParser.parse(line)
    #expect(notification["method"] == "changes/didCommit")
    #expect(notification["params"]?["changes"]?[0]?["collection"] == "toys")
    await writer.close()
    await daemon.stop()
    let ended = await watch.ended()
    #expect(ended.status == 3)
    #expect(ended.errors.hasPrefix("commonplace: The daemon has ended."))
  }

  @Test("a line for a script has who did it, when and by which method, and of each change the verb and the title")
  func described() async throws {
    let home = CommandLineHome()
    let daemon = try await TestDaemon()
    let writer = try await daemon.client(name: "script")
    let watch = try home.start(["watch", "--collections", "projects", "--socket", daemon.socket])
    _ = try #require(
      try await firstLine(of: watch) { _ = try await writer.call("projects/add", ["title": .string("Card \($0)")]) })
    var told: [JSONValue] = []
    // One after the other: commits that are notified together would be one line.
    for (method, params) in [
      ("projects/add", ["id": "card", "title": "Return the book"]), ("projects/remove", ["id": "card"]),
      ("changes/undo", [:]),
    ] as [(String, JSONValue)] {
      _ = try await writer.call(method, params)
      while let line = await watch.line() {
        let params = try JSONParser.parse(line)["params"] ?? .null
        guard params["changes"]?[0]?["id"] == "card" else { continue }
        told.append(params)
        break
      }
    }
    #expect(told.map { $0["client"] } == ["script", "script", "script"] && told.allSatisfy { $0["at"] != nil })
    #expect(told.map { $0["label"] } == ["projects/add", "projects/remove", "projects/remove"])
    #expect(told.map { $0["changes"]?[0]?["verb"] } == ["added", "removed", "added"])
    #expect(told.map { $0["action"] } == [nil, nil, "undo"])
    #expect(told.allSatisfy { $0["changes"]?[0]?["title"] == "Return the book" })
    await writer.close()
    await daemon.stop()
  }

  @Test("waits for the next daemon, says so, and tells what happened before it was there again, once")
  func nextDaemon() async throws {
    let home = CommandLineHome()
    let features = AllFeatures.features + [ToyFeature.feature]
    let first = try await TestDaemon(features: features)
    var writer = try await first.client()
    let watch = try home.start(["watch", "--collections", "toys", "--socket", first.socket])
    _ = try #require(try await firstLine(of: watch, while: writer))
    await writer.close()
    await first.stop()
    #expect(await watch.errorLine() == "commonplace: The daemon has ended; waiting for the next one.")
    let second = try await TestDaemon(features: features, in: first.folder)
    writer = try await second.client()
    // Before the watcher has looked again, or after it: it is told in either case.
    let missed = try #require(try await writer.call("toys/add", ["title": "Missed"])["id"])
    #expect(await watch.errorLine() == "commonplace: A daemon serves the library again.")
    let last = try #require(try await writer.call("toys/add", ["title": "The last"])["id"])
    var told: [JSONValue] = []
    while !told.contains(last), let line = await watch.line() {
      let changes = try JSONParser.parse(line)["params"]?["changes"]?.arrayValue ?? []
      told += changes.compactMap { $0["id"] }
    }
    #expect(told.filter { $0 == missed }.count == 1 && told.filter { $0 == last }.count == 1, "\(told)")
    watch.kill(SIGINT)
    #expect(await watch.ended().status == 130)
    await writer.close()
    await second.stop()
  }

  @Test("a library of another epoch is reported as a reset, even if no change of the first one was received")
  func otherEpoch() async throws {
    let daemons = [try await TestDaemon(), try await TestDaemon()]
    var following = Following(collections: nil)
    for (daemon, isReset) in zip(daemons, [false, true]) {
      let place = try Place(Paths.Options(socket: daemon.socket))
      let conversation = try await Conversation.open(place, from: .running)
      let missed = try await following.begin(conversation)
      #expect(missed.contains { $0["reset"] != nil } == isReset, "\(missed)")
      await conversation.end()
      await daemon.stop()
    }
  }

  @Test("on a terminal a change is a line that people read: when, who, and what, with a document's title")
  func people() async throws {
    let home = CommandLineHome()
    let paper = SamplePDF(pages: [.init(["One line."])])
    try Data(paper.bytes).write(to: URL(filePath: home.work + "/paper.pdf"))
    let id = try #require(try await home.call("documents/add", "path=paper.pdf")["id"]?.stringValue)
    let watch = try home.startOnTerminal(["watch", "--collections", "documents,bookmarks"])
    let writer = try await Client.connect(socket: home.socket)
    _ = try await writer.call("initialize", ["clientInfo": ["name": "pen"]])
    let line = try await firstLine(of: watch) { number in
      let title: JSONValue = .string("A \u{1B}[31mbetter\u{7} paper \(number)")
      _ = try await writer.call("documents/update", ["id": .string(id), "title": title])
    }
    let first = try #require(line)
    #expect(first.contains("  pen          document changed: title (“A "), "\(first)")
    #expect(first.contains(#"A \u{1b}[31mbetter\u{7} paper "#) && !first.contains("\u{1B}"), "\(first)")
    #expect(first.prefix(8).split(separator: ":").count == 3, "\(first)")
    _ = try await home.call("documents/toggleBookmark", "id=\(id)", "page=0")
    _ = try await home.call("documents/remove", "id=\(id)")
    for words in ["commonplace  bookmark added", "commonplace  document removed: “A "] {
      var line = await watch.line()
      while let other = line, !other.contains(words) { line = await watch.line() }
      #expect(line != nil, "\(words)")
    }
    await writer.close()
  }

  @Test("what each collection calls its items is a word, and an item that has no title is told by its first line")
  func words() async throws {
    let voice = try Voice(environment: [:], locale: "en")
    for collection in AllFeatures.features.flatMap(\.collections).map(\.name) {
      let words = voice.sentence(Text("watch.added", ["item": collection]))
      #expect(voice.hasWord("item.\(collection)"), "\(words)")
    }
    let home = CommandLineHome()
    _ = try await home.call("diary/list")
    let watch = try home.startOnTerminal(["watch", "--collections", "diary"])
    let writer = try await Client.connect(socket: home.socket)
    _ = try await writer.call("initialize", ["clientInfo": ["name": "pen"]])
    let line = try await firstLine(of: watch) { number in
      _ = try await writer.call("diary/add", ["text": .string("A walk \(number)\n\nAlong the river.")])
    }
    #expect(line?.contains("pen          diary entry added: “A walk ") == true, "\(line ?? "")")
    await writer.close()
  }

  @Test("items of a feature that this program does not know are told in the words that the feature declares")
  func toys() async throws {
    let features = AllFeatures.features + [ToyFeature.feature]
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client(name: "pen")
    let id = try #require(try await client.call("toys/add", ["title": "A top", "body": "It spins."])["id"])
    _ = try await client.call("toys/update", ["id": id, "title": "A better top", "body": "It hums."])
    for (locale, words) in [
      ("en", ["toy added: “A better top”", "toy changed: title, text (“A better top”)"]),
      ("ko", ["장난감 추가: “A better top”", "장난감 변경: 제목, 본문 (“A better top”)"]),
    ] {
      let place = try Place(
        Paths.Options(socket: daemon.socket), locale: locale, features: features, catalogue: .withToys)
      let told = ReportedChanges(place: place, client: client)
      let changes: [JSONObject] = [["kind": "added"], ["kind": "updated", "fields": ["title", "body"]]]
      for (change, line) in zip(changes, words) {
        var named = change
        (named["collection"], named["id"]) = ("toys", id)
        let lines = await told.lines(of: "changes/didCommit", ["changes": [.object(named)]])
        #expect(lines.count == 1 && lines[0].hasSuffix(line), "\(lines)")
      }
    }
    await daemon.stop()
  }

  @Test("a saved search is told by its title, and what it finds anew by how much that is and what it is called")
  func savedSearches() async throws {
    let home = CommandLineHome()
    _ = try await home.call("diary/list")
    let watch = try home.startOnTerminal(["watch"])
    let writer = try await Client.connect(socket: home.socket)
    _ = try await writer.call("initialize", ["clientInfo": ["name": "pen"]])
    let line = try await firstLine(of: watch) { number in
      _ = try await writer.call("search/save", ["text": "river", "title": .string("Rivers \(number)")])
    }
    #expect(line?.contains("pen          saved search added: “Rivers ") == true, "\(line ?? "")")
    _ = try await writer.call("diary/add", ["text": "A walk\n\nAlong the river."])
    var next = await watch.line()
    while let other = next, !other.contains("1 added") { next = await watch.line() }
    let told = next ?? ""
    #expect(told.contains("saved search “Rivers "), "\(told)")
    #expect(told.contains("”: 1 added, 0 removed, 1 now: “A w"), "\(told)")
    await writer.close()
  }

  @Test("a moved card is told with its columns, fields of programs are not told of, and a line fits the terminal")
  func innerFields() async throws {
    let home = CommandLineHome()
    _ = try await home.call("projects/list")
    let watch = try home.startOnTerminal(["watch", "--collections", "projects"])
    let writer = try await Client.connect(socket: home.socket)
    _ = try await writer.call("initialize", ["clientInfo": ["name": "pen"]])
    let title = String(repeating: "책을 반납 ", count: 30)
    let line = try await firstLine(of: watch) { _ in
      _ = try await writer.call("projects/add", ["title": .string(title), "deadline": .null])
    }
    let added = try #require(line).filter { !$0.isNewline }
    #expect(TextWidth.columns(of: added) <= 80 && added.contains("card added: “책을"), "\(added)")
    let id = try #require(try await writer.call("projects/add", ["title": "Moved", "deadline": .null])["id"])
    // Told before it is moved: what changes at once is told as one.
    var next = await watch.line()
    while let other = next, !other.contains("“Moved”") { next = await watch.line() }
    _ = try await writer.call("projects/move", ["id": id, "state": "doing"])
    next = await watch.line()
    while let other = next, !other.contains("card moved") { next = await watch.line() }
    #expect(next?.contains("moved from TODO to DOING: “Moved”") == true, "\(next ?? "")")
    // When it was done is told by where it went; what else changed is told besides, and no rank.
    _ = try await writer.call("projects/move", ["id": id, "state": "done"])
    next = await watch.line()
    #expect(next?.contains("card moved from DOING to DONE: “Moved”") == true, "\(next ?? "")")
    // What is undone is told as what somebody had done, and not as the opposite.
    _ = try await writer.call("changes/undo")
    next = await watch.line()
    #expect(next?.contains("undone: card moved from DOING to DONE: “Moved”") == true, "\(next ?? "")")
    await writer.close()
  }

  @Test("an addition that is undone is told as that and as no removal, and its redo as a redo")
  func undone() async throws {
    let home = CommandLineHome()
    _ = try await home.call("projects/list")
    let watch = try home.startOnTerminal(["watch", "--collections", "projects"])
    let writer = try await Client.connect(socket: home.socket)
    _ = try await writer.call("initialize", ["clientInfo": ["name": "pen"]])
    let line = try await firstLine(of: watch) { number in
      _ = try await writer.call("projects/add", ["title": .string("Card \(number)"), "deadline": .null])
    }
    #expect(line?.contains("pen          card added: “Card ") == true, "\(line ?? "")")
    _ = try await writer.call("projects/add", ["title": "Last", "deadline": .null])
    var next = await watch.line()
    while let other = next, !other.contains("“Last”") { next = await watch.line() }
    let turns = [
      ("changes/undo", "pen          undone: card added: “Last”"),
      ("changes/redo", "pen          redone: card added: “Last”"),
      ("changes/undo", "pen          undone: card added: “Last”"),
    ]
    for (method, words) in turns {
      _ = try await writer.call(method)
      next = await watch.line()
      #expect(next?.contains(words) == true, "\(method): \(next ?? "")")
    }
    await writer.close()
  }

  @Test("an undo is told as one though what it took back is forgotten, and only where all that happened is known")
  func turns() {
    func commits(_ clocks: ClosedRange<Int64>, _ action: JSONValue? = nil) -> [JSONValue] {
      clocks.reversed().map { clock in
        var commit: JSONObject = ["clock": .integer(clock), "client": "pen"]
        if let action { commit["action"] = action }
        return .object(commit)
      }
    }
    func turn(_ log: [JSONValue], since: Int64, _ clock: Int64) -> ReportedCommits.Turn? {
      ReportedCommits(log: log, since: since, clock: clock).turn
    }
    // The log begins with the undo.
    #expect(turn(commits(8...8, "undo"), since: 7, 8) == .undone)
    #expect(turn(commits(8...9, "redo") + commits(7...7), since: 7, 9) == .redone)
    #expect(turn(commits(8...9, "undo") + commits(7...7, "redo"), since: 6, 9) == nil)
    #expect(turn(commits(8...9), since: 7, 9) == nil)
    // That something was looked for is not in the log, and does not make an undo less.
    #expect(turn(commits(9...9, "undo") + commits(7...7), since: 7, 9) == .undone)
    // What was written before the newest that came is not known.
    #expect(turn(commits(501...1000, "undo"), since: 300, 1000) == nil)
    #expect(turn(commits(501...1000, "undo"), since: 500, 1000) == .undone)
    #expect(turn([], since: 7, 8) == nil)
  }

  @Test("a change of the columns is told with their titles")
  func columns() async throws {
    let home = CommandLineHome()
    _ = try await home.call("projects/list")
    let watch = try home.startOnTerminal(["watch", "--collections", "columns"])
    let writer = try await Client.connect(socket: home.socket)
    _ = try await writer.call("initialize", ["clientInfo": ["name": "pen"]])
    let line = try await firstLine(of: watch) { number in
      let columns: JSONValue = [
        ["state": "todo"], ["state": "waiting", "title": .string("Waiting \(number)")], ["state": "done"],
      ]
      _ = try await writer.call("projects/columns", ["columns": columns])
    }
    #expect(line?.contains("“TODO, Waiting ") == true, "\(line ?? "")")
    await writer.close()
  }

  @Test("a post that comes is told with its own title")
  func posts() async throws {
    let home = CommandLineHome()
    let feed = """
      <rss version="2.0"><channel><title>News</title><item><guid>1</guid><title>Lunch</title></item></channel></rss>
      """
    let server = try ScriptedServer { _ in .text(feed) }
    defer { server.stop() }
    _ = try await home.call("boards/sources")
    let watch = try home.startOnTerminal(["watch", "--collections", "posts"])
    let writer = try await Client.connect(socket: home.socket)
    _ = try await writer.call("initialize", ["clientInfo": ["name": "pen"]])
    let line = try await firstLine(of: watch) { number in
      let url: JSONValue = .string("\(server.origin)/\(number)")
      _ = try await writer.call("boards/addSource", ["kind": "feed", "url": url])
    }
    #expect(line?.contains("post added: “Lunch”") == true, "\(line ?? "")")
    await writer.close()
  }

  @Test("items of a commit that nothing tells apart are one line with their number")
  func alike() async throws {
    let home = CommandLineHome()
    try home.configure("[network]\noffline = true\n")
    _ = try await home.call("boards/sources")
    let watch = try home.startOnTerminal(["watch", "--collections", "sources"])
    let writer = try await Client.connect(socket: home.socket)
    _ = try await writer.call("initialize", ["clientInfo": ["name": "pen"]])
    let line = try await firstLine(of: watch) { number in
      let outlines = (0..<3).map { #"<outline type="rss" text="x" xmlUrl="http://127.0.0.1:9/\#(number)/\#($0)"/>"# }
      let opml = #"<opml version="2.0"><body>\#(outlines.joined())</body></opml>"#
      _ = try await writer.call("boards/import", ["data": .string(Data(opml.utf8).base64EncodedString())])
    }
    #expect(line?.contains(" × source added") == true, "\(line ?? "")")
    await writer.close()
  }

  @Test("--json gives lines of JSON on a terminal too")
  func forced() async throws {
    let home = CommandLineHome()
    let daemon = try await TestDaemon(features: AllFeatures.features + [ToyFeature.feature])
    let writer = try await daemon.client()
    let watch = try home.startOnTerminal(["watch", "--json", "--collections", "toys", "--socket", daemon.socket])
    let line = try #require(try await firstLine(of: watch, while: writer))
    #expect(try JSONParser.parse(line.trimmingCharacters(in: .newlines))["method"] == "changes/didCommit")
    await daemon.stop()
  }

  @Test("ends quietly and at once when nobody reads it any more")
  func readerLeaves() async throws {
    let home = CommandLineHome()
    let daemon = try await TestDaemon(features: AllFeatures.features + [ToyFeature.feature])
    let writer = try await daemon.client()
    let watch = try home.start(
      ["watch", "--socket", daemon.socket], redirecting: "| head -1; echo ${PIPESTATUS[0]}")
    let line = try #require(try await firstLine(of: watch, while: writer))
    #expect(line.hasPrefix(#"{"method":"changes/didCommit""#))
    #expect(await watch.ended().output == "0\n")
    await daemon.stop()
  }

  @Test("an unknown collection is refused with its name")
  func unknownCollection() async throws {
    let home = CommandLineHome()
    let result = try await home.run(["watch", "--collections", "unicorns"])
    #expect(result.status == 2)
    #expect(result.errors.contains("unicorns"))
  }
}
