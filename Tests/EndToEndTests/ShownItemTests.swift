import Contract
import Testing
import Wire

@testable import commonplace

@Suite("What the row of an item shows") struct ShownItemTests {
  private func item(_ item: JSONValue, ofDay: Bool = false, inColumn: Bool = false) -> ShownItem? {
    ShownItem(item, ofDay: ofDay, inColumn: inColumn) { text in
      text.key + text.arguments.sorted { $0.key < $1.key }.map { " \($0.value)" }.joined()
    }
  }

  private func shown(_ display: JSONObject, _ more: JSONObject = [:], ofDay: Bool = false, inColumn: Bool = false)
    throws -> ShownItem
  {
    var whole: JSONObject = ["id": "0192", "title": "A title", "display": .object(display)]
    for member in more.members { whole[member.key] = member.value }
    return try #require(item(.object(whole), ofDay: ofDay, inColumn: inColumn))
  }

  @Test("an item is shown by its title for people, its own, or what it is a place of; without any it is no row")
  func titles() {
    #expect(
      item(["title": "A", "display": ["title": "B"]])?.title.text == "B" && item(["title": "A"])?.title.text == "A")
    #expect(item(["before": "x ", "match": "y", "after": " z"])?.title.text == "x y z")
    #expect(item(["searchedAt": "2026", "text": "river"])?.title.text == "river")
    #expect(item(["target": ["kind": "uri", "uri": "https://a"]])?.title.text == "https://a")
    #expect(
      item(["target": ["kind": "page", "label": "7"]])?.title.text == "7"
        && item(["target": ["kind": "none"]])?.title.text == "none")
    let mark: JSONObject = ["color": "#ffd60a", "lines": [], "document": "d", "link": "commonplace:/d", "page": 3]
    var quoted = mark
    (quoted["text"], quoted["id"], quoted["documentTitle"], quoted["note"]) = ("a  quote", "h", "A paper", "See.")
    #expect(item(.object(mark))?.title.text == "commonplace:/d" && item(.object(quoted))?.title.text == "a quote")
    #expect(item(.object(quoted))?.by.text == "A paper" && item(.object(quoted))?.facts == "table.page 4")
    #expect(item(.object(quoted))?.rest.text == "See." && item(.object(quoted))?.what == "color.yellow")
    (quoted["locked"], quoted["state"]) = (true, "ambiguous")
    #expect(item(.object(quoted))?.what == "color.yellow, field.locked, choice.ambiguous")
    for none: JSONValue in [[:], ["text": "river"], ["before": "x", "match": "y"], ["target": [:]], 7, .null] {
      #expect(item(none) == nil, "\(none)")
    }
    #expect(
      item(["title": "A", "depth": 2])?.title.text == "    A" && item(["title": "A", "depth": -1])?.title.text == "A")
  }

  @Test("the first day that an item has is its day, and in a list of one day its time")
  func days() throws {
    let order = ["day", "due", "listed", "date", "heading"]
    for (index, name) in order.enumerated() {
      let display = JSONObject(order[index...].map { JSONObject.Member(key: $0, value: .string("is \($0)")) })
      #expect(try shown(display).when == "is \(name)")
      #expect(try shown(display).isDueThen == (index <= 1))
    }
    let times: JSONObject = ["time": "3:04", "dayTime": "4:05", "date": "x"]
    #expect(try shown(times).time == "4:05" && shown(times, ofDay: true).time == "")
    #expect(try shown(times, ofDay: true).when == "3:04")
    // What is about another day than that of its creation has no time of that.
    var about = times
    about["day"] = "yesterday"
    #expect(try shown(about, ofDay: true).when == "4:05")
    about["dayTime"] = nil
    #expect(try shown(about, ofDay: true).when == "")
  }

  @Test("what it is has its kind or state, its badges, and the user's mark")
  func kinds() throws {
    #expect(
      try shown(["kind": "book", "state": "x"]).what == "book"
        && shown(["state": "TODO", "status": "y"]).what == "TODO")
    #expect(try shown(["status": "reading"]).what == "reading" && shown(["state": "TODO"], inColumn: true).what == "")
    #expect(try shown(["kind": "card"], inColumn: true).what == "card")
    #expect(try shown(["kind": "post", "badges": ["new", "poll"]], ["saved": true]).what == "★ post, new, poll")
    #expect(try shown([:], ["saved": true]).what == "★" && shown([:], ["saved": false]).what == "")
    #expect(try shown([:], ["written": "[[Dune]]"]).what == "[[Dune]]")
    #expect(try shown(["kind": "k"], ["isOutdated": true]).what == "k, table.outdated")
    #expect(item(["searchedAt": "x", "text": "river", "display": ["target": "posts"]])?.what == "posts")
    #expect(try shown(["kind": "gone"], ["collection": "diary", "kind": "removed"]).what == "table.became diary gone")
    #expect(try shown(["kind": "odd"], ["collection": "diary", "kind": "odd"]).what == "odd")
    #expect(try shown([:], ["clock": 42, "label": "diary/add"]).what == "diary/add")
  }

  @Test("its writer is the first of those who have a part in it, and its board where the list is of none")
  func writers() throws {
    let all: JSONObject = ["authors": "a", "writer": "w", "source": "s", "board": "b"]
    #expect(try shown(all).by.text == "a" && shown(["writer": "w", "source": "s"]).by.text == "w")
    #expect(try shown(["source": "s", "board": "b"]).by.text == "s" && shown(["board": "b"]).by.text == "b")
    #expect(try shown(["board": "b"], inColumn: true).by.text == "")
    #expect(try shown([:], ["clock": 42, "label": "diary/add", "client": "nvim"]).by.text == "nvim")
    #expect(
      try shown([:], ["client": "nvim"]).by.text == ""
        && shown([:], ["client": "nvim", "isOutdated": false]).by.text == "nvim")
    let onBoard = try shown(["writer": "w"], ["boardDisplayName": "News"])
    #expect(onBoard.board == "News" && onBoard.onBoard().by.text == "w · News")
    #expect(try shown([:], ["boardDisplayName": "News"]).onBoard().by.text == "News")
  }

  @Test("its facts are what is unread, the user's stars, and the place in it; others' ratings only without own stars")
  func facts() throws {
    #expect(try shown(["ownStars": "★★", "progress": "p. 3"], ["unread": 4]).facts == "table.unread 4 ★★ p. 3")
    #expect(try shown([:], ["unread": 0]).facts == "" && shown(["position": "p", "page": "q"]).facts == "p")
    #expect(try shown(["page": "q", "undo": "u"]).facts == "q" && shown(["undo": "u"]).facts == "u")
    #expect(try shown(["count": "3"]).facts == "" && shown(["count": "3"], ["countIsEstimate": false]).facts == "3")
    #expect(
      item(["title": "One", "target": ["page": 4]])?.facts == "table.page 5"
        && item(["title": "One", "page": 0])?.facts == "table.page 1")
    #expect(try shown([:], ["page": 4]).facts == "")
    #expect(
      try shown(["ownStars": "★", "readersRating": "4.1"]).opinion == ""
        && shown(["readersRating": "4.1", "stars": "x"]).opinion == "4.1")
    #expect(try shown(["stars": "x"]).opinion == "x")
  }

  @Test("the rest is its tags, its edition, and why it failed or else its beginning without its title")
  func rests() throws {
    #expect(try shown([:], ["tags": ["a", "+b"], "preview": "p"]).rest.text == "#a +b p")
    // A tag that stands in the text is there already.
    let walk: JSONObject = ["tags": ["hike", "wood"], "preview": "A walk (#hike), #woody"]
    #expect(try shown([:], walk).rest.text == "#wood A walk (#hike), #woody")
    #expect(try shown(["title": "A #hike"], ["title": "A #hike", "tags": ["hike"]]).rest.text == "")
    #expect(try shown(["edition": "2nd"], ["shelf": ["tags": ["c"]]]).rest.text == "#c 2nd")
    #expect(
      try shown([:], ["snippet": "s", "text": "t"]).rest.text == "s" && shown([:], ["text": "t"]).rest.text == "t")
    #expect(try shown([:], ["text": "\nA title\nand more"]).rest.text == "and more")
    #expect(try shown([:], ["text": "A title and more"]).rest.text == "A title and more")
    #expect(try shown(["trouble": "unsure"], ["preview": "p"]).rest.text == "unsure")
    let failed = try shown(
      ["trouble": "unsure"], ["failure": ["message": "No answer.", "advice": "Try later."], "preview": "p"])
    #expect(
      failed.rest.text == "No answer. Try later." && failed.failure == "No answer. Try later." && failed.mark == .alarm)
    #expect(try shown([:], ["overdue": true]).mark == .alarm && shown([:], ["overdue": false]).mark == .none)
    #expect(try shown([:], ["read": false]).mark == .unread && shown([:], ["read": true]).mark == .none)
    #expect(try shown(["reason": "Which?", "candidates": ["x", "y"]]).candidates == ["x", "y"])
    #expect(try shown(["reason": "Which?"]).reason == "Which?")
  }

  @Test("a found passage replaces the beginning, and its words are marked where they stand in the title")
  func found() throws {
    let hit: JSONObject = [
      "title": "A title", "snippet": "a river here", "titleRanges": [["offset": 2, "length": 5]],
      "ranges": [["offset": 2, "length": 5]], "cutBefore": true, "preview": "p",
    ]
    let shown = try shown([:], hit)
    #expect(shown.rest.text == "… a river here" && shown.hasFound && shown.title.text == "A title")
    let ink = Ink(isOn: true)
    #expect(shown.title.drawn(ink) { $0 } != "A title" && shown.rest.drawn(ink) { $0 }.contains("river"))
    var nothing = hit
    (nothing["ranges"], nothing["snippet"]) = ([], "")
    #expect(try self.shown([:], nothing).hasFound == false)
  }

  @Test("its id is what calls take: an id, a commit's clock, or a document and a page")
  func ids() {
    #expect(
      ShownItem.id(["id": "a", "page": 3]) == "a" && ShownItem.id(["clock": 42, "label": "diary/add"]) == "clock=42")
    #expect(
      ShownItem.id(["document": "d", "page": 3]) == "d page=3" && ShownItem.id(["page": 3]) == "page=3"
        && ShownItem.id(["clock": 42]) == "")
    var labels: [String: ArraySlice<String>] = ["a": ["%1 9f3a", "%2 9f3a"]]
    let row = item(["id": "a", "title": "A"])
    #expect(
      row?.labelled(&labels).id == "%1 9f3a" && row?.labelled(&labels).id == "%2 9f3a"
        && row?.labelled(&labels).id == "a")
  }

  @Test("a problem is told with its advice, and what has neither message is none")
  func problems() {
    #expect(
      ShownItem.sentences(["message": "No.", "advice": "Do."]) == "No. Do."
        && ShownItem.sentences(["display": "No."]) == "No.")
    #expect(
      ShownItem.sentences(["advice": "Do."]) == nil && ShownItem.sentences(nil) == nil
        && ShownItem.sentences("No.") == nil)
  }
}
