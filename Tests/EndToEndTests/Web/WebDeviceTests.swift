import Display
import Foundation
import TestSupport
import Testing
import Wire

@Suite("The devices of a library on the page", .timeLimit(.minutes(10)))
struct WebDeviceTests {
  /// A bridge, and a browser that shows the devices.
  private static func open(
    _ home: CommandLineHome, language: String = "en"
  ) async throws -> (bridge: WebBridge, browser: Browser) {
    let bridge = try await WebBridge.start(home)
    let browser = try await Browser.start(language: language)
    await browser.keep(bridge)
    try await browser.open(bridge.url)
    try await browser.wait(for: "document.querySelector('.screen:not([hidden])') && !location.href.includes('token')")
    try await browser.value(of: "location.hash = '#/library/devices'")
    try await browser.wait(for: "document.querySelector('.devices .sync-state')?.innerText")
    return (bridge, browser)
  }

  private static func shown(_ text: String) -> String {
    "document.querySelector('.devices').innerText.includes('\(text)')"
  }

  /// Two libraries that are shared at a place.
  private static func pair(
    at place: TemporaryFolder
  ) async throws -> (laptop: CommandLineHome, phone: CommandLineHome) {
    let (laptop, phone) = (CommandLineHome(hasLibrary: true), CommandLineHome(hasLibrary: true))
    for home in [laptop, phone] {
      try home.configure("[sync]\ntarget = \"folder\"\nurl = \"\(place.path)\"\nevery = 0\n")
    }
    let made = try await laptop.run(["sync", "set-up", "--name", "laptop"])
    let code = try #require(try JSONParser.parse(made.output)["code"]?.stringValue)
    #expect(try await phone.run(["sync", "join", "--name", "phone"], input: code + "\n").status == 0)
    return (laptop, phone)
  }

  @Test("a library is shared from the page, its code is there as text and as a picture, and another page joins with it")
  func setUp() async throws {
    let place = TemporaryFolder()
    let (laptop, phone) = (CommandLineHome(hasLibrary: true), CommandLineHome(hasLibrary: true))
    _ = try await laptop.call("notes/add", "text=Tea")
    _ = try await phone.call("notes/add", "text=Milk")
    let (_, browser) = try await Self.open(laptop)
    try await browser.takePicture("devices-off")
    // Which fields a place needs depends on its kind.
    let isHidden = "document.querySelector('.devices [name=bucket]').closest('.field').hidden"
    #expect(try await browser.value(of: isHidden) == true)
    try await browser.value(
      of: """
        (() => {
          const kind = document.querySelector('.devices [name=target]');
          for (const value of ['s3', 'folder']) {
            kind.value = value;
            kind.dispatchEvent(new Event('input', { bubbles: true }));
            if (value === 's3' && \(isHidden)) throw new Error('hidden');
          }
        })()
        """)
    try await browser.type("/nowhere/at/all", into: ".devices [name=url]")
    try await browser.click("[data-do=setUp]")
    try await browser.wait(for: Self.shown("/nowhere/at/all"))
    try await browser.value(of: "document.querySelector('.devices [name=url]').value = ''")
    try await browser.type(place.path, into: ".devices [name=url]")
    try await browser.type("laptop", into: ".devices [name=name]")
    try await browser.click("[data-do=setUp]")
    try await browser.wait(for: "document.querySelector('dialog .code')")
    let code = try #require(try await browser.value(of: "document.querySelector('dialog .code').innerText").stringValue)
    #expect(try await laptop.call("sync/code")["code"] == .string(code))
    // The picture has a square for each dark module, with a margin of four.
    let path = try await browser.value(of: "document.querySelector('.code-picture path').getAttribute('d')")
    let squares = (QRCode(code)?.rows ?? []).enumerated().flatMap { y, row in
      row.enumerated().filter { $0.element == "1" }.map { "M\($0.offset + 4) \(y + 4)h1v1h-1z" }
    }
    #expect(!squares.isEmpty && path == .string(squares.joined()))
    try await browser.takePicture("devices-code")
    #expect(try await browser.console() == [])
    try await browser.close()

    let (_, other) = try await Self.open(phone)
    try await other.click(".devices .segmented [value=join]")
    try await other.type(place.path, into: ".devices [name=url]")
    try await other.type("phone", into: ".devices [name=name]")
    try await other.type("CP-00000", into: ".devices [name=code]")
    try await other.press("\u{E007}")
    try await other.wait(for: "document.querySelector('.devices .problem:not([hidden])')")
    #expect(try await phone.call("sync/status")["state"] == "off")
    try await other.value(of: "document.querySelector('.devices [name=code]').value = ''")
    try await other.type(code, into: ".devices [name=code]")
    try await other.click("[data-do=setUp]")
    // What comes is counted before anything is joined.
    try await other.wait(
      for: "document.querySelector('dialog')?.innerText.includes('1 item is only in the shared library, 1 only here')")
    #expect(try await other.value(of: "document.querySelector('.devices .problem:not([hidden])')") == .null)
    #expect(try await phone.call("sync/status")["state"] == "off")
    try await other.click("dialog footer .primary")
    try await other.wait(for: "document.querySelector('.device-list')")
    // The page shows the device while its first exchange is running, which this one joins.
    _ = try await phone.call("sync/run")
    #expect(try await phone.call("notes/list")["total"] == 2)
    #expect(try await other.console() == [])
    try await other.close()
  }

  @Test(
    "devices are renamed, paused and forgotten, a conflict is settled, and a library is left, in each language",
    arguments: ["en", "ko"])
  func devices(language: String) async throws {
    let place = TemporaryFolder()
    let (laptop, phone) = try await Self.pair(at: place)
    _ = try await laptop.call("projects/add", "id=soup", "title=Soup")
    for home in [laptop, phone] { _ = try await home.run(["sync", "run"]) }
    _ = try await laptop.call("projects/update", "id=soup", "title=Soup from the laptop")
    _ = try await phone.call("projects/update", "id=soup", "title=Soup from the phone")
    for home in [laptop, phone] { _ = try await home.run(["sync", "run"]) }

    let (_, browser) = try await Self.open(laptop, language: language)
    for width in [1440, 500] {
      try await browser.resize(width: width)
      try await browser.takePicture("devices-\(language)-\(width)")
    }
    #expect(try await browser.value(of: "document.querySelectorAll('.device-list li').length") == 2)
    // A run that the page asks for brings the conflict, which is drawn without a reload.
    try await browser.click("[data-do=run]")
    try await browser.wait(for: "document.querySelectorAll('.devices .conflict .sides section').length === 2")
    try await browser.wait(for: Self.shown("Soup from the laptop"))
    try await browser.click(".devices .conflict .sides section:last-child button")
    try await browser.wait(for: "!document.querySelector('.devices .conflict')")
    #expect(try await laptop.call("projects/get", "id=soup")["title"] == "Soup from the laptop")

    try await browser.click("[data-do=pause]")
    try await browser.wait(
      for: "document.querySelector('.sync-state').innerText.startsWith(arguments[0])",
      .string(language == "ko" ? "멈춤" : "Paused"))
    #expect(try await laptop.call("sync/status")["state"] == "paused")
    try await browser.click("[data-do=pause]")
    try await browser.wait(for: "!/^(멈춤|Paused)/.test(document.querySelector('.sync-state').innerText)")

    try await browser.click(".device-list li:first-child button")
    try await browser.wait(for: "document.querySelector('dialog [name=name]')?.value === 'laptop'")
    try await browser.value(of: "document.querySelector('dialog [name=name]').value = ''")
    try await browser.type("desk", into: "dialog [name=name]")
    try await browser.click("dialog footer .primary")
    try await browser.wait(for: Self.shown("desk"))
    try await browser.click(".device-list li:last-child button")
    try await browser.click("dialog footer .primary")
    try await browser.wait(for: "document.querySelectorAll('.device-list li').length === 1")
    #expect(try await laptop.call("sync/devices")["items"]?.arrayValue?.map { $0["name"] } == ["desk"])

    try await browser.click("[data-do=leave]")
    try await browser.click("dialog footer .danger")
    try await browser.wait(for: "document.querySelector('.devices form')")
    #expect(try await laptop.call("sync/status")["state"] == "off")
    #expect(try await browser.console() == [])
    try await browser.close()
  }

  @Test("a conflict shows what its item has now, among the conflicts and among the devices")
  func shownConflict() async throws {
    let place = TemporaryFolder()
    let (laptop, phone) = try await Self.pair(at: place)
    _ = try await laptop.call("projects/add", "id=soup", "title=Soup")
    for home in [laptop, phone] { _ = try await home.run(["sync", "run"]) }
    _ = try await laptop.call("projects/update", "id=soup", "deadline=2027-01-01")
    _ = try await phone.call("projects/update", "id=soup", "deadline=2027-01-02")
    for home in [laptop, phone, laptop] { _ = try await home.run(["sync", "run"]) }
    let (_, browser) = try await Self.open(laptop)
    func seesConflict(_ text: String) async throws {
      try await browser.wait(for: "document.querySelector('.library-page .conflict h2')?.innerText.includes('\(text)')")
    }
    for (screen, title) in [("conflicts", "Stew"), ("devices", "Broth")] {
      try await browser.value(of: "location.hash = '#/library/\(screen)'")
      try await seesConflict("Deadline")
      _ = try await laptop.call("projects/update", "id=soup", "title=\(title)")
      try await seesConflict(title)
    }
    #expect(try await browser.console() == [])
    try await browser.close()
  }
}
