import Foundation
import TestSupport
import Testing
import Wire

/// What the page looks like in narrow and wide windows, dark, on paper, and without movement.
@Suite("The page in a browser: its looks", .timeLimit(.minutes(10)))
struct WebLookTests {
  private static let word = String(repeating: "Donaudampfschiff", count: 20)

  /// Opens every screen, and an item of each that is one long word.
  private static func visit(_ browser: Browser, picture: String, check: (String) async throws -> Void) async throws {
    for address in [
      "documents", "boards", "diary", "diary/entry", "projects", "notes", "notes/note", "books", "search", "library",
      "library/devices", "library/transfer", "library/status", "today",
    ] {
      try await browser.go("#/" + address)
      try await browser.wait(
        for: """
          (() => {
            const shown = document.querySelector('.screen:not([hidden])');
            return shown?.localName.includes(arguments[0].split('/')[0]) && shown.innerText.length > 10;
          })()
          """, .string(address))
      try await check(address)
      try await browser.takePicture("\(picture)-\(address.replacing("/", with: "-"))")
    }
  }

  private static func open() async throws -> Browser {
    let (_, browser) = try await WebPageTests.open()
    try await browser.call("diary/add", ["id": "entry", "text": .string(word)])
    try await browser.call("notes/add", ["id": "note", "text": .string(word)])
    try await browser.call("projects/add", ["title": .string(word), "tags": ["one", "two"]])
    try await browser.call("books/addToShelf", ["byHand": ["title": .string(word), "authors": [.string(word)]]])
    return browser
  }

  @Test("no screen scrolls sideways, whether the window is 360 px wide or 3840", arguments: [(360, 740), (3840, 2160)])
  func widths(width: Int64, height: Int64) async throws {
    let browser = try await Self.open()
    try await browser.devTools(
      "Emulation.setDeviceMetricsOverride",
      ["width": .integer(width), "height": .integer(height), "deviceScaleFactor": 1, "mobile": false])
    try await browser.wait(for: "innerWidth === \(width)")
    try await Self.visit(browser, picture: "width-\(width)") { (address: String) async throws -> Void in
      let scrolled = "document.documentElement.scrollWidth <= \(width) && document.body.scrollWidth <= \(width)"
      #expect(try await browser.value(of: scrolled) == true, "\(address)")
      // What can be pressed is within the window, or in a row that scrolls by itself.
      let away = """
        [...document.querySelectorAll('.screen:not([hidden]) button, .screen:not([hidden]) input')].filter((each) =>
          each.checkVisibility() && each.getBoundingClientRect().right > \(width) + 1
          && !each.closest('.board, .week, .book-tabs, .board-tabs, .library-tabs, .tag-row, .search-tabs'))
          .map((each) => each.outerHTML.slice(0, 200))
        """
      #expect(try await browser.value(of: away) == [], "\(address)")
    }
    #expect(try await browser.console() == [])
    try await browser.close()
  }

  @Test("who wants it dark and without movement has it so, with enough contrast, and paper has only the text")
  func media() async throws {
    let browser = try await Self.open()
    func emulate(_ media: String, _ features: (String, String)...) async throws {
      let list = features.map { JSONValue.object(["name": .string($0.0), "value": .string($0.1)]) }
      try await browser.devTools(
        "Emulation.setEmulatedMedia", ["media": .string(media), "features": .array(list)])
    }
    // The text of the page on the ground that is seen below it, by WCAG 2.
    let contrast = """
      (() => {
        const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
        const light = (color) => {
          canvas.fillStyle = color;
          canvas.fillRect(0, 0, 1, 1);
          const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => part / 255)
            .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const style = getComputedStyle(document.querySelector('.screen:not([hidden])'));
        const ground = light(getComputedStyle(document.documentElement).backgroundColor);
        const text = light(style.color);
        return [ground < 0.5, (Math.max(ground, text) + 0.05) / (Math.min(ground, text) + 0.05) >= 4.5];
      })()
      """
    for isDark in [true, false] {
      try await emulate("", ("prefers-color-scheme", isDark ? "dark" : "light"), ("prefers-reduced-motion", "reduce"))
      try await Self.visit(browser, picture: isDark ? "dark" : "light") { (address: String) async throws -> Void in
        #expect(try await browser.value(of: contrast) == [.bool(isDark), true], "\(address)")
        #expect(try await browser.value(of: "document.getAnimations().length") == 0, "\(address)")
      }
    }
    try await browser.go("#/notes/note")
    try await browser.wait(for: "document.querySelector('cp-notes .entry-text')?.value.length > 100")
    try await emulate("print")
    try await browser.wait(for: "!document.querySelector('.shell-nav').checkVisibility()")
    #expect(try await browser.value(of: "document.querySelector('cp-notes .entry-text').checkVisibility()") == true)
    #expect(try await browser.value(of: "document.querySelector('cp-notes cp-list').checkVisibility()") == false)
    let paper = try await browser.devTools("Page.printToPDF")["data"]?.stringValue ?? ""
    #expect(Data(base64Encoded: paper)?.prefix(5) == Data("%PDF-".utf8))
    try await browser.close()
  }
}
