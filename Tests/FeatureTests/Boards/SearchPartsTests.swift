import Client
import Contract
import TestSupport
import Testing
import Wire

@testable import Boards

/// The parts of a search that a source answers, which are not the pages that it has.
@Suite("Boards: parts of a source's search") struct SearchPartsTests {
  private func bench(in folder: TemporaryFolder = TemporaryFolder(), _ source: FakeSource, pageSize: Int = 7)
    async throws -> BoardBench
  {
    let bench = try await BoardBench(in: folder, source: source)
    source.change {
      var posts = (0..<40).map { FetchedPost.sample($0, title: "same \($0)") }
      // The service repeats one at a page's beginning.
      posts.insert(posts[6], at: 7)
      $0.posts["1"] = posts
      $0.pageSize = pageSize
    }
    try await bench.add()
    return bench
  }

  private func part(_ bench: BoardBench, limit: Int, after: JSONValue? = nil) async throws -> JSONValue {
    var params: JSONObject = ["board": try await bench.boards()[0], "query": "same", "limit": .integer(Int64(limit))]
    params["after"] = after
    return try await bench.client.call("boards/search", .object(params))
  }

  private func numbers(_ page: JSONValue) -> [Int] { page.items.compactMap { Int($0["postId"].text) } }

  private func asked(_ source: FakeSource) -> [String?] {
    source.requests.compactMap { if case .search(_, let cursor) = $0 { .some(cursor) } else { nil } }
  }

  @Test(
    "a part has as many posts as were asked for, whatever the source's pages have; none is lost, none comes twice",
    arguments: [1, 3, 7, 8, 20, 39, 40, 200])
  func limits(limit: Int) async throws {
    let source = FakeSource()
    let bench = try await bench(source)
    var (seen, after, next): ([Int], JSONValue?, JSONValue?) = ([], nil, nil)
    repeat {
      let page = try await part(bench, limit: limit, after: after)
      #expect(page["offset"] == .integer(Int64(seen.count)) && page["limit"] == .integer(Int64(limit)))
      #expect(numbers(page).count == min(limit, 40 - seen.count))
      // Who asks again, as after a reply that was lost, is told the same.
      if seen.count < 3 * limit { #expect(numbers(try await part(bench, limit: limit, after: after)) == numbers(page)) }
      seen += numbers(page)
      next = page["next"]
      #expect(page["hasMore"] == .bool(next != nil))
      after = next
    } while next != nil
    #expect(seen == Array(0..<40))
    // Each page of the source is asked for once; only a search from its beginning is another one.
    let pages = asked(source).compactMap(\.self)
    #expect(pages.count == Set(pages).count || limit > 7)
    await bench.stop()
  }

  @Test(
    "a cursor leads on after a restart, when nothing of the search is remembered, and in another search's memory too")
  func restart() async throws {
    let folder = TemporaryFolder()
    let source = FakeSource()
    let first = try await bench(in: folder, source)
    let beginning = try await part(first, limit: 10)
    #expect(numbers(beginning) == Array(0..<10))
    await first.stop()
    let second = try await BoardBench(in: folder, source: source)
    // Another search has its number now.
    let board = try await second.boards()[0]
    _ = try await second.client.call("boards/search", ["board": board, "query": "same 3", "limit": 5])
    let before = asked(source).count
    let rest = try await part(second, limit: 200, after: beginning["next"])
    #expect(numbers(rest) == Array(10..<40) && rest["offset"] == 10 && rest["next"] == nil)
    // From the page in which it went on, not from the beginning.
    #expect(asked(source)[before] == "7")
    await second.stop()
  }

  @Test("a last part that has nothing any more is no search without results")
  func emptyLastPart() async throws {
    let source = FakeSource()
    let bench = try await bench(source)
    let first = try await part(bench, limit: 7)
    // What followed was removed meanwhile.
    source.change { $0.posts["1"] = Array($0.posts["1"]!.prefix(7)) }
    let rest = try await part(bench, limit: 7, after: first["next"])
    #expect(numbers(rest) == [] && rest["offset"] == 7 && rest["next"] == nil)
    #expect(rest["state"] == "results" && rest["hint"] == nil)
    await bench.stop()
  }

  @Test("where a source fails in the middle of a part what had come is answered, and the next part says why")
  func failsInTheMiddle() async throws {
    let source = FakeSource()
    let bench = try await bench(source)
    let first = try await part(bench, limit: 3)
    source.change { $0.failure = .silent }
    let rest = try await part(bench, limit: 30, after: first["next"])
    #expect(numbers(rest) == [3, 4, 5, 6] && rest["failure"] == nil && rest["hasMore"] == true)
    let failed = try await part(bench, limit: 30, after: rest["next"])
    #expect(failed["failure"]?["kind"] == "unreachable")
    source.change { $0.failure = nil }
    #expect(numbers(try await part(bench, limit: 30, after: rest["next"])) == Array(7..<37))
    for wrong: JSONValue in ["s/1", "s/1/2/x", "s/1/9223372036854775807/0", "s/1/-2/0", "s/a/b/c/d"] {
      #expect(try await bench.refusal("boards/search", ["query": "same", "after": wrong]) == "after", "\(wrong)")
    }
    await bench.stop()
  }
}
