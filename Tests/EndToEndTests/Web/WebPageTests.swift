import Foundation
import TestSupport
import Testing
import Wire

/// What a person does on the page, in Chromium, with a real daemon. `PICTURES=FOLDER` saves what it looks like.
@Suite("The page in a browser", .timeLimit(.minutes(10)))
struct WebPageTests {
  /// A bridge, and a browser that has opened its URL.
  static func open(
    _ home: CommandLineHome = CommandLineHome(hasLibrary: true), at address: String = "", language: String = "en"
  ) async throws -> (bridge: WebBridge, browser: Browser) {
    let bridge = try await WebBridge.start(home)
    let browser = try await Browser.start(language: language)
    await browser.keep(bridge)
    try await browser.open(bridge.url)
    try await browser.wait(for: "document.querySelector('.screen:not([hidden])') && !location.href.includes('token')")
    if !address.isEmpty { try await browser.value(of: "location.hash = arguments[0]", .string(address)) }
    return (bridge, browser)
  }

  /// Left, right and the middle of the height of a word in the text layer of the first page; null if it is not there.
  static func place(of word: String) -> String {
    """
    (() => {
      const layer = document.querySelector('.text-layer[data-page="0"]');
      const nodes = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT);
      while (nodes.nextNode()) {
        const start = nodes.currentNode.data.indexOf('\(word)');
        if (start < 0) continue;
        const range = document.createRange();
        range.setStart(nodes.currentNode, start);
        range.setEnd(nodes.currentNode, start + '\(word)'.length);
        const box = range.getBoundingClientRect();
        return [box.left, box.right, (box.top + box.bottom) / 2];
      }
      return null;
    })()
    """
  }

  /// The page's own modules: of the folder that the page loads them from, not others of the same text.
  static let kernel =
    "import(new URL('kernel.js', document.querySelector('script[src*=main]').src))"

  static func card(_ title: String) -> String {
    "[...document.querySelectorAll('.card-item')].find((item) => item.innerText.includes('\(title)'))"
  }

  @Test("the URL of the command opens Today: the day's entry, the cards that are due, and no token is left in the URL")
  func today() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("diary/add", "text=A walk along the river.")
    _ = try await home.call("projects/add", "title=Return the book")
    let (bridge, browser) = try await Self.open(home)
    try await browser.wait(for: "document.querySelector('.today-due')?.innerText.includes('Return the book')")
    try await browser.wait(for: "document.querySelector('cp-today').innerText.includes('A walk along the river.')")
    #expect(try await browser.value(of: "location.href").stringValue?.contains("token") == false)
    #expect(try await browser.value(of: "document.cookie") == "")
    // A change from elsewhere is there without a reload.
    _ = try await home.call("projects/add", "title=Call the library")
    try await browser.wait(for: "document.querySelector('.today-due').innerText.includes('Call the library')")
    try await browser.takePicture("today")
    #expect(try await browser.console() == [])
    // The URL works once. In the same browser the cookie does.
    try await browser.open(bridge.origin)
    try await browser.wait(for: "document.querySelector('.today-due')?.innerText.includes('Return the book')")
    let other = try await Browser.start()
    try await other.open(bridge.url)
    try await other.wait(for: "document.body.innerText.includes('commonplace web')")
    #expect(try await other.value(of: "document.body.innerText.includes('Return the book')") == false)
    try await other.close()
    try await browser.close()
  }

  @Test("every screen opens in each language, wide and narrow, without an error", arguments: ["en", "ja", "ko", "zh"])
  func screens(language: String) async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("diary/add", "text=한강을 따라 걸었다.")
    let (bridge, browser) = try await Self.open(home, language: language)
    for width in [1440, 500] {
      try await browser.resize(width: width)
      try await browser.open(bridge.origin)
      for name in ["documents", "boards", "diary", "projects", "notes", "books", "search", "library", "today"] {
        try await browser.value(of: "location.hash = '#/\(name)'")
        try await browser.wait(
          for:
            "(() => { const shown = document.querySelector('.screen:not([hidden])'); return shown && shown.localName.includes(arguments[0]) && shown.innerText.length > 10; })()",
          .string(name))
        try await browser.takePicture("\(name)-\(language)-\(width)")
        // Nothing is wider than the window.
        #expect(
          try await browser.value(of: "document.documentElement.scrollWidth <= window.innerWidth") == true,
          "\(name) at \(width)")
      }
    }
    #expect(try await browser.value(of: "document.documentElement.lang").stringValue?.hasPrefix(language) == true)
    #expect(try await browser.console() == [])
    try await browser.close()
  }

  @Test("the page has the same words in each of its languages, with the same places for values")
  func words() async throws {
    let (_, browser) = try await Self.open()
    let differences = """
      .then(async ({ languages }) => {
        const main = document.querySelector('script[src*=main]');
        const places = (entry) => (typeof entry === 'function' ? null : [...entry.matchAll(/\\{\\w+\\}/g)].sort().join());
        const found = [];
        const tables = await Promise.all(languages.map(async ([, tag]) => {
          const areas = Object.entries((await import(new URL(`words/${tag.slice(0, 2)}.js`, main.src))).default);
          return [tag, new Map(areas.flatMap(([area, words]) => (
            Object.entries(words).map(([key, entry]) => [`${area}.${key}`, places(entry)]))))];
        }));
        const english = tables.find(([tag]) => tag === 'en-US')[1];
        for (const [tag, table] of tables) {
          for (const key of new Set([...english.keys(), ...table.keys()])) {
            const [own, asked] = [table.get(key), english.get(key)];
            if (own === undefined || asked === undefined || (own !== asked && own !== null && asked !== null)) {
              found.push(`${tag} ${key}`);
            }
          }
        }
        return [languages.length, ...found];
      })
      """
    #expect(try await browser.value(of: Self.kernel + differences) == [4])
    try await browser.close()
  }

  @Test("a card that is dragged in one window moves in the other, and Ctrl+Z takes it back in both")
  func twoWindows() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("projects/add", "title=Return the book")
    let (bridge, browser) = try await Self.open(home, at: "#/projects")
    let first = try await browser.window()
    try await browser.wait(for: Self.card("Return the book"))
    try await browser.openWindow()
    try await browser.open(bridge.origin + "/#/projects")
    try await browser.wait(for: Self.card("Return the book"))
    let second = try await browser.window()
    try await browser.use(window: first)
    try await browser.drag(".card-item .card", to: ".column[data-state=doing] ul")
    let moved = "\(Self.card("Return the book"))?.closest('.column').dataset.state"
    try await browser.wait(for: "\(moved) === 'doing'")
    #expect(try await home.call("projects/list")["items"]?[0]?["state"] == "doing")
    try await browser.use(window: second)
    try await browser.wait(for: "\(moved) === 'doing'")
    try await browser.takePicture("projects-moved")
    try await browser.use(window: first)
    try await browser.press(Browser.Key.control + "z")
    try await browser.wait(for: "\(moved) === 'todo'")
    try await browser.use(window: second)
    try await browser.wait(for: "\(moved) === 'todo'")
    try await browser.close()
  }

  @Test("a card is added by one line with its day in words")
  func quickAdd() async throws {
    let (bridge, browser) = try await Self.open(at: "#/projects")
    try await browser.type("Return the book tomorrow #errands", into: "cp-projects .quick-add input")
    try await browser.wait(for: "document.querySelector('cp-projects .quick-facts').innerText.length > 0")
    try await browser.type(Browser.Key.enter, into: "cp-projects .quick-add input")
    try await browser.wait(for: Self.card("Return the book"))
    try await browser.wait(for: "document.querySelector('.notice')")
    let card = try #require(try await bridge.home.call("projects/list")["items"]?[0])
    #expect(card["title"] == "Return the book" && card["tags"] == ["errands"] && card["deadline"] != nil)
    // Words that are a day only for the daemon become part of the title by a click.
    try await browser.type("Watch friday", into: "cp-projects .quick-add input")
    try await browser.wait(for: "document.querySelector('cp-projects .due-chip')")
    try await browser.click("cp-projects .due-chip")
    try await browser.wait(
      for: """
        !document.querySelector('cp-projects .due-chip')
          && document.querySelector('cp-projects .quick-add input').value.includes('\\\\')
        """)
    try await browser.type(Browser.Key.enter, into: "cp-projects .quick-add input")
    try await browser.wait(for: Self.card("Watch friday"))
    try await browser.close()
  }

  @Test("a killed daemon is waited for, the next one is joined, and what changed meanwhile is shown")
  func killedDaemon() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("projects/add", "title=Return the book")
    let (_, browser) = try await Self.open(home, at: "#/projects")
    try await browser.wait(for: Self.card("Return the book"))
    for number in 1...3 {
      let owner = try #require(home.owner)
      kill(owner.pid, SIGKILL)
      // A killed process loses its sockets one after the other: one may still take the command, and never reply.
      var added: JSONValue?
      for _ in 0..<200 where added == nil {
        added = try? await home.call("projects/add", "title=Card \(number)")
      }
      #expect(added != nil)
      try await browser.wait(for: Self.card("Card \(number)"))
      #expect(home.owner?.pid != owner.pid)
    }
    // Writing works again too.
    try await browser.type("Another" + Browser.Key.enter, into: "cp-projects .quick-add input")
    try await browser.wait(for: Self.card("Another"))
    try await browser.close()
  }

  @Test("requests and a draft that meet a killed daemon reach the next one, and nothing typed is lost")
  func reconnection() async throws {
    let (bridge, browser) = try await Self.open(at: "#/diary/new")
    try await browser.type("A walk along the river.", into: ".entry-text")
    try await browser.wait(for: "document.querySelector('.entry-state').innerText.includes('Draft stored')")
    let owner = try #require(bridge.home.owner)
    // Reads of before the loss are repeated, those of meanwhile wait.
    let reading = """
      \(Self.kernel).then(({ daemon }) => {
        window.answers = 0;
        const ask = () => daemon.call('diary/drafts').then(({ total }) => { window.answers += total; });
        daemon.addEventListener('state', () => { if (daemon.state === 'lost') ask(); }, { once: true });
        for (let number = 0; number < 3; number += 1) ask();
      })
      """
    try await browser.value(of: reading)
    kill(owner.pid, SIGKILL)
    try await browser.type(" And back.", into: ".entry-text")
    try await browser.wait(for: "window.answers === 4")
    try await browser.wait(for: "document.querySelector('.entry-state').innerText.includes('Draft stored')")
    let text = "A walk along the river. And back."
    #expect(try await browser.value(of: "document.querySelector('.entry-text').value") == .string(text))
    #expect(try await bridge.home.call("diary/drafts")["items"]?[0]?["text"] == .string(text))
    #expect(bridge.home.owner?.pid != owner.pid)
    // It is saved once, from the one draft.
    try await browser.press(Browser.Key.control + "s")
    try await browser.wait(for: "document.querySelector('.entry-state').innerText.includes('Saved')")
    #expect(try await bridge.home.call("diary/list")["total"] == 1)
    #expect(try await bridge.home.call("diary/drafts")["total"] == 0)
    try await browser.close()
  }

  @Test("a book is written down, rated, read, quoted, and found on the shelf")
  func book() async throws {
    let (bridge, browser) = try await Self.open(at: "#/books")
    func shelf() async throws -> JSONValue? {
      try await bridge.home.call("books/shelf")["items"]?[0]?["shelf"]
    }
    try await browser.wait(for: "document.querySelector('cp-books .empty')")
    try await browser.press("a")
    try await browser.type("The Peregrine", into: "#hand-title")
    try await browser.type("200", into: "#hand-pageCount")
    try await browser.type("J. A. Baker" + Browser.Key.enter, into: "#hand-authors")
    try await browser.wait(for: "document.querySelector('.book-main h1')?.innerText === 'The Peregrine'")
    // A book without a title is refused in the dialog.
    try await browser.value(of: "document.activeElement.blur()")
    try await browser.press("a")
    try await browser.click(".dialog footer .primary")
    try await browser.wait(for: "document.querySelector('.dialog .problem').innerText.length > 0")
    try await browser.press(Browser.Key.escape)
    // Stars by the keyboard, half a star at a time.
    try await browser.value(of: "document.querySelector('.star-field input').focus()")
    for _ in 0..<9 { try await browser.press(Browser.Key.right) }
    try await browser.wait(for: "document.querySelector('.star-field input').ariaValueText === '4.5'")
    // A read sees every write that the page has sent before it.
    let rating =
      "\(Self.kernel).then(({ daemon }) => daemon.call('books/shelf')).then(({ items }) => items[0].shelf.rating)"
    #expect(try await browser.value(of: rating).doubleValue == 4.5)
    try await browser.click(".status-buttons button[value=reading]")
    try await browser.wait(for: "document.querySelector('.status-buttons [value=reading]').ariaPressed === 'true'")
    try await browser.type("50" + Browser.Key.enter, into: ".progress-field input")
    try await browser.wait(for: "document.querySelector('.progress-field strong')?.innerText.includes('25')")
    try await browser.type("The hardest thing of all to see is what is really there.", into: ".quote-form textarea")
    try await browser.click(".quote-form button")
    try await browser.wait(for: "document.querySelector('.quotes li')")
    try await browser.takePicture("book")
    #expect(try await shelf()?["status"] == "reading")
    #expect(try await shelf()?["quotes"]?.arrayValue?.count == 1)
    // On the shelf, by its status and by its author.
    try await browser.value(of: "document.activeElement.blur()")
    try await browser.press(Browser.Key.escape)
    try await browser.click(".book-tabs [value=reading]")
    try await browser.wait(for: "document.querySelector('cp-books cp-list').innerText.includes('The Peregrine')")
    try await browser.type("baker", into: "cp-books input[type=search]")
    try await browser.wait(for: "document.querySelector('cp-books .cp-row .book-title')")
    try await browser.click(".book-tabs [value=want]")
    try await browser.wait(for: "document.querySelector('cp-books .cp-list-message').checkVisibility()")
    try await browser.value(of: "document.activeElement.blur()")
    // The removal is one step, and its undo brings all of it back.
    try await browser.value(of: "location.hash = '#/books/' + arguments[0]", try #require(try await shelf()?["id"]))
    try await browser.click(".book-top .danger")
    try await browser.wait(for: "location.hash === '#/books'")
    #expect(try await bridge.home.call("books/shelf")["total"] == 0)
    try await browser.press(Browser.Key.control + "z")
    try await browser.wait(
      for: "[...document.querySelectorAll('.notice')].some((each) => each.innerText.startsWith('Undone'))")
    #expect(try await shelf()?["rating"]?.doubleValue == 4.5)
    try await browser.close()
  }

  @Test(
    "the library is backed up, archived, exported and checked from its screen, and the archive is read into another")
  func wholeLibrary() async throws {
    let (bridge, browser) = try await Self.open(at: "#/library/backup")
    _ = try await bridge.home.call("diary/add", "text=A walk along the river.")
    func run(_ method: String, _ path: String?, _ browser: Browser) async throws {
      let form = "form[data-method='\(method)']"
      if let path { try await browser.type(path, into: form + " [name=path]") }
      try await browser.click(form + " [type=submit]")
      try await browser.wait(
        for: "document.querySelector(arguments[0]).parentNode.querySelector('.report dl')", .string(form))
    }
    let folder = bridge.home.work
    try await run("library/backup", folder + "/backup", browser)
    try await run("library/export", folder + "/library.tar", browser)
    try await run("library/check", nil, browser)
    try await browser.takePicture("backup")
    #expect(FileManager.default.fileExists(atPath: folder + "/backup"))
    // What is there already is not replaced: the error is beside the button.
    try await browser.click("form[data-method='library/export'] [type=submit]")
    try await browser.wait(for: "document.querySelector('form[data-method=\"library/export\"] + .report .problem')")
    // An export of an area is a download of the bridge.
    try await browser.value(of: "location.hash = '#/library/transfer'")
    try await browser.wait(for: "document.querySelector('.transfer a[download=\"diary.jsonl\"]')")
    let text = try await browser.value(
      of: "fetch(document.querySelector('.transfer a[download=\"diary.jsonl\"]').href).then((reply) => reply.text())")
    #expect(text.stringValue?.contains("A walk along the river.") == true)
    // A file is tried before it is imported.
    try await browser.value(
      of: """
        (() => {
          const data = new DataTransfer();
          data.items.add(new File(['- [ ] Return the book\\n'], 'cards.md'));
          const area = [...document.querySelectorAll('.transfer')]
            .find((each) => each.innerText.startsWith('Projects'));
          area.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
        })()
        """)
    try await browser.click(".report .primary")
    try await browser.wait(
      for: "[...document.querySelectorAll('.notice')].some((each) => each.innerText.includes('cards.md'))")
    #expect(try await bridge.home.call("projects/list")["items"]?[0]?["title"] == "Return the book")
    try await browser.close()
    // The archive of before the import, in an empty library.
    let (other, second) = try await Self.open(at: "#/library/backup")
    try await run("library/import", folder + "/library.tar", second)
    #expect(try await other.home.call("diary/list")["total"] == 1)
    try await second.value(of: "location.hash = '#/diary'")
    try await second.wait(
      for: "document.querySelector('cp-diary cp-list').innerText.includes('A walk along the river.')")
    try await second.close()
  }

  /// HTML that tries to run and to load something from `server`.
  private static func hostile(_ server: String) -> String {
    """
    <title>x</title><script>parent.document.title = "taken"; fetch("\(server)/script")</script>
    <script src="\(server)/src.js"></script><img src="\(server)/image.png" onerror="parent.document.title='taken'">
    <img src=x onerror="fetch('\(server)/error')"><svg onload="fetch('\(server)/svg')"><image href="\(server)/svg.png"/></svg>
    <link rel=stylesheet href="\(server)/style.css"><style>@import url("\(server)/import.css"); body { background: url("\(server)/back.png") }</style>
    <iframe src="\(server)/frame"></iframe><object data="\(server)/object"></object><embed src="\(server)/embed">
    <video src="\(server)/video" autoplay poster="\(server)/poster"></video><audio src="\(server)/audio" autoplay></audio>
    <meta http-equiv=refresh content="0; url=\(server)/refresh"><base href="\(server)/">
    <form action="\(server)/form" id=f><input autofocus onfocus="document.forms[0].submit()"><button>Send</button></form>
    <a id=link href="javascript:parent.document.title='taken'" ping="\(server)/ping">link</a>
    <p id=end>한강을 따라 걸었다.</p>
    """
  }

  @Test("HTML of a post runs nothing and loads nothing, neither cleaned by the daemon nor as it came")
  func hostileHTML() async throws {
    let server = try ScriptedServer { request in
      if request.path == "/feed.xml" {
        return .text(
          """
          <?xml version="1.0"?><rss version="2.0"><channel><title>&lt;img src=x onerror=alert(1)&gt;</title><item>
          <title>&lt;b onmouseover=alert(1)&gt;Bold&lt;/b&gt; title</title><guid>1</guid>
          <description><![CDATA[\(Self.hostile("http://127.0.0.1:1"))]]></description></item></channel></rss>
          """, [("Content-Type", "application/rss+xml")])
      }
      return .text("")
    }
    let home = CommandLineHome(hasLibrary: true)
    let url = "http://127.0.0.1:\(server.port)"
    _ = try await home.call("boards/addSource", "kind=feed", "url=\(url)/feed.xml")
    _ = try await home.call("boards/refresh")
    let before = server.requests.count
    let (_, browser) = try await Self.open(home, at: "#/boards")
    try await browser.wait(for: "document.querySelector('.post-row')")
    try await browser.press("j")
    try await browser.wait(for: "document.querySelector('.post:not([hidden]) h2')?.innerText.length > 0")
    try await browser.takePicture("post-hostile")
    #expect(try await browser.value(of: "document.querySelectorAll('.post h2 b, .post-row img').length") == 0)
    // The same HTML, as no daemon lets it through, in the page's own frame.
    let loaded = """
      new Promise((resolve) => {
        document.querySelector('.post-frame').addEventListener('load', resolve, { once: true });
        const form = document.querySelector('form[target=post]');
        form.firstElementChild.value = arguments[0];
        form.submit();
      }).then(() => true)
      """
    try await browser.value(of: loaded, .string(Self.hostile(url)))
    try await browser.use(frame: ".post-frame")
    try await browser.click("#link")
    try await browser.use(frame: nil)
    // A request that the browser does send comes after whatever the frame has sent.
    try await browser.value(of: "new Promise((resolve) => requestIdleCallback(resolve))")
    #expect(try await browser.value(of: "document.title").stringValue?.contains("taken") == false)
    try await browser.use(frame: ".post-frame")
    #expect(try await browser.value(of: "document.getElementById('end').textContent") == "한강을 따라 걸었다.")
    #expect(try await browser.value(of: "document.querySelectorAll('script').length") == 2)
    try await browser.use(frame: nil)
    // The daemon may look for news of the feed meanwhile.
    #expect(server.requests.dropFirst(before).map(\.path).filter { $0 != "/feed.xml" } == [])
    try await browser.close()
  }

  @Test("the posts of all sources begin with the oldest at one key, and are all marked as read at another")
  func order() async throws {
    let server = try ScriptedServer { _ in
      let items = [("Newer", "02"), ("Older", "01")].map { title, day in
        "<item><title>\(title)</title><guid>\(day)</guid><pubDate>\(day) Jan 2024 00:00:00 GMT</pubDate></item>"
      }
      return .text(
        "<rss version=\"2.0\"><channel><title>News</title>\(items.joined())</channel></rss>",
        [("Content-Type", "application/rss+xml")])
    }
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("boards/addSource", "kind=feed", "url=\(server.origin)/feed.xml")
    _ = try await home.call("boards/refresh")
    let (_, browser) = try await Self.open(home, at: "#/boards?list=all")
    func first(_ title: String) -> String {
      """
      [...document.querySelectorAll('.post-row')]
        .sort((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top)[0]
        ?.innerText.includes('\(title)')
      """
    }
    try await browser.wait(for: first("Newer"))
    try await browser.press("O")
    try await browser.wait(for: first("Older"))
    try await browser.press("A")
    try await browser.wait(
      for: "document.querySelector('.post-row') && !document.querySelector('.post-row:not(.is-read)')")
    #expect(try await home.call("boards/posts", "all=true", "unread=true")["total"] == 0)
    try await browser.close()
  }

  @Test("a PDF that is dropped is on the shelf, is read, and what is selected is highlighted where the daemon has it")
  func document() async throws {
    let (bridge, browser) = try await Self.open(at: "#/documents")
    let pdf = SamplePDF(pages: [.init(["A walk along the river", "and back again"]), .init(["Page two"])]).bytes
    try await browser.wait(for: "document.querySelector('cp-shelf')")
    try await browser.value(
      of: """
        (() => {
          const bytes = Uint8Array.from(atob(arguments[0]), (each) => each.charCodeAt(0));
          const data = new DataTransfer();
          data.items.add(new File([bytes], 'My walk.pdf', { type: 'application/pdf' }));
          document.querySelector('cp-shelf').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
        })()
        """, .string(Data(pdf).base64EncodedString()))
    try await browser.wait(for: "document.querySelector('cp-shelf cp-list').innerText.includes('My walk')")
    let id = try #require(try await bridge.home.call("documents/list")["items"]?[0]?["id"]?.stringValue)
    try await browser.value(of: "location.hash = '#/documents/' + arguments[0]", .string(id))
    // A sharp picture of the page, and its text over it.
    try await browser.wait(for: "document.querySelector('.page img')?.naturalWidth > 400")
    try await browser.wait(for: Self.place(of: "river"))
    let places = try await browser.value(of: "[\(Self.place(of: "walk")), \(Self.place(of: "river"))]")
    func number(_ word: Int, _ index: Int) -> Int { Int(places[word]?[index]?.doubleValue ?? 0) }
    try await browser.drag(from: (number(0, 0) + 1, number(0, 2)), to: (number(1, 1) - 1, number(1, 2)))
    try await browser.wait(for: "getSelection().toString().includes('walk along the river')")
    try await browser.press("h")
    try await browser.wait(for: "document.querySelectorAll('.highlight-button').length === 1")
    try await browser.takePicture("reader")
    let highlight = try #require(try await bridge.home.call("documents/highlights", "id=\(id)")["items"]?[0])
    #expect(highlight["text"] == "walk along the river", "\(highlight)")
    try await browser.press("a")
    try await browser.wait(for: "document.querySelector('cp-pages.is-marking')")
    try await browser.drag(from: (number(0, 0), number(0, 2) + 60), to: (number(1, 1), number(1, 2) + 120))
    // The mark as the library has it, which the keyboard reaches too.
    try await browser.wait(for: "document.querySelectorAll('.highlight-button').length === 2")
    try await browser.wait(for: "!document.querySelector('cp-pages.is-marking')")
    let area = try await bridge.home.call("documents/highlights", "id=\(id)", "kind=area")["items"]?[0]
    #expect(area?["picture"]?.stringValue != nil && area?["quad"] != nil)
    try await browser.press("J")
    try await browser.wait(for: "document.querySelector('.page-field').value.startsWith('2')")
    try await browser.close()
  }

  @Test("a file of 200 MB is dropped on the page and read")
  func largeDrop() async throws {
    let (bridge, browser) = try await Self.open(at: "#/documents")
    let pdf = SamplePDF(pages: [.init(["A walk along the river"])]).bytes
    let end = pdf.lastRange(of: Array("startxref".utf8))!.lowerBound
    try await browser.wait(for: "document.querySelector('cp-shelf')")
    try await browser.value(
      of: """
        (() => {
          const bytes = (text) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
          const line = new Uint8Array(1 << 20).fill(0x78);
          line[0] = 0x25;
          line[line.length - 1] = 0x0A;
          const data = new DataTransfer();
          data.items.add(new File([bytes(arguments[0]), ...Array(200).fill(line), bytes(arguments[1])], 'Large.pdf'));
          document.querySelector('cp-shelf').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
        })()
        """, .string(Data(pdf).base64EncodedString()), .string(Data(pdf[end...]).base64EncodedString()))
    try await browser.wait(for: "document.querySelector('cp-shelf cp-list').innerText.includes('Large')")
    let document = try #require(try await bridge.home.call("documents/list")["items"]?[0])
    #expect(try #require(document["size"]?.integerValue) > 200 << 20)
    try await browser.value(of: "location.hash = '#/documents/' + arguments[0]", try #require(document["id"]))
    try await browser.wait(for: "document.querySelector('.page img')?.naturalWidth > 400")
    try await browser.wait(for: Self.place(of: "river"))
    try await browser.close()
  }

  @Test("an entry is written, its draft outlives the page, and it is saved by Ctrl+S")
  func diary() async throws {
    let (bridge, browser) = try await Self.open(at: "#/diary")
    try await browser.wait(for: "document.querySelector('cp-diary button')")
    try await browser.press("c")
    try await browser.wait(for: "document.activeElement?.classList.contains('entry-text')")
    try await browser.type("A walk along the river.", into: ".entry-text")
    func drafts() async throws -> JSONValue? { try await bridge.home.call("diary/drafts")["total"] }
    try await browser.wait(for: "document.querySelector('.entry-state').innerText.includes('Draft stored')")
    #expect(try await drafts() == 1)
    try await browser.reload()
    try await browser.wait(
      for: "document.querySelector('.text-drafts:not([hidden])')?.innerText.includes('A walk along the river.')")
    try await browser.click(".text-drafts button.quiet")
    try await browser.wait(for: "document.querySelector('.entry-text').value === 'A walk along the river.'")
    try await browser.type(" And back.", into: ".entry-text")
    try await browser.press(Browser.Key.control + "s")
    try await browser.wait(
      for: "document.querySelector('cp-diary cp-list').innerText.includes('A walk along the river. And back.')")
    try await browser.takePicture("diary")
    #expect(try await bridge.home.call("diary/list")["total"] == 1)
    #expect(try await drafts() == 0)
    try await browser.close()
  }

  @Test("a note links to another by its title, is found by a tag, and comes back after it was removed")
  func notes() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("notes/add", "id=dune", "text=Dune\nBy Frank Herbert.", "tags:=[\"novel\"]")
    let (bridge, browser) = try await Self.open(home, at: "#/notes")
    let list = "document.querySelector('cp-notes cp-list').innerText"
    try await browser.wait(for: "\(list).includes('By Frank Herbert.')")
    try await browser.press("c")
    try await browser.wait(for: "document.querySelector('cp-notes .entry-text').value === ''")
    try await browser.type("Arrakis\nIn [[Du", into: "cp-notes .entry-text")
    try await browser.wait(for: "document.querySelector('cp-notes .picker-option')?.innerText.includes('Dune')")
    try await browser.press(Browser.Key.enter)
    try await browser.press(Browser.Key.control + "s")
    // A list reads a link as its words.
    try await browser.wait(for: "\(list).includes('In Dune')")
    // The new one has its menu and its links at once.
    try await browser.wait(for: "document.querySelector('cp-notes .item-links .chip a')?.innerText === 'Dune'")
    let links = try await bridge.home.call("links/to", "collection=notes", "id=dune")
    #expect(links["total"] == 1 && links["items"]?[0]?["title"] == "Arrakis")
    try await browser.takePicture("notes")
    let tag = "document.querySelector('cp-notes .text-search select')"
    try await browser.value(of: "\(tag).value = 'novel', \(tag).dispatchEvent(new Event('change'))")
    try await browser.wait(for: "\(list).includes('Dune') && !\(list).includes('Arrakis')")
    try await browser.value(of: "\(tag).value = '', \(tag).dispatchEvent(new Event('change'))")
    try await browser.wait(for: "\(list).includes('Arrakis')")
    try await browser.click("cp-notes .text-editor > header [aria-label='More actions']")
    try await browser.wait(for: "document.querySelector('[role=menuitem]')")
    let entries = "[...document.querySelectorAll('[role=menuitem]')]"
    try await browser.value(of: "\(entries).find((each) => each.innerText.startsWith('Remove')).click()")
    try await browser.wait(for: "!\(list).includes('Arrakis')")
    #expect(try await bridge.home.call("notes/list")["total"] == 1)
    try await browser.press(Browser.Key.control + "z")
    try await browser.wait(for: "\(list).includes('Arrakis')")
    try await browser.close()
  }

  @Test("a note with the line ends of another system is unchanged until it is edited, and has them afterwards")
  func lineEnds() async throws {
    let (bridge, browser) = try await Self.open(at: "#/notes")
    let add = "{ id: 'lines', text: 'Lines\\r\\none\\r\\ntwo' }"
    try await browser.value(of: "\(Self.kernel).then(({ daemon }) => daemon.call('notes/add', \(add)))")
    try await browser.value(of: "location.hash = '#/notes/lines'")
    try await browser.wait(for: "document.querySelector('cp-notes .entry-state').innerText.includes('Saved')")
    #expect(try await browser.value(of: "document.querySelector('cp-notes .text-editor .primary').disabled") == true)
    try await browser.type(" three", into: "cp-notes .entry-text")
    try await browser.press(Browser.Key.control + "s")
    try await browser.wait(for: "document.querySelector('cp-notes cp-list').innerText.includes('three')")
    let text = try await bridge.home.call("notes/get", "id=lines")["text"]
    #expect(text == "Lines\r\none\r\ntwo three")
    // Where they are mixed, each line keeps its own, and a new one has that of the line before it.
    let mixed = "{ id: 'mixed', text: 'Mixed\\r\\none\\ntwo\\rthree' }"
    try await browser.value(of: "\(Self.kernel).then(({ daemon }) => daemon.call('notes/add', \(mixed)))")
    try await browser.value(of: "location.hash = '#/notes/mixed'")
    try await browser.wait(for: "document.querySelector('cp-notes .entry-text').value.startsWith('Mixed')")
    try await browser.value(
      of: """
        (() => {
          const field = document.querySelector('cp-notes .entry-text');
          field.setRangeText('\\nhalf', 'Mixed\\none'.length, 'Mixed\\none'.length);
          field.dispatchEvent(new Event('input'));
        })()
        """)
    try await browser.type(" four", into: "cp-notes .entry-text")
    try await browser.press(Browser.Key.control + "s")
    try await browser.wait(for: "document.querySelector('cp-notes .entry-state').innerText.includes('Saved')")
    #expect(
      try await bridge.home.call("notes/get", "id=mixed")["text"] == "Mixed\r\none\nhalf\ntwo\rthree four")
    try await browser.close()
  }

  @Test("texts that are turned to before they have come are never mixed, and a new one brings nobody back")
  func quickTurns() async throws {
    let home = CommandLineHome(hasLibrary: true)
    for (id, title) in [("alder", "Alder"), ("birch", "Birch"), ("cedar", "Cedar")] {
      _ = try await home.call("notes/add", "id=\(id)", "text=\(title)")
    }
    let (bridge, browser) = try await Self.open(home, at: "#/notes/alder")
    let text = "document.querySelector('cp-notes .entry-text').value"
    try await browser.wait(for: "\(text) === 'Alder'")
    // Calls of the methods of `holds` are sent when they are released, and those of `failing` reach no daemon.
    let hold = """
      .then(({ daemon }) => {
        const call = daemon.call.bind(daemon);
        window.held = [];
        daemon.call = async (method, ...more) => {
          if (window.holds?.includes(method)) await new Promise((send) => held.push(send));
          if (window.failing === method) throw Object.assign(new Error(''), { kind: 'disconnected' });
          const reply = await call(method, ...more);
          if (method === 'notes/draft') window.stored = more[0];
          return reply;
        };
        window.release = () => {
          window.holds = null;
          held.splice(0).forEach((send) => send());
        };
      })
      """
    try await browser.value(of: Self.kernel + hold)
    try await browser.type(" typed", into: "cp-notes .entry-text")
    try await browser.value(of: "window.holds = ['notes/get']")
    try await browser.value(of: "location.hash = '#/notes/birch'")
    try await browser.wait(for: "held.length === 1")
    try await browser.value(of: "location.hash = '#/notes/cedar'")
    try await browser.wait(for: "held.length === 2")
    try await browser.value(of: "release()")
    try await browser.wait(for: "\(text) === 'Cedar'")
    let drafts = try await bridge.home.call("notes/drafts")["items"]?.arrayValue ?? []
    #expect(drafts.map { $0["id"] } == ["alder"] && drafts.map { $0["text"] } == ["Alder typed"])
    try await browser.value(of: "location.hash = '#/notes/new'")
    try await browser.wait(for: "\(text) === ''")
    try await browser.type("Dogwood", into: "cp-notes .entry-text")
    try await browser.value(of: "window.holds = ['notes/add']")
    try await browser.press(Browser.Key.control + "s")
    try await browser.wait(for: "held.length === 1")
    try await browser.value(of: "location.hash = '#/notes/birch'")
    try await browser.value(of: "release()")
    try await browser.wait(for: "\(text) === 'Birch'")
    try await browser.wait(for: "document.querySelector('cp-notes cp-list').innerText.includes('Dogwood')")
    #expect(try await browser.value(of: "location.hash") == "#/notes/birch")
    #expect(try await bridge.home.call("notes/list")["total"] == 4)
    // What could not be stored when it was left is stored as soon as the daemon is there again.
    try await browser.value(of: "window.failing = 'notes/draft'")
    try await browser.type(" typed", into: "cp-notes .entry-text")
    try await browser.value(of: "location.hash = '#/notes/cedar'")
    try await browser.wait(for: "\(text) === 'Cedar'")
    try await browser.value(of: "window.failing = null")
    try await browser.wait(for: "window.stored?.text === 'Birch typed' && stored.id === 'birch'")
    try await browser.close()
  }

  @Test("a photo whose upload ends after another text was opened is stored, and is in neither text")
  func lateUpload() async throws {
    let home = CommandLineHome(hasLibrary: true)
    for (id, title) in [("alder", "Alder"), ("birch", "Birch")] {
      _ = try await home.call("notes/add", "id=\(id)", "text=\(title)")
    }
    let (_, browser) = try await Self.open(home, at: "#/notes/alder")
    let text = "document.querySelector('cp-notes .entry-text').value"
    let paste = """
      .then(({ daemon }) => {
        const { upload } = daemon;
        daemon.upload = async (...call) => {
          await new Promise((send) => { window.release = send; });
          return upload.apply(daemon, call);
        };
        window.paste = (name) => {
          const clipboardData = new DataTransfer();
          clipboardData.items.add(new File([name], name, { type: 'text/plain' }));
          document.querySelector('cp-notes .entry-text')
            .dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
        };
      })
      """
    try await browser.wait(for: "\(text) === 'Alder'")
    try await browser.value(of: Self.kernel + paste)
    try await browser.value(of: "paste('early.txt')")
    try await browser.wait(for: "window.release")
    try await browser.value(of: "release()")
    try await browser.wait(for: "/^Alder\\n.*commonplace:\\/files\\/.*/.test(\(text))")
    let shown = try await browser.value(of: text)
    try await browser.value(of: "(window.release = null, paste('late.txt'))")
    try await browser.wait(for: "window.release")
    try await browser.value(of: "location.hash = '#/notes/birch'")
    try await browser.wait(for: "\(text) === 'Birch'")
    try await browser.value(of: "release()")
    try await browser.wait(for: "document.body.innerText.includes('“late.txt” is stored.')")
    #expect(try await browser.value(of: text) == "Birch")
    let drafts = try await home.call("notes/drafts")["items"]?.arrayValue ?? []
    #expect(drafts.map { $0["text"] } == [shown])
    try await browser.close()
  }

  @Test("a note that another client removed leaves the page, and opens again after that was undone")
  func removedNote() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("notes/add", "id=alder", "text=Alder")
    let (bridge, browser) = try await Self.open(home, at: "#/notes/alder")
    let editor = "document.querySelector('cp-notes .text-editor')"
    try await browser.wait(for: "\(editor).querySelector('textarea').value === 'Alder'")
    _ = try await bridge.home.call("notes/remove", "id=alder")
    try await browser.wait(for: "\(editor).hidden && location.hash === '#/notes'")
    _ = try await bridge.home.call("changes/undo")
    try await browser.wait(for: "document.querySelector('cp-notes cp-list').innerText.includes('Alder')")
    try await browser.value(of: "location.hash = '#/notes/alder'")
    try await browser.wait(for: "!\(editor).hidden")
    // An address of none leaves no other text under it.
    try await browser.value(of: "location.hash = '#/notes/none'")
    try await browser.wait(for: "location.hash === '#/notes'")
    try await browser.close()
  }

  @Test("the sheet of a card shows its reminders, ticks and adds steps at once, and is closed by Back")
  func cardSheet() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("projects/add", "id=house", "title=Move house")
    _ = try await home.call(
      "projects/add", "id=boxes", "title=Pack boxes", "deadline=2030-12-24", "reminders:=[\"-1d\"]",
      "steps:=[{\"text\": \"Buy tape\", \"done\": false}]")
    let (bridge, browser) = try await Self.open(home, at: "#/projects")
    func card() async throws -> JSONValue { try await bridge.home.call("projects/get", "id=boxes") }
    try await browser.wait(for: Self.card("Pack boxes"))
    try await browser.value(of: "location.hash = '#/projects/boxes'")
    try await browser.wait(for: "document.querySelector('.card-dialog [name=reminders]')?.value === '-1d'")
    try await browser.click(".card-dialog .steps input[type=checkbox]")
    try await browser.type("Label them\n", into: ".card-dialog aside input[type=text]")
    try await browser.wait(for: "document.querySelectorAll('.card-dialog .steps li').length === 2")
    let steps = try await card()["steps"]?.arrayValue ?? []
    #expect(steps.map { $0["text"] } == ["Buy tape", "Label them"])
    #expect(steps.map { $0["done"] == true } == [true, false])
    try await browser.type("Move", into: ".card-dialog .field:last-child .picker input")
    try await browser.click(".card-dialog .picker-option")
    try await browser.wait(for: "document.querySelector('.card-dialog .field:last-child .chip')")
    try await browser.takePicture("card")
    try await browser.click(".card-dialog footer .primary")
    try await browser.wait(for: "!document.querySelector('dialog')")
    #expect(try await card()["parent"] == "house")
    try await browser.value(of: "location.hash = '#/projects/boxes'")
    try await browser.wait(for: "document.querySelector('dialog[open]')")
    try await browser.value(of: "history.back()")
    try await browser.wait(for: "!document.querySelector('dialog') && location.hash === '#/projects'")
    try await browser.close()
  }

  @Test("a bridge that ends is no daemon to wait for: the page says how to go on, and goes on with the next link")
  func bridgeEnds() async throws {
    let (bridge, browser) = try await Self.open(at: "#/projects")
    try await browser.wait(for: "document.querySelector('cp-projects .quick-add input')")
    // A link in an open page is traded, and leaves it where it is.
    let token = try #require(await bridge.nextToken())
    try await browser.value(of: "location.hash = arguments[0]", .string("#token=\(token)"))
    try await browser.wait(for: "location.hash === '#/projects'")
    #expect(await bridge.nextToken() != nil)
    // One that was used does no harm.
    try await browser.value(of: "location.hash = arguments[0]", .string("#token=\(token)"))
    try await browser.wait(for: "location.hash === '#/projects'")
    bridge.process.kill(SIGTERM)
    try await browser.wait(for: "document.querySelector('.connection').innerText.includes('commonplace web')")
    let call = "\(Self.kernel).then(({ daemon }) => daemon.call('projects/list'))"
    #expect(try await browser.value(of: "\(call).catch((error) => error.kind)") == "disconnected")
    #expect(await bridge.process.ended().status == 0)
    try await browser.close()
  }

  @Test("a page of a bridge that was updated is loaded anew, when the reader does not type; what was typed is a draft")
  func updatedBridge() async throws {
    // The folder of the page's version is another one after an update.
    let folder = TemporaryFolder()
    let files = FileManager.default
    let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/commonplace-web/Page")
    let index = try String(contentsOf: sources.appending(path: "index.html"), encoding: .utf8)
    func write(version: Int) throws {
      try index.replacing("=\"./", with: "=\"/\(version)/")
        .write(toFile: folder.path + "/index.html", atomically: true, encoding: .utf8)
    }
    try files.copyItem(atPath: sources.path, toPath: folder.path + "/1")
    try write(version: 1)
    let bridge = try await WebBridge.start(CommandLineHome(hasLibrary: true), ["--assets", folder.path])
    let browser = try await Browser.start()
    await browser.keep(bridge)
    func update(to version: Int) throws {
      try files.moveItem(atPath: "\(folder.path)/\(version - 1)", toPath: "\(folder.path)/\(version)")
      try write(version: version)
      kill(try #require(bridge.home.owner).pid, SIGKILL)
    }
    func loaded(_ version: Int) -> String { "document.querySelector('script[src*=main]').src.includes('/\(version)/')" }
    try await browser.open(bridge.url)
    try await browser.wait(for: "document.querySelector('.today .quick-add input')")
    try await browser.type("A walk along the river.", into: "cp-writing textarea")
    try await browser.value(of: "document.activeElement.blur()")
    try update(to: 2)
    try await browser.wait(for: loaded(2))
    try await browser.wait(for: "document.querySelector('.notice')?.innerText.includes('updated')")
    try await browser.wait(for: "document.querySelector('.drafts').innerText.includes('A walk along the river.')")
    // While something is typed the page waits.
    try await browser.type("Another walk", into: "cp-writing textarea")
    try update(to: 3)
    try await browser.wait(for: "document.querySelector('.connection button')")
    try await browser.type(" by the sea.", into: "cp-writing textarea")
    #expect(try await browser.value(of: loaded(2)) == true)
    try await browser.takePicture("updated")
    try await browser.click(".connection button")
    try await browser.wait(for: loaded(3))
    try await browser.wait(for: "document.querySelector('.drafts').innerText.includes('Another walk by the sea.')")
    try await browser.close()
  }

  @Test("Ctrl+K finds as one types and leads to the place")
  func search() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("diary/add", "text=A walk along the slow river.")
    let (_, browser) = try await Self.open(home)
    try await browser.wait(for: "document.querySelector('.today-due')")
    try await browser.press(Browser.Key.control + "k")
    try await browser.type("riv", into: ".palette-field")
    try await browser.wait(
      for: "[...document.querySelectorAll('.palette-option')].some((each) => each.innerText.includes('slow river'))")
    try await browser.takePicture("search")
    try await browser.press(Browser.Key.enter)
    try await browser.wait(for: "location.hash.startsWith('#/diary/')")
    try await browser.wait(for: "document.querySelector('.entry-text')?.value.includes('slow river')")
    try await browser.close()
  }
}
