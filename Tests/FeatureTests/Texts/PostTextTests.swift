import Client
import Contract
import TestSupport
import Testing
import Wire

@testable import Boards

@Suite("Texts: lists of posts") struct PostTextTests {
  private static let unread = "boards/unread.md"

  @Test("unread posts are a line each, and one save marks those that are ticked or starred in one step")
  func marks() async throws {
    let (boards, page) = try await BoardBench.showing(FetchedPost.samples(4))
    let bench = TextBench(boards.daemon, boards.client)
    var list = try await bench.open(Self.unread)
    #expect(list.lines.first == "# Unread posts (4)")
    let lines = list.lines.filter { $0.hasPrefix("- ") }
    #expect(lines.count == 4)
    for (line, post) in zip(lines, page.items) {
      #expect(line.wholeMatch(of: /- \[ \] \d{4}-\d\d-\d\d Post \d — .+ · .+ \^[0-9a-z]{4,8}/) != nil, "\(line)")
      #expect(line.contains(post["title"].text))
    }
    // Two are read, of which one is saved; another one is saved only.
    list.text = list.text
      .replacing(lines[0], with: lines[0].replacing("[ ]", with: "[x]"))
      .replacing(lines[1], with: lines[1].replacing("[ ]", with: "[x] ★"))
      .replacing(lines[2], with: lines[2].replacing("[ ]", with: "[ ] *"))
    let reply = try await bench.save(&list)
    #expect(reply["saved"] == true && reply["changed"] == 3 && reply["removed"].list.isEmpty)
    let posts = try await boards.posts().items
    #expect(posts.map { $0["read"] == true } == [true, true, false, false])
    #expect(posts.map { $0["saved"] == true } == [false, true, true, false])
    // The read ones are gone from the list, and back with their line or after an undo.
    #expect(list.lines.filter { $0.hasPrefix("- ") } == [lines[2].replacing("[ ]", with: "[ ] ★"), lines[3]])
    list.lines.append(lines[0])
    #expect(try await bench.save(&list)["changed"] == 1)
    #expect(try await boards.posts().items[0]["read"] == false)
    for _ in 0..<2 { _ = try await boards.client.call("changes/undo") }
    #expect(try await bench.open(Self.unread).text.contains("(4)"))
    await boards.stop()
  }

  @Test("a line that is deleted, changed or new leaves the posts as they are, and the reader is told")
  func shownOnly() async throws {
    let (boards, _) = try await BoardBench.showing(FetchedPost.samples(3))
    let bench = TextBench(boards.daemon, boards.client)
    var list = try await bench.open(Self.unread)
    let before = list.text
    let lines = list.lines.filter { $0.hasPrefix("- ") }
    list.lines.removeAll { $0 == lines[0] }
    list.text = list.text.replacing("Post 1", with: "Another post")
    let changed = try await bench.save(&list)
    #expect(changed["undo"] == nil && changed["held"].list.isEmpty && changed["removed"].list.isEmpty)
    #expect(changed["unsaved"].list.map { $0["kind"] } == ["readOnly"] && list.text == before)
    list.lines.append("- [ ] a post of mine")
    list.lines.append("a thought")
    let new = try await bench.save(&list)
    #expect(new["saved"] == false && new["unsaved"].list.map { $0["kind"] } == ["unsaved", "unsaved"])
    #expect(list.lines.suffix(2) == ["- [ ] a post of mine", "a thought"])
    await boards.stop()
  }

  @Test("a board lists read posts too, a line of the other list marks its post there, and a link leads to the board")
  func board() async throws {
    let (boards, page) = try await BoardBench.showing(FetchedPost.samples(2))
    let bench = TextBench(boards.daemon, boards.client)
    let board = try await boards.boards()[0].text
    _ = try await boards.client.call("boards/markRead", ["ids": [page.items[0].id], "read": true])
    var list = try await bench.open("boards/board/\(board).md")
    let lines = list.lines.filter { $0.hasPrefix("- ") }
    #expect(lines.map { $0.prefix(5) } == ["- [x]", "- [ ]"])
    list.text = list.text.replacing("- [x]", with: "- [ ]")
    _ = try await bench.save(&list)
    #expect(try await boards.posts().items[0]["read"] == false)
    // In a text of one post, the anchor decides, not the place.
    _ = try await boards.client.call("boards/markRead", ["ids": [page.items[0].id], "read": true])
    var unread = try await bench.open(Self.unread)
    unread.lines[2] = lines[0].replacing("[x]", with: "[ ]")
    _ = try await bench.save(&unread)
    #expect(try await boards.posts().items.map { $0["read"] } == [false, false])
    let laid = try await boards.client.call("text/path", ["link": .string("commonplace:/boards/\(board)")])
    #expect(laid["path"].text.hasSuffix("/boards/board/\(board).md"))
    #expect(try await boards.client.failure("text/open", ["uri": "commonplace:///text/boards/board/none.md"]) != nil)
    await boards.stop()
  }
}
