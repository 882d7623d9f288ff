import Foundation
import TestSupport
import Testing
import Wire

/// The board, the week and the columns of the page, in Chromium, with a real daemon.
@Suite("The page in a browser: projects", .timeLimit(.minutes(10)))
struct WebProjectsTests {
  private static let cards = "document.querySelectorAll('cp-projects .card-item').length"

  private static func card(_ title: String, _ rest: String) -> String { "\(WebPageTests.card(title))\(rest)" }

  private static func focus(_ title: String) -> String { card(title, ".querySelector('.card').focus()") }

  @Test("cards are moved and finished by keys, filtered, wait for one another, recur, and are put off in the week")
  func keys() async throws {
    let (_, browser) = try await WebPageTests.open(at: "#/projects")
    try await browser.call("projects/add", ["id": "old", "title": "Renew passport", "deadline": "2020-01-01"])
    let weekly: JSONValue = ["rule": "FREQ=WEEKLY", "from": "due"]
    try await browser.call(
      "projects/add",
      ["id": "plan", "title": "Plan the trip", "deadline": "today", "recurrence": weekly, "tags": ["trip"]])
    try await browser.call("projects/add", ["id": "pack", "title": "Pack bags", "blockedBy": ["plan"]])
    try await browser.wait(for: Self.card("Renew passport", ".querySelector('.due.overdue')"))
    try await browser.wait(for: Self.card("Pack bags", ".querySelector('.card.blocked')"))
    try await browser.wait(for: Self.card("Plan the trip", ".innerText.includes('weekly')"))
    let order = "[...document.querySelectorAll('.column[data-state=todo] .card-title')].map((each) => each.innerText)"
    try await browser.value(of: Self.focus("Pack bags"))
    try await browser.press(Browser.Key.shift + Browser.Key.up)
    try await browser.wait(for: "\(order).join() === 'Renew passport,Pack bags,Plan the trip'")
    try await browser.wait(for: "document.activeElement.innerText.startsWith('Pack bags')")
    try await browser.press(Browser.Key.shift + Browser.Key.right)
    try await browser.wait(for: Self.card("Pack bags", ".closest('.column').dataset.state === 'doing'"))
    try await browser.wait(for: "document.activeElement.innerText.startsWith('Pack bags')")
    #expect(try await browser.call("projects/get", ["id": "pack"])["state"] == "doing")
    try await browser.press(Browser.Key.left)
    try await browser.wait(for: "document.activeElement.closest('.column').dataset.state === 'todo'")
    // Escape ends what narrows the board.
    for narrow in ["document.querySelector('cp-projects .filters select').value = 'blocked'", "0"] {
      try await browser.value(of: narrow)
      if narrow == "0" {
        try await browser.type("trip", into: "cp-projects .filters input")
      } else {
        try await browser.value(
          of: "document.querySelector('cp-projects .filters select').dispatchEvent(new Event('change'))")
      }
      try await browser.wait(for: "\(Self.cards) === 1")
      try await browser.value(of: "document.activeElement.blur()")
      try await browser.press(Browser.Key.escape)
      try await browser.wait(for: "\(Self.cards) === 3")
    }
    try await browser.value(of: Self.focus("Plan the trip"))
    try await browser.press("d")
    try await browser.wait(for: "document.querySelectorAll('.column.closed .card-item').length === 1")
    try await browser.wait(for: "!" + Self.card("Pack bags", ".querySelector('.card.blocked')"))
    let plans = try await browser.call("projects/list", ["query": "Plan"])["items"]?.arrayValue ?? []
    #expect(Set(plans.compactMap { $0["state"]?.stringValue }) == ["todo", "done"])
    try await browser.value(of: "document.activeElement.blur()")
    try await browser.press("w")
    try await browser.wait(for: "document.querySelector('.day.late .card-item[data-id=old]')")
    try await browser.takePicture("week")
    try await browser.value(of: "document.querySelector('.day.late .card').focus()")
    try await browser.press(Browser.Key.shift + Browser.Key.right)
    try await browser.wait(for: "document.querySelector('.day.is-today .card-item[data-id=old]')")
    let today = try await browser.call("diary/calendar")["today"]
    #expect(try await browser.call("projects/get", ["id": "old"])["deadline"] == today)
    try await browser.close()
  }

  @Test("the board has a lane for each tag, parent or week, in which cards move, and is one board again without")
  func lanes() async throws {
    let (_, browser) = try await WebPageTests.open(at: "#/projects")
    try await browser.call("projects/add", ["id": "trip", "title": "Plan the trip", "tags": ["trip", "home"]])
    try await browser.call("projects/add", ["id": "pack", "title": "Pack bags", "parent": "trip"])
    try await browser.wait(for: "\(Self.cards) === 2")
    func group(by key: String) async throws {
      try await browser.value(
        of: """
          (() => { const lanes = document.querySelector("cp-projects select[aria-label='Lanes']");
            lanes.value = '\(key)'; lanes.dispatchEvent(new Event('change')); return 0; })()
          """)
    }
    let heads = "[...document.querySelectorAll('.lane-head')].map((each) => each.innerText).join()"
    try await group(by: "tag")
    try await browser.wait(for: "\(heads) === '#home,#trip,No tag'")
    try await browser.wait(for: "\(Self.cards) === 3")
    try await browser.takePicture("lanes")
    // A lane that is not seen has no text yet.
    let pack = "document.querySelector('.card-item[data-id=pack]')"
    try await browser.value(of: "\(pack).querySelector('.card').focus()")
    try await browser.press(Browser.Key.shift + Browser.Key.right)
    try await browser.wait(for: "\(pack).closest('.column').dataset.state === 'doing'")
    try await browser.wait(for: "\(pack).contains(document.activeElement)")
    #expect(try await browser.call("projects/get", ["id": "pack"])["state"] == "doing")
    try await group(by: "parent")
    try await browser.wait(for: "\(heads) === 'Plan the trip,Parts of no card'")
    try await browser.call("projects/update", ["id": "pack", "parent": nil])
    try await browser.wait(for: "\(heads) === 'Parts of no card'")
    try await browser.wait(for: "\(Self.cards) === 2")
    try await group(by: "none")
    try await browser.wait(for: "!document.querySelector('.lane') && \(Self.cards) === 2")
    try await browser.close()
  }

  @Test("a column is added, moved and limited, and says when it has more cards than it may")
  func columns() async throws {
    let (_, browser) = try await WebPageTests.open(at: "#/projects")
    try await browser.call("projects/add", ["title": "Renew passport"])
    try await browser.wait(for: WebPageTests.card("Renew passport"))
    try await browser.click("cp-projects .toolbar > button:last-child")
    try await browser.click(".menu button", with: "Columns")
    try await browser.click(".column-rows + button")
    try await browser.press("W")
    try await browser.type("aiting", into: ".column-rows li:nth-child(3) input[type=text]")
    try await browser.click(".column-rows li:nth-child(3) .move-up")
    try await browser.type("1", into: ".column-rows li:first-child .column-limit")
    try await browser.click("dialog footer .primary")
    let titles = "[...document.querySelectorAll('.column h2')].map((each) => each.firstChild.data).join()"
    try await browser.wait(for: "!document.querySelector('dialog') && \(titles) === 'TODO,Waiting,DOING,DONE'")
    let columns = try await browser.call("projects/columns")["columns"]?.arrayValue ?? []
    #expect(columns.map { $0["title"] } == ["TODO", "Waiting", "DOING", "DONE"] && columns[0]["limit"] == 1)
    #expect(try await browser.value(of: "document.querySelector('.over-limit')") == .null)
    try await browser.call("projects/add", ["title": "Return the book"])
    try await browser.wait(for: "document.querySelector('.column .over-limit').innerText === '2 / 1'")
    try await browser.close()
  }

  @Test("of 10,000 cards of a column the last one is reached, and few are in the document")
  func manyCards() async throws {
    let (bridge, browser) = try await WebPageTests.open(at: "#/projects")
    let lines = (0..<10_000).map { "Card \($0)" }.joined(separator: "\n")
    try await browser.upload("projects/import", ["format": "todotxt"], lines.utf8)
    try await browser.wait(for: WebPageTests.card("Card 0"))
    let most = 200
    #expect(try await browser.value(of: "\(Self.cards) <= \(most)") == true)
    // By scrolling, page by page.
    let scroll = "document.querySelector('.column-scroll')"
    let last = "[...document.querySelectorAll('.card-item')].at(-1).innerText"
    try await browser.wait(for: "(\(scroll).scrollTop += 1500, Number(\(last).match(/\\d+/)) > 999)")
    // By a key, at once.
    try await browser.value(of: "document.querySelector('.card-item .card').focus()")
    try await browser.press(Browser.Key.end)
    try await browser.wait(for: "document.activeElement.innerText === 'Card 9999'")
    #expect(try await browser.value(of: "\(Self.cards) <= \(most)") == true)
    #expect(try await browser.value(of: "document.querySelector('.column .more').checkVisibility()") == false)
    try await browser.press(Browser.Key.up)
    try await browser.wait(for: "document.activeElement.innerText === 'Card 9998'")
    // Another client's change keeps the place.
    let id = try #require(
      try await browser.value(of: "document.activeElement.closest('.card-item').dataset.id").stringValue)
    _ = try await bridge.home.call("projects/add", "title=The newest")
    _ = try await bridge.home.call("projects/update", "id=\(id)", "title=The last but one")
    try await browser.wait(for: "document.activeElement.innerText.startsWith('The last but one')")
    try await browser.press(Browser.Key.home)
    try await browser.wait(for: "document.activeElement.innerText.startsWith('Card 0')")
    try await browser.close()
  }
}
