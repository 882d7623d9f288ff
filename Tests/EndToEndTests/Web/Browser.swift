import Foundation
import TestSupport
import Wire

/// Chromium without a window, driven by WebDriver through a chromedriver of its own.
///
/// It waits for what a page shows by a script that resolves when a condition holds, with WebDriver's limit for scripts.
actor Browser {
  struct Failed: Error {
    var command: String
    var value: JSONValue

    /// Whether the element was drawn anew since it was found, or is not in its place yet.
    fileprivate var isOfMoment: Bool {
      let kinds = [
        "stale element reference", "no such element", "element click intercepted", "element not interactable",
      ]
      return kinds.contains(value["error"]?.stringValue ?? "")
        || value["message"]?.stringValue?.contains("does not belong to the document") == true
    }
  }

  private let driver: ChildProcess
  private let folder = TemporaryFolder()
  private let port: Int
  private var session = ""
  private var kept: [any Sendable] = []

  /// Starts a browser; `languages` is what it sends and shows, such as `ko`.
  static func start(width: Int = 1280, height: Int = 800, language: String = "en") async throws -> Browser {
    let browser = try await Browser()
    try await browser.open(width, height, language)
    return browser
  }

  private init() async throws {
    // It takes a free port of IPv4, and ends if the same port of IPv6 is in use.
    for _ in 0..<20 {
      let driver = try Self.driver(in: folder.path)
      while let line = await driver.line() {
        guard let match = line.firstMatch(of: /started successfully on port (\d+)/), let port = Int(match.output.1)
        else { continue }
        (self.driver, self.port) = (driver, port)
        return
      }
      let errors = await driver.end().errors
      guard errors.contains("Address already in use") else {
        throw Failed(command: "chromedriver", value: .string(errors))
      }
    }
    throw Failed(command: "chromedriver", value: "found no free port")
  }

  /// In a process namespace of its own, which ends with its first process: no browser outlives a test that throws.
  private static func driver(in folder: String) throws -> ChildProcess {
    try ChildProcess(
      "/usr/bin/unshare", ["-rpf", "--kill-child", "--mount-proc", "/usr/bin/chromedriver", "--port=0"],
      environment: ["HOME": folder, "PATH": "/usr/bin:/bin", "TMPDIR": folder, "TZ": "Etc/UTC"], folder: folder)
  }

  deinit {
    driver.kill(SIGKILL)
  }

  private func open(_ width: Int, _ height: Int, _ language: String) async throws {
    let arguments: [JSONValue] = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
      "--user-data-dir=\(folder.path)/profile", "--window-size=\(width),\(height)", "--lang=\(language)",
      "--hide-scrollbars", "--force-prefers-reduced-motion", "--disable-background-networking",
      "--disable-component-update",
    ]
    let options: JSONValue = [
      "binary": "/usr/bin/chromium", "args": .array(arguments),
      "prefs": ["intl.accept_languages": .string(language)],
    ]
    let capabilities: JSONValue = [
      "browserName": "chrome", "goog:chromeOptions": options, "timeouts": ["script": 240_000, "pageLoad": 240_000],
      "goog:loggingPrefs": ["browser": "ALL"], "unhandledPromptBehavior": "ignore",
    ]
    // A busy machine may not have started Chromium within the driver's one minute.
    for attempt in 1...5 {
      do {
        let reply = try await command("POST", "/session", ["capabilities": ["alwaysMatch": capabilities]])
        session = "/session/" + (reply["sessionId"]?.stringValue ?? "")
        return
      } catch let error as Failed where attempt < 5 && error.value["error"] == "session not created" {}
    }
  }

  /// Lets the server of its pages live as long as the browser.
  func keep(_ server: any Sendable) {
    kept.append(server)
  }

  /// Ends the browser.
  func close() async throws {
    _ = try await command("DELETE", session)
    driver.kill(SIGKILL)
    _ = await driver.ended()
  }

  // MARK: - Pages

  func open(_ url: String) async throws {
    _ = try await command("POST", session + "/url", ["url": .string(url)])
  }

  /// Makes the window so wide, as a person does at its edge, and waits until the page knows.
  func resize(width: Int) async throws {
    // chromedriver takes no width without a height.
    let size: JSONValue = ["width": .integer(Int64(width)), "height": 800]
    _ = try await command("POST", session + "/window/rect", size)
    try await wait(for: "Math.abs(window.innerWidth - \(width)) < 20")
  }

  /// A command of Chromium's own, of its DevTools protocol.
  @discardableResult
  func devTools(_ name: String, _ params: JSONValue = [:]) async throws -> JSONValue {
    try await command("POST", session + "/goog/cdp/execute", ["cmd": .string(name), "params": params])
  }

  func reload() async throws {
    _ = try await command("POST", session + "/refresh", [:])
  }

  /// Opens another window, which the next commands are for, and returns its handle.
  @discardableResult
  func openWindow() async throws -> String {
    let reply = try await command("POST", session + "/window/new", ["type": "window"])
    let handle = reply["handle"]?.stringValue ?? ""
    try await use(window: handle)
    return handle
  }

  func window() async throws -> String {
    try await command("GET", session + "/window").stringValue ?? ""
  }

  func use(window: String) async throws {
    _ = try await command("POST", session + "/window", ["handle": .string(window)])
  }

  /// Turns to the document in a frame, for the next commands; nil for the page itself.
  func use(frame selector: String?) async throws {
    var id = JSONValue.null
    if let selector { id = [Self.elementKey: .string(try await element(selector))] }
    _ = try await command("POST", session + "/frame", ["id": id])
  }

  /// Saves a picture of the window into the folder that `PICTURES` names, if it names one.
  func takePicture(_ name: String) async throws {
    guard let folder = ProcessInfo.processInfo.environment["PICTURES"] else { return }
    let reply = try await command("GET", session + "/screenshot")
    guard let bytes = Data(base64Encoded: reply.stringValue ?? "") else { return }
    try bytes.write(to: URL(filePath: "\(folder)/\(name).png"))
  }

  /// What the page has written to its console since the last call, and what the browser has refused it.
  func console() async throws -> [String] {
    let reply = try await command("POST", session + "/se/log", ["type": "browser"])
    return reply.arrayValue?.compactMap { $0["message"]?.stringValue } ?? []
  }

  // MARK: - Scripts

  /// The value of an expression in the page; `arguments[0]` and so on are its arguments. A promise is awaited.
  @discardableResult
  func value(of expression: String, _ arguments: JSONValue...) async throws -> JSONValue {
    try await run("return (\(expression))", arguments)
  }

  private func run(_ script: String, _ arguments: [JSONValue]) async throws -> JSONValue {
    try await command("POST", session + "/execute/sync", ["script": .string(script), "args": .array(arguments)])
  }

  /// The value of an expression as soon as it is true, looked at after each change and each frame of the page. A page
  /// that loads itself anew meanwhile is waited for, too.
  ///
  /// - Throws: `Failed` if it does not become true in time.
  @discardableResult
  func wait(for expression: String, _ arguments: JSONValue...) async throws -> JSONValue {
    while true {
      if let value = try await look(for: expression, arguments) { return value }
    }
  }

  /// Nil if the page has loaded itself anew.
  private func look(for expression: String, _ arguments: [JSONValue]) async throws -> JSONValue? {
    let script = """
      window.isLookedAt = true;
      const done = arguments[arguments.length - 1];
      const given = [...arguments].slice(0, -1);
      const look = function () { return (\(expression)); };
      let observer;
      const check = () => {
        if (!observer) return;
        let value;
        try { value = look.apply(null, given); } catch {}
        if (!value) return requestAnimationFrame(check);
        observer.disconnect();
        observer = null;
        done(value);
      };
      observer = new MutationObserver(check);
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      check();
      """
    do {
      return try await command(
        "POST", session + "/execute/async", ["script": .string(script), "args": .array(arguments)])
    } catch let error as Failed {
      // To chromedriver the time of a script is over when its document goes away.
      if try await value(of: "window.isLookedAt !== true") == true { return nil }
      let text = try? await value(of: "document.body.innerText.slice(0, 2000)")
      throw Failed(command: "wait for \(expression)", value: ["error": error.value, "page": text ?? .null])
    }
  }

  // MARK: - A person

  /// Clicks the element of a selector as soon as it is there.
  func click(_ selector: String) async throws {
    try await use(selector, "click", [:])
  }

  /// Types into the element of a selector.
  func type(_ text: String, into selector: String) async throws {
    try await use(selector, "value", ["text": .string(text)])
  }

  /// A command to the element of a selector. Nothing has come of one whose element was not there or in its place: a
  /// person would turn to what is there a moment later.
  private func use(_ selector: String, _ name: String, _ body: JSONValue) async throws {
    let end = ContinuousClock.now + .seconds(240)
    while true {
      try await wait(for: "document.querySelector(arguments[0])", .string(selector))
      do {
        _ = try await command("POST", "\(session)/element/\(try await element(selector))/\(name)", body)
        return
      } catch let error as Failed where error.isOfMoment && ContinuousClock.now < end {}
    }
  }

  /// Types keys wherever the focus is. WebDriver's own code points stand for keys without a character.
  func press(_ keys: String) async throws {
    let down = keys.map { JSONValue.object(["type": "keyDown", "value": .string(String($0))]) }
    let up = keys.reversed().map { JSONValue.object(["type": "keyUp", "value": .string(String($0))]) }
    let actions: JSONValue = [["type": "key", "id": "keyboard", "actions": .array(down + up)]]
    _ = try await command("POST", session + "/actions", ["actions": actions])
  }

  /// Drags an element by its upper part to the upper part of another.
  func drag(_ selector: String, to target: String) async throws {
    // Where they are as soon as they have stayed there from one look to the next.
    let places = try await wait(
      for: """
        (() => {
          const places = [...arguments].slice(0, 2).map((selector) => {
            const box = document.querySelector(selector).getBoundingClientRect();
            return [Math.round((box.left + box.right) / 2), Math.round(box.top + Math.min(20, box.height / 2))];
          });
          const before = window.placesBefore;
          window.placesBefore = String(places);
          return before === window.placesBefore && places;
        })()
        """, .string(selector), .string(target))
    func point(_ index: Int) -> (x: Int, y: Int) {
      (Int(places[index]?[0]?.integerValue ?? 0), Int(places[index]?[1]?.integerValue ?? 0))
    }
    try await drag(from: point(0), to: point(1))
  }

  /// Drags from a point of the window to another, in CSS pixels.
  func drag(from start: (x: Int, y: Int), to end: (x: Int, y: Int)) async throws {
    func move(_ point: (x: Int, y: Int)) -> JSONValue {
      ["type": "pointerMove", "duration": 100, "x": .integer(Int64(point.x)), "y": .integer(Int64(point.y))]
    }
    let steps: [JSONValue] = [
      move(start), ["type": "pointerDown", "button": 0], move(((start.x + end.x) / 2, (start.y + end.y) / 2)),
      move(end),
      ["type": "pointerUp", "button": 0],
    ]
    let actions: JSONValue = [
      ["type": "pointer", "id": "mouse", "parameters": ["pointerType": "mouse"], "actions": .array(steps)]
    ]
    _ = try await command("POST", session + "/actions", ["actions": actions])
  }

  private static let elementKey = "element-6066-11e4-a52e-4f735466cecf"

  private func element(_ selector: String) async throws -> String {
    let reply = try await command(
      "POST", session + "/element", ["using": "css selector", "value": .string(selector)])
    return reply[Self.elementKey]?.stringValue ?? ""
  }

  // MARK: - WebDriver

  /// One command; its `value`.
  private func command(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
    let connection = try WebConnection(port: port)
    let bytes = Array((body?.description ?? "").utf8)
    let head =
      "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
      + "Content-Type: application/json\r\nContent-Length: \(bytes.count)\r\n\r\n"
    await connection.send(Array(head.utf8) + bytes)
    guard let reply = try await connection.reply(to: method) else {
      throw Failed(command: path, value: "chromedriver has closed the connection")
    }
    let value = try JSONParser.parse(reply.text)["value"] ?? .null
    guard reply.status == 200 else { throw Failed(command: path, value: value) }
    return value
  }
}

extension Browser {
  /// Keys without a character, as WebDriver writes them.
  enum Key {
    static let control = "\u{E009}"
    static let enter = "\u{E007}"
    static let escape = "\u{E00C}"
    static let tab = "\u{E004}"
    static let down = "\u{E015}"
    static let up = "\u{E013}"
    static let left = "\u{E012}"
    static let right = "\u{E014}"
    static let shift = "\u{E008}"
    static let end = "\u{E010}"
    static let home = "\u{E011}"
  }
}
