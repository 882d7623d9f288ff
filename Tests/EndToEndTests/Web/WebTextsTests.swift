import Foundation
import TestSupport
import Testing
import Wire

/// The editor of notes and of the diary, in Chromium, with a real daemon.
@Suite("The page in a browser: texts", .timeLimit(.minutes(10)))
struct WebTextsTests {
  @Test("what is typed in one window is not overwritten by another; the reader keeps it or takes what is there now")
  func conflict() async throws {
    let (bridge, browser) = try await WebPageTests.open()
    try await browser.call("notes/add", ["id": "alder", "text": "Alder"])
    try await browser.go("#/notes/alder")
    let text = "document.querySelector('cp-notes .entry-text')?.value"
    let choice = "document.querySelector('cp-notes .draft-line').checkVisibility()"
    try await browser.wait(for: "\(text) === 'Alder'")
    let mine = try await browser.window()
    let theirs = try await browser.openWindow()
    try await browser.open(bridge.origin + "/#/notes/alder")
    /// Saves more of the text in the other window, and turns to this one.
    func write(_ more: String, after before: String) async throws {
      try await browser.use(window: theirs)
      try await browser.wait(for: "\(text) === '\(before)'")
      try await browser.type(more, into: "cp-notes .entry-text")
      try await browser.press(Browser.Key.control + "s")
      try await browser.wait(for: "document.querySelector('cp-notes .entry-state').innerText.includes('Saved')")
      try await browser.use(window: mine)
    }
    func stored() async throws -> JSONValue? { try await browser.call("notes/get", ["id": "alder"])["text"] }
    try await write(" one", after: "Alder")
    try await browser.wait(for: "\(text) === 'Alder one'")
    try await browser.type(" mine", into: "cp-notes .entry-text")
    try await write(" two", after: "Alder one")
    try await browser.wait(for: choice)
    try await browser.takePicture("conflict")
    #expect(try await browser.value(of: text) == "Alder one mine")
    // To save is no choice.
    try await browser.press(Browser.Key.control + "s")
    try await browser.wait(for: choice)
    #expect(try await stored() == "Alder one two")
    // Theirs: what was typed goes, its draft too.
    try await browser.click("cp-notes .draft-line button:last-child")
    try await browser.wait(for: "\(text) === 'Alder one two' && !\(choice)")
    #expect(try await browser.call("notes/drafts")["items"] == [])
    // Mine: it replaces theirs, which the history keeps.
    try await browser.type(" mine", into: "cp-notes .entry-text")
    try await write(" three", after: "Alder one two")
    try await browser.wait(for: choice)
    try await browser.click("cp-notes .draft-line .primary")
    try await browser.wait(for: "!\(choice)")
    #expect(try await stored() == "Alder one two mine")
    try await browser.use(window: theirs)
    try await browser.wait(for: "\(text) === 'Alder one two mine'")
    try await browser.close()
  }

  @Test("the diary has a calendar with streaks, the day in other years, versions that are restored, and is shared")
  func diary() async throws {
    let (_, browser) = try await WebPageTests.open(CommandLineHome(isNoon: true, hasLibrary: true))
    let today = try #require(try await browser.call("diary/calendar")["today"]?.stringValue)
    let year = try #require(Int(today.prefix(4)))
    // On the 29th of February the entry of another leap year.
    let before = "\(today.hasSuffix("02-29") ? year - 4 : year - 1)\(today.dropFirst(4))"
    for (id, day, text) in [
      ("now", today, "A walk along the river."), ("rain", "yesterday", "Rain all day."),
      ("snow", before, "The first snow."),
    ] {
      try await browser.call("diary/add", ["id": .string(id), "day": .string(day), "text": .string(text)])
    }
    try await browser.go("#/diary")
    try await browser.wait(for: "document.querySelector('.streaks').innerText.startsWith('2 days in a row')")
    let cell = ".calendar [data-day='\(today)']"
    try await browser.wait(for: "document.querySelector(arguments[0]).ariaLabel.includes('1 entry')", .string(cell))
    try await browser.click(cell)
    let text = "document.querySelector('cp-diary .entry-text')?.value"
    try await browser.wait(for: "\(text) === 'A walk along the river.'")
    try await browser.wait(for: "document.querySelectorAll('cp-diary cp-list .cp-row').length === 1")
    try await browser.wait(for: "document.querySelector('.entry-below').innerText.includes('The first snow.')")
    try await browser.takePicture("diary-day")
    // A week up by a key, into the month before where it must.
    try await browser.value(of: "document.querySelector(arguments[0]).focus()", .string(cell))
    try await browser.press(Browser.Key.up)
    try await browser.wait(
      for: "Date.parse(arguments[0]) - Date.parse(document.activeElement.dataset.day) === 7 * 86400000",
      .string(today))
    try await browser.type(" Cold.", into: "cp-diary .entry-text")
    try await browser.press(Browser.Key.control + "s")
    try await browser.wait(for: "document.querySelector('cp-diary .entry-state').innerText.includes('Saved')")
    let actions = "cp-diary .text-editor header > button:last-child"
    // A browser without a window has no clipboard.
    try await browser.value(of: "navigator.clipboard.writeText = async (text) => { window.copied = text; }, null")
    try await browser.click(actions)
    try await browser.click(".menu button", with: "Copy as Markdown")
    try await browser.wait(for: "window.copied?.includes('# A walk along the river. Cold.')")
    try await browser.click(actions)
    try await browser.click(".menu button", with: "History")
    try await browser.wait(for: "document.querySelector('.version ins')?.innerText.trim() === 'Cold.'")
    try await browser.click(".version:last-child header button")
    try await browser.wait(for: "!document.querySelector('dialog') && \(text) === 'A walk along the river.'")
    #expect(try await browser.call("diary/get", ["id": "now"])["text"] == "A walk along the river.")
    try await browser.close()
  }
}
