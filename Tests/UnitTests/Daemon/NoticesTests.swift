import Kit
import Testing
import Wire

@testable import Daemon
@testable import Store

@Suite("The notices of commits") struct NoticesTests {
  private let feed = ChangeFeed(clock: 0)

  private func append(_ clock: Int64, _ changes: (String, String)...) {
    feed.append([
      Commit(
        clock: clock,
        changes: changes.map { Change(collection: $0.0, id: $0.1, kind: .updated, revision: clock, fields: ["a"]) })
    ])
  }

  private func told(_ notice: Notices.Notice?) throws -> JSONValue? {
    try notice?.bytes.map { try JSONParser.parse(String(decoding: $0, as: UTF8.self)) }?["params"]
  }

  private func ids(_ notice: JSONValue?) -> [String] {
    (notice?["changes"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }.sorted()
  }

  @Test("each client hears of what its filter admits since its own clock, whoever heard before it")
  func filters() throws {
    let notices = Notices(feed: feed, epoch: "e")
    #expect(notices.next(after: 0, reported: 0, filter: .everything) == nil)
    append(1, ("toys", "a"))
    append(2, ("toys", "b"), ("books", "c"))
    let all = notices.next(after: 0, reported: 0, filter: .everything)
    #expect(try ids(told(all)) == ["a", "b", "c"] && all?.clock == 2)
    #expect(try told(all)?["epoch"] == "e" && told(all)?["since"] == 0 && told(all)?["clock"] == 2)
    let toys = notices.next(after: 0, reported: 0, filter: ChangeFilter(collections: ["toys"]))
    #expect(try ids(told(toys)) == ["a", "b"])
    let one = notices.next(after: 0, reported: 0, filter: ChangeFilter(ids: ["c"]))
    #expect(try ids(told(one)) == ["c"])
    let both = notices.next(after: 0, reported: 0, filter: ChangeFilter(collections: ["toys"], ids: ["c"]))
    #expect(both?.bytes == nil && both?.clock == 2)
    let later = notices.next(after: 1, reported: 1, filter: ChangeFilter(collections: ["toys"], ids: ["c"]))
    #expect(later?.bytes == nil)
    let rest = notices.next(after: 1, reported: 0, filter: .everything)
    #expect(try ids(told(rest)) == ["b", "c"] && told(rest)?["since"] == 0)
    let again = notices.next(after: 1, reported: 1, filter: .everything)
    #expect(try told(again)?["since"] == 1)
    #expect(notices.next(after: 2, reported: 2, filter: .everything) == nil)
    append(3, ("toys", "d"))
    #expect(try ids(told(notices.next(after: 1, reported: 1, filter: .everything))) == ["b", "c", "d"])
  }

  @Test("a client that lags behind fetches again what its filter admits")
  func resets() throws {
    let small = ChangeFeed(clock: 5, capacity: 1)
    small.append([Commit(clock: 6, changes: [Change(collection: "toys", id: "a", kind: .added, revision: 6)])])
    let notices = Notices(feed: small, epoch: "e")
    #expect(try told(notices.next(after: 1, reported: 1, filter: .everything))?["reset"] != nil)
    let toys = try told(notices.next(after: 1, reported: 1, filter: ChangeFilter(collections: ["toys", "books"])))
    #expect(toys?["reset"] == ["books", "toys"], "\(String(describing: toys))")
    small.append([
      Commit(
        clock: 7, changes: [Change(collection: "toys", id: "b", kind: .added, revision: 7)], isOfMany: true)
    ])
    let many = notices.next(after: 6, reported: 6, filter: ChangeFilter(collections: ["books"]))
    #expect(many?.bytes == nil && many?.clock == 7)
    let own = try told(notices.next(after: 6, reported: 6, filter: ChangeFilter(collections: ["toys"])))
    #expect(own.map(ids) == [] && own?["clock"] == 7)
  }
}
