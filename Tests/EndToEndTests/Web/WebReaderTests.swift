import Foundation
import TestSupport
import Testing
import Wire

/// What a person does in the reader of documents, in Chromium, with a real daemon.
@Suite("The reader in a browser", .timeLimit(.minutes(10)))
struct WebReaderTests {
  /// A page with what was made of a file.
  private struct Opened {
    var bridge: WebBridge
    var browser: Browser
    var id: String

    func ask(_ method: String, _ arguments: String...) async throws -> JSONValue {
      let result = try await bridge.home.run(["call", method, "id=\(id)"] + arguments)
      return try JSONParser.parse(result.output)
    }
  }

  private static let drawn = "document.querySelector('.page img')?.naturalWidth > 400"

  private static func open(_ samples: SamplePDF...) async throws -> [Opened] {
    let home = CommandLineHome(hasLibrary: true)
    var ids: [String] = []
    for (index, sample) in samples.enumerated() {
      let path = "\(home.work)/\(index).pdf"
      try Data(sample.bytes).write(to: URL(filePath: path))
      ids.append(try #require(try await home.call("documents/add", "path=\(path)")["id"]?.stringValue))
    }
    let (bridge, browser) = try await WebPageTests.open(home, at: "#/documents/\(ids[0])")
    try await browser.wait(for: drawn)
    return ids.map { Opened(bridge: bridge, browser: browser, id: $0) }
  }

  /// Two pages with an outline, links and labels, and ten more of text.
  private static var book: SamplePDF {
    var sample = SamplePDF.described
    sample.labelPrefix = "A-"
    sample.pages += (3...12).map { .init(["River \($0) meets a river", "and a lake"]) }
    return sample
  }

  // MARK: - Places of text

  private typealias Box = (left: Double, top: Double, right: Double, bottom: Double)

  private static func box(_ quad: JSONValue?) -> Box {
    let numbers = quad?.arrayValue?.compactMap(\.doubleValue) ?? []
    let xs = stride(from: 0, to: numbers.count, by: 2).map { numbers[$0] }
    let ys = stride(from: 1, to: numbers.count, by: 2).map { numbers[$0] }
    return (xs.min() ?? 0, ys.min() ?? 0, xs.max() ?? 0, ys.max() ?? 0)
  }

  private static func around(_ boxes: [Box]) -> Box {
    (
      boxes.map(\.left).min() ?? 0, boxes.map(\.top).min() ?? 0, boxes.map(\.right).max() ?? 0,
      boxes.map(\.bottom).max() ?? 0
    )
  }

  private static func isNear(_ one: Box, _ other: Box) -> Bool {
    [one.left - other.left, one.top - other.top, one.right - other.right, one.bottom - other.bottom]
      .allSatisfy { abs($0) < 1.5 }
  }

  /// Where the elements of a selector are on the first page, in points of the PDF: one box around them.
  private static func shown(_ selector: String, in browser: Browser) async throws -> Box {
    let value = try await browser.value(
      of: """
        (() => {
          const sheet = document.querySelector('.page .sheet');
          const { left, top } = sheet.getBoundingClientRect();
          const scale = Number(sheet.style.getPropertyValue('--s'));
          const boxes = [...sheet.querySelectorAll(arguments[0])].map((each) => each.getBoundingClientRect());
          const edge = (name, pick) => pick(...boxes.map((box) => box[name]));
          return [(edge('left', Math.min) - left) / scale, (edge('top', Math.min) - top) / scale,
            (edge('right', Math.max) - left) / scale, (edge('bottom', Math.max) - top) / scale];
        })()
        """, .string(selector))
    func number(_ index: Int) -> Double { value[index]?.doubleValue ?? .nan }
    return (number(0), number(1), number(2), number(3))
  }

  @Test(
    "Korean, Arabic and vertical Japanese text is selected under the pointer, and highlighted where the daemon has it")
  func scripts() async throws {
    // Written from the top, in the font's own way, the second column left of the first.
    var vertical = SamplePDF(pages: [.init(content: "/Shown Do")])
    let shown = ["春はあけぼのよ", "夏はよるつきの"].map { $0.utf16.map { String($0, radix: 16) }.joined() }
    let font = SamplePDF.firstOwnObject
    vertical.resources = "/XObject<</Shown \(font + 1) 0 R>>"
    vertical.objects = [
      "<</Type/Font/Subtype/Type0/BaseFont/HYSMyeongJo-Medium/Encoding/UniKS-UCS2-V/DescendantFonts[6 0 R]>>",
      SamplePDF.stream(
        "BT /V 24 Tf 400 700 Td <\(shown[0])> Tj -40 0 Td <\(shown[1])> Tj ET",
        "/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</Font<</V \(font) 0 R>>>>"),
    ]
    let documents = try await Self.open(
      SamplePDF(pages: [.init(korean: ["한강을 따라 걸었다.", "다음 줄"])]),
      SamplePDF.rightToLeft(["هذا كتاب جديد", "سطر آخر"]), vertical)
    for (document, word) in zip(documents, ["따라", "كتاب", "あけぼ"]) {
      let browser = document.browser
      try await browser.value(of: "location.hash = '#/documents/' + arguments[0]", .string(document.id))
      let page = try await document.ask("documents/text", "page=0", "detail=characters")
      let text = Array((page["text"]?.stringValue ?? "").utf16)
      let start = try #require(text.firstRange(of: Array(word.utf16))?.lowerBound, "\(word) in \(page["text"] ?? "")")
      let boxes = (page["characters"]?.arrayValue ?? []).filter {
        let offset = Int($0["offset"]?.integerValue ?? -1)
        return offset >= start && offset < start + word.utf16.count
      }.map { Self.box($0["quad"]) }
      let word0 = try #require(boxes.first)
      let last = try #require(boxes.last)
      // From before the first character to behind the last, in the direction of the text.
      let isDown = abs(last.top - word0.top) > abs(last.left - word0.left)
      let isLeft = !isDown && last.left < word0.left
      func edge(_ box: Box, isEnd: Bool) -> (Double, Double) {
        let share = isEnd ? 0.9 : 0.1
        return (
          isDown ? (box.left + box.right) / 2 : box.left + (box.right - box.left) * (isLeft ? 1 - share : share),
          isDown ? box.top + (box.bottom - box.top) * share : (box.top + box.bottom) / 2
        )
      }
      try await browser.wait(
        for: "\(Self.drawn) && document.querySelector('.text-layer')?.textContent.includes(arguments[0][0])",
        .string(word))
      let places = try await browser.value(
        of: """
          (() => {
            const sheet = document.querySelector('.page .sheet');
            const { left, top } = sheet.getBoundingClientRect();
            const scale = Number(sheet.style.getPropertyValue('--s'));
            return [left, top, scale];
          })()
          """)
      func point(_ place: (Double, Double)) -> (x: Int, y: Int) {
        let scale = places[2]?.doubleValue ?? 1
        return (
          Int((places[0]?.doubleValue ?? 0) + place.0 * scale), Int((places[1]?.doubleValue ?? 0) + place.1 * scale)
        )
      }
      try await browser.drag(from: point(edge(word0, isEnd: false)), to: point(edge(last, isEnd: true)))
      try await browser.wait(for: "document.querySelector('.selection-layer div')")
      let whole = Self.around(boxes)
      let selected = try await Self.shown(".selection-layer div", in: browser)
      #expect(Self.isNear(selected, whole), "\(word): \(selected), \(whole)")
      try await browser.press("h")
      try await browser.wait(for: "document.querySelector('.highlight')")
      let highlight = try #require(try await document.ask("documents/highlights")["items"]?[0])
      #expect(highlight["text"]?.stringValue == word)
      let lines = (highlight["lines"]?.arrayValue ?? []).map { Self.box($0["quad"]) }
      #expect(Self.isNear(Self.around(lines), whole), "\(word): \(lines), \(whole)")
      let drawn = try await Self.shown(".highlight", in: browser)
      #expect(Self.isNear(drawn, whole), "\(word): \(drawn), \(whole)")
      try await browser.takePicture("reader-\(word)")
    }
    try await documents[0].browser.close()
  }

  // MARK: - Pages

  @Test("pages are zoomed, fitted, turned and darkened; headings, links, labels and hits lead to their places and back")
  func places() async throws {
    let document = try await Self.open(Self.book)[0]
    let browser = document.browser
    let percent = "document.querySelector('.zoom-value').textContent"
    func at(_ page: Int) -> String { "location.hash.includes('page=\(page)')" }
    let fitted = try await browser.value(of: percent)
    try await browser.press("+")
    try await browser.wait(for: "\(percent) !== arguments[0]", fitted)
    try await browser.press("W")
    try await browser.wait(
      for:
        "document.querySelector('.page').getBoundingClientRect().height <= document.querySelector('cp-pages').clientHeight"
    )
    try await browser.press("w")
    try await browser.wait(for: "\(percent) === arguments[0]", fitted)
    try await browser.press("r")
    try await browser.wait(
      for: "(({ width, height }) => width > height)(document.querySelector('.page').getBoundingClientRect())")
    for _ in 1...3 { try await browser.press("r") }
    try await browser.wait(
      for: "(({ width, height }) => width < height)(document.querySelector('.page').getBoundingClientRect())")
    // What is not turned is not remembered.
    #expect(try await browser.value(of: "JSON.parse(localStorage.commonplace).rotations") == [:])
    try await browser.press("i")
    try await browser.wait(for: "document.querySelector('cp-reader.is-dark-paper')")
    try await browser.press("i")

    try await browser.press("o")
    try await browser.wait(for: "document.querySelectorAll('.outline .heading').length >= 3")
    try await browser.value(
      of: "[...document.querySelectorAll('.outline .heading')].find((each) => each.innerText.includes('Named')).click()"
    )
    try await browser.wait(for: at(2))
    try await browser.value(of: "history.back()")
    try await browser.wait(for: at(1))
    try await browser.press("o")
    try await browser.value(of: "document.querySelector('cp-pages').focus()")
    try await browser.wait(for: "document.querySelector('.links a[href*=page]')")
    try await browser.value(of: "document.querySelector('.links a[href*=page]').click()")
    try await browser.wait(for: at(2))
    try await browser.press("H")
    try await browser.wait(for: at(1))
    try await browser.press("L")
    try await browser.wait(for: at(2))

    try await browser.press("p")
    try await browser.type("a-v" + Browser.Key.enter, into: ".page-field")
    try await browser.wait(for: at(5))
    #expect(try await browser.value(of: "document.querySelector('.page-field').value") == "A-v")

    let rail = "document.querySelector('.rail')"
    let marks =
      "\(rail).getContext('2d').getImageData(0, 0, \(rail).width, \(rail).height).data.some((each) => each > 0)"
    #expect(try await browser.value(of: marks) == false)
    try await browser.press("/")
    try await browser.type("river" + Browser.Key.enter, into: "cp-find input")
    try await browser.wait(for: "document.querySelector('cp-find .number').textContent.includes('20')")
    try await browser.wait(for: "document.querySelector('.hit.is-current') && \(marks)")
    let hit = try await browser.value(of: "document.querySelector('cp-find .number').textContent")
    try await browser.press(Browser.Key.enter)
    try await browser.wait(for: "document.querySelector('cp-find .number').textContent !== arguments[0]", hit)
    try await browser.takePicture("reader-find")
    // In a narrow window everything is still there.
    try await browser.resize(width: 500)
    try await browser.wait(
      for: "[...document.querySelectorAll('cp-find button')].every((each) => each.checkVisibility())")
    try await browser.click(".reader-bar [aria-haspopup=menu]:last-child")
    try await browser.wait(for: "document.querySelector('.menu')?.innerText.includes('+')")
    try await browser.takePicture("reader-narrow")
    try await browser.press(Browser.Key.escape)
    try await browser.close()
  }

  @Test("the place is kept when the reader leaves, and followed from another client")
  func position() async throws {
    let document = try await Self.open(Self.book)[0]
    let browser = document.browser
    try await browser.press("7")
    try await browser.press("G")
    try await browser.wait(
      for: "location.hash.includes('page=7') && document.querySelector('.page-field').value === 'A-vii'")
    try await browser.value(of: "location.hash = '#/today'")
    try await browser.wait(for: "document.querySelector('cp-today')?.checkVisibility()")
    // What a client sends is begun in that order.
    let kept = "\(WebPageTests.kernel).then(({ daemon }) => daemon.call('documents/get', { id: arguments[0] }))"
    #expect(try await browser.value(of: kept, .string(document.id))["position"]?["page"] == 6)
    try await browser.value(of: "location.hash = '#/documents/' + arguments[0]", .string(document.id))
    try await browser.wait(for: "document.querySelector('.page-field')?.value === 'A-vii' && \(Self.drawn)")
    _ = try await document.ask("documents/setPosition", "page=2")
    try await browser.click(".notice button")
    try await browser.wait(for: "location.hash.includes('page=3')")
    try await browser.close()
  }

  @Test("a book of 5,000 pages is scrolled to its end, with a few pages and little memory at a time")
  func manyPages() async throws {
    let book = SamplePDF(pages: (1...5_000).map { .init(["Page \($0) of a long book"]) })
    let document = try await Self.open(book)[0]
    let browser = document.browser
    let pages = "document.querySelector('cp-pages')"
    var most: Int64 = 0
    for step in 1...25 {
      try await browser.value(of: "\(pages).scrollTo(0, \(pages).scrollHeight * \(step) / 25)")
      try await browser.wait(
        for:
          "[...document.querySelectorAll('.page')].some((each) => Number(each.dataset.page) >= \(200 * step - 3) && each.querySelector('img').naturalWidth > 400)"
      )
      let shown = try await browser.value(of: "document.querySelectorAll('.page').length").integerValue ?? 0
      most = max(most, shown)
    }
    #expect(most <= 12)
    try await browser.wait(
      for: "document.querySelector('.text-layer[data-page=\"4999\"]')?.textContent.includes('Page 5000')")
    let memory = try #require(try await browser.value(of: "performance.memory.usedJSHeapSize").integerValue)
    #expect(memory < 100 << 20, "\(memory)")
    try await browser.takePicture("reader-end")
    try await browser.close()
  }

  // MARK: - Marks

  @Test(
    "a highlight, its note and a bookmark appear in the other window, and a memo of another client is not overwritten")
  func marks() async throws {
    let document = try await Self.open(Self.book)[0]
    let browser = document.browser
    let first = try await browser.window()
    let second = try await browser.openWindow()
    try await browser.open("\(document.bridge.origin)/#/documents/\(document.id)")
    try await browser.wait(for: "document.querySelector('.page img')?.naturalWidth > 400")
    try await browser.use(window: first)
    try await browser.wait(for: "document.querySelector('.text-layer span')")
    try await browser.press("v")
    try await browser.wait(for: "getSelection().toString() === 'first'")
    try await browser.press("h")
    try await browser.wait(for: "document.querySelector('.highlight-button')")
    try await browser.value(of: "document.querySelector('.highlight-button').focus()")
    try await browser.press(Browser.Key.enter)
    try await browser.type("Think about it.", into: "#highlight-note")
    try await browser.press(Browser.Key.control + Browser.Key.enter)
    try await browser.wait(for: "document.querySelector('.highlight.has-note') && !document.querySelector('dialog')")
    #expect(try await document.ask("documents/highlights")["items"]?[0]?["note"] == "Think about it.")
    try await browser.press("b")
    try await browser.wait(for: "document.querySelector('.bookmark-mark')")
    #expect(try await document.ask("documents/bookmarks")["items"]?.arrayValue?.count == 1)
    try await browser.use(window: second)
    try await browser.wait(
      for: "document.querySelector('.highlight.has-note') && document.querySelector('.bookmark-mark')")

    // A memo is begun where there is none; meanwhile the other window writes one.
    try await browser.value(of: "document.querySelector('cp-pages').focus()")
    try await browser.press("m")
    try await browser.type("From the second", into: ".dialog textarea")
    try await browser.use(window: first)
    try await browser.value(of: "document.querySelector('cp-pages').focus()")
    try await browser.press("m")
    try await browser.type("From the first", into: ".dialog textarea")
    try await browser.press(Browser.Key.control + Browser.Key.enter)
    try await browser.wait(for: "document.querySelector('.memo-mark') && !document.querySelector('dialog')")
    try await browser.use(window: second)
    try await browser.press(Browser.Key.control + Browser.Key.enter)
    try await browser.wait(for: "document.querySelector('.dialog .problem').textContent.length > 0")
    #expect(try await browser.value(of: "document.querySelector('.dialog textarea').value") == "From the second")
    #expect(try await document.ask("documents/memos")["items"]?[0]?["text"] == "From the first")
    try await browser.takePicture("reader-memo")
    try await browser.close()
  }

  @Test("a selection over two pages is one act, and is undone by one key")
  func acrossPages() async throws {
    let pages = ["first page", "second page"].map { SamplePDF.Page([$0], height: 120, origin: (72, 60)) }
    let document = try await Self.open(SamplePDF(pages: pages))[0]
    let browser = document.browser
    let layer = { (page: Int) in "document.querySelector('.text-layer[data-page=\"\(page)\"] span')" }
    try await browser.wait(for: "\(layer(0)) && \(layer(1))")
    try await browser.value(
      of: "getSelection().setBaseAndExtent(\(layer(0)).firstChild, 0, \(layer(1)).firstChild, 6)")
    try await browser.press("h")
    try await browser.wait(for: "document.querySelectorAll('.highlight').length === 2")
    #expect(try await document.ask("documents/highlights")["items"]?.arrayValue?.count == 2)
    try await browser.press(Browser.Key.control + "z")
    try await browser.wait(for: "!document.querySelector('.highlight')")
    #expect(try await document.ask("documents/highlights")["items"] == [])
    try await browser.press(Browser.Key.control + "y")
    try await browser.wait(for: "document.querySelectorAll('.highlight').length === 2")
    try await browser.press(Browser.Key.control + "z")
    try await browser.wait(for: "!document.querySelector('.highlight')")
    try await browser.close()
  }

  @Test("pages are printed as pictures, and the document is saved with its marks")
  func printAndSave() async throws {
    let document = try await Self.open(Self.book)[0]
    let browser = document.browser
    _ = try await document.ask("documents/addHighlight", "page=0", "lines:=[\"first\"]")
    try await browser.wait(for: "document.querySelector('.highlight')")
    try await browser.value(
      of: """
        (window.print = () => (window.printed = [...document.querySelectorAll('.print-sheet img')].map(
          ({ naturalWidth }) => naturalWidth)), HTMLAnchorElement.prototype.click = function () { window.saved = this.href; }, 1)
        """)
    try await browser.press(Browser.Key.control + "p")
    try await browser.value(of: "document.querySelector('#asked').value = ''")
    try await browser.type("2-3" + Browser.Key.enter, into: "#asked")
    try await browser.wait(for: "window.printed")
    #expect(try await browser.value(of: "window.printed") == [1700, 1700])
    try await browser.wait(for: "!document.querySelector('dialog')")
    try await browser.click(".reader-bar [aria-haspopup=menu]:last-child")
    try await browser.value(
      of:
        "[...document.querySelectorAll('.menu button')].find((each) => each.innerText.includes('Save with marks')).click()"
    )
    try await browser.wait(for: "window.saved")
    let saved = "fetch(window.saved).then((reply) => reply.text()).then((text) => text.slice(0, 5))"
    #expect(try await browser.value(of: saved) == "%PDF-")
    try await browser.close()
  }
}
