import Contract
import Display
import Testing
import Wire

@testable import commonplace

/// A method whose result has a member of each kind that is shown in a way of its own.
private enum Shown: Contract.Method {
  static let name = "try/shown"
  static let summary = "Shows one of everything."
  static let effects: Effects = []

  enum Mood: String, Choice { case glad, sad }

  struct Part: Payload {
    var page: Int
    var percent: Double?
    var name: String?
    static let example = Part(page: 1, percent: nil, name: nil)
    static let fields = ["page": "A page, from 0.", "percent": "A number.", "name": "A text."]
  }

  struct Thing: Payload {
    var id: ItemID
    var revision: Int
    var createdAt: Instant
    var updatedAt: Instant
    var title: String
    var body: String?
    var preview: String?
    var html: String?
    var day: CalendarDay?
    var mood: Mood?
    var page: Int?
    var count: Int?
    var size: Int?
    var ratio: Double?
    var isGood: Bool?
    var isBad: Bool?
    var tags: [String]
    var urls: [String]?
    var document: ItemID?
    var part: Part?
    var parts: [Part]?
    var quad: [Double]?
    var sources: [ItemID]?
    static let example = Thing(
      id: "0192", revision: 1, createdAt: Instant(milliseconds: 0), updatedAt: Instant(milliseconds: 0), title: "A",
      body: nil, preview: nil, html: nil, day: nil, mood: nil, page: nil, count: nil, size: nil, ratio: nil,
      isGood: nil,
      isBad: nil, tags: [], urls: nil, document: nil, part: nil, parts: nil, quad: nil, sources: nil)
    static let fields = [
      "id": "i", "revision": "r", "createdAt": "c", "updatedAt": "u", "title": "t", "body": "b", "preview": "p",
      "html": "h", "day": "d", "mood": "m", "page": "A page, from 0.", "count": "c", "size": "s", "ratio": "r",
      "isGood": "g", "isBad": "b", "tags": "t", "urls": "u", "document": "d", "part": "p", "parts": "p", "quad": "q",
      "sources": "s",
    ]
  }

  typealias Params = Empty
  typealias Result = Thing
}

private enum ShownList: Contract.Method {
  static let name = "try/list"
  static let summary = "Lists everything."
  static let effects: Effects = []

  struct Page: Payload {
    var items: [Shown.Thing]
    var mood: Shown.Mood?
    var hasMore: Bool
    static let example = Page(items: [], mood: nil, hasMore: false)
    static let fields = ["items": "i", "mood": "m", "hasMore": "h"]
  }

  typealias Params = Empty
  typealias Result = Page
}

@Suite("A reply of each kind of value, as people read it") struct ShownPageTests {
  private func text(_ reply: JSONValue, _ method: MethodDescription, width: Int = 60) throws -> String {
    let voice = try Voice(environment: [:], locale: "en")
    let zone = try #require(Zone("Asia/Seoul"))
    let screen = Screen(width: width, ink: Ink(isOn: false), zone: zone, say: { voice.sentence($0) })
    return try #require(ShownReply.text(of: reply, to: method, on: screen))
  }

  private static let thing: JSONValue = [
    "id": "019ac0f2-7b1e-7000-8000-3c5d9a1e9f3a", "revision": 4, "createdAt": "2026-11-21T22:44:05.678Z",
    "updatedAt": "2026-11-22T22:44:05.678Z", "title": "A thing", "preview": "Beginning", "html": "<p>",
    "day": "2026-11-23", "mood": "glad", "page": 4, "count": 0, "size": 12_345, "ratio": 595.2800000001, "isGood": true,
    "isBad": false, "tags": ["a", "b c"], "urls": ["https://example.org/a/rather/long/address", "https://example.org"],
    "document": "019ac0f2-7b1e-7001-8000-77aa01e24b20", "part": ["page": 2, "percent": 50],
    "parts": [["page": 0, "name": "one"], ["page": 1, "name": "two"]], "quad": [1, 2, 3], "sources": ["x", "y"],
    "novel": "a member of a newer daemon", "novelAt": 1_764_000_000_000, "clock": 9,
    "display": ["mood": "very glad", "day": "tomorrow"],
  ]

  @Test("an item has its members in their order, each by its shape, with its ids last")
  func item() throws {
    let method = MethodDescription(Shown.self, kind: "read")
    let plain = try text(Self.thing, method)
    #expect(
      plain == """
        A thing
        created    2026-11-22 07:44
        changed    2026-11-23 07:44
        beginning  Beginning
        day        2026-11-23
        mood       very glad
        page       5
        count      0
        size       12 KB
        ratio      595.28
        good       yes
        tags       a, b c
        part       page 3, percent 50
        novel      a member of a newer daemon
        novel      2025-11-25 01:00
        id         019ac0f2-7b1e-7000-8000-3c5d9a1e9f3a
        document   019ac0f2-7b1e-7001-8000-77aa01e24b20
        sources    x, y

        urls
        https://example.org/a/rather/long/address
        https://example.org

        parts  2
          page  name
          1     one
          2     two

        """)
    var body = try #require(Self.thing.objectValue)
    body["body"] = "The text.\n\nIts second paragraph, which is longer than the terminal is wide."
    body["display"] = [
      "mood": "very glad", "message": "It was saved.", "authors": "Han Kang", "date": "21 Nov", "time": "22:44",
    ]
    let whole = try text(.object(body), method)
    #expect(
      whole == """
        A thing
        Han Kang, 21 Nov, 22:44

        The text.

        Its second paragraph, which is longer than the terminal is
        wide.

        created   2026-11-22 07:44
        changed   2026-11-23 07:44
        day       2026-11-23
        mood      very glad
        page      5
        count     0
        size      12 KB
        ratio     595.28
        good      yes
        tags      a, b c
        part      page 3, percent 50
        novel     a member of a newer daemon
        novel     2025-11-25 01:00
        id        019ac0f2-7b1e-7000-8000-3c5d9a1e9f3a
        document  019ac0f2-7b1e-7001-8000-77aa01e24b20
        sources   x, y

        It was saved.

        urls
        https://example.org/a/rather/long/address
        https://example.org

        parts  2
          page  name
          1     one
          2     two

        """)
  }

  @Test("a list has a row for each item, without what every item has")
  func list() throws {
    let method = MethodDescription(ShownList.self, kind: "read")
    let reply: JSONValue = ["items": [Self.thing], "mood": "sad", "hasMore": true, "total": 3, "next": "x", "clock": 9]
    let rows = try text(reply, method, width: 100)
    #expect(
      rows == """
          tomorrow  A thing  #a #b c Beginning  019ac0f2-7b1e-7000-8000-3c5d9a1e9f3a
        1 of 3 is shown; more with after=x

        """)
    let empty = try text(["items": [], "hasMore": false], method)
    #expect(
      empty == """
        No items.

        """)
  }

  @Test("a reply of nothing says that it is done, and one that names an item shows what is not so too")
  func small() throws {
    let method = MethodDescription(Shown.self, kind: "write")
    let done = try text(["clock": 3], method)
    #expect(
      done == """
        Done.

        """)
    let named = try text(["id": "a", "isGood": false, "clock": 3], method)
    #expect(
      named == """
        good  no
        id    a

        """)
    let sentence = try text(["isBad": false, "mood": "sad", "display": "It is sad."], method)
    #expect(
      sentence == """
        mood     sad
        bad      no
        message  It is sad.

        """)
    let odd = try text(["odd": ["deep": ["er": 1]], "parts": []], method)
    #expect(
      odd == """
        odd
          deep  er 1

        """)
  }
}
