import Foundation
import TestSupport
import Testing
import Wire

/// What a person does with the shelf of documents, in Chromium, with a real daemon.
@Suite("Documents in a browser", .timeLimit(.minutes(10)))
struct WebDocumentsTests {
  private static func pdf(_ title: String) -> Data {
    Data(SamplePDF(pages: [.init([title])], title: title).bytes)
  }

  /// The titles that the shelf shows, in order.
  private static let titles =
    "[...document.querySelectorAll('cp-shelf .tile-title, cp-shelf .cp-row .title')].map((each) => each.innerText)"

  private static func shows(_ titles: String...) -> String {
    "String(\(Self.titles)) === '\(titles.joined(separator: ","))'"
  }

  @Test("a folder that is chosen or dropped gives its PDFs, an address the one behind it, each with its progress")
  func adding() async throws {
    let arrived = ServerGate()
    let gate = ServerGate()
    let pdf = Self.pdf("Dunes")
    let server = try ScriptedServer { _ in
      let head = ServerReply.head(200, [("Content-Type", "application/pdf"), ("Content-Length", "\(pdf.count)")])
      return ServerReply([
        .send(head), .send(pdf.prefix(pdf.count / 2)), .open(arrived), .wait(gate), .send(pdf.dropFirst(pdf.count / 2)),
      ])
    }
    let home = CommandLineHome(hasLibrary: true)
    let folder = "\(home.work)/folder"
    try FileManager.default.createDirectory(atPath: folder + "/inner", withIntermediateDirectories: true)
    try Self.pdf("Alder").write(to: URL(filePath: folder + "/a.pdf"))
    try Self.pdf("Birch").write(to: URL(filePath: folder + "/inner/b.pdf"))
    try Data("No PDF".utf8).write(to: URL(filePath: folder + "/inner/c.txt"))
    let (_, browser) = try await WebPageTests.open(home, at: "#/documents")
    try await browser.wait(for: "document.querySelector('cp-shelf cp-list .empty')")
    try await browser.type(folder, into: "cp-shelf input[webkitdirectory]")
    try await browser.wait(for: "\(Self.titles).length === 2")
    #expect(try await home.call("documents/list")["total"] == 2)
    // Several documents were added by one act.
    try await browser.click(".notice button")
    try await browser.wait(for: "document.querySelector('cp-shelf cp-list .empty')?.checkVisibility()")
    #expect(try await home.call("documents/list")["total"] == 0)

    let drop = """
      (() => {
        const bytes = Uint8Array.from(atob(arguments[0]), (each) => each.charCodeAt(0));
        const file = (name) => ({ name, isFile: true, file: (take) => take(new File([bytes], name)) });
        const folder = (name, ...parts) => ({ name, isFile: false, createReader: () => ({
          readEntries: (take) => take(parts.splice(0, 1)) }) });
        const entry = folder('Trees', file('note.txt'), folder('Inner', file('Cedar.pdf'), file('.hidden.pdf')));
        const dataTransfer = { types: ['Files'], files: [], getData: () => '', items: [{ webkitGetAsEntry: () => entry }] };
        const event = Object.assign(new Event('drop', { bubbles: true, cancelable: true }), { dataTransfer });
        document.querySelector('cp-shelf').dispatchEvent(event);
      })()
      """
    try await browser.value(of: drop, .string(Self.pdf("Cedar").base64EncodedString()))
    try await browser.wait(for: Self.shows("Cedar"))

    try await browser.value(of: "document.querySelector('cp-shelf cp-list').focus()")
    try await browser.press("A")
    try await browser.type("http://127.0.0.1:\(server.port)/dunes.pdf" + Browser.Key.enter, into: "#asked")
    await arrived.opened()
    try await browser.wait(for: "document.querySelector('cp-adding progress')")
    try await browser.takePicture("documents-adding")
    gate.open()
    try await browser.wait(for: "\(Self.titles).includes('Dunes') && document.querySelector('cp-adding').hidden")
    // What cannot be read says why, with the daemon's advice, and stays until it is closed.
    try await browser.press("A")
    try await browser.type("http://127.0.0.1:1/none.pdf" + Browser.Key.enter, into: "#asked")
    try await browser.wait(for: "document.querySelector('cp-adding .problem')?.innerText.length > 10")
    try await browser.close()
  }

  @Test(
    "documents are sorted, filtered, and tagged together: to the tags of each one is added, and one undo takes it back")
  func tags() async throws {
    let home = CommandLineHome(hasLibrary: true)
    var ids: [String] = []
    for title in ["Cedar", "Alder", "Birch"] {
      let path = "\(home.work)/\(title).pdf"
      try Self.pdf(title).write(to: URL(filePath: path))
      ids.append(try #require(try await home.call("documents/add", "path=\(path)")["id"]?.stringValue))
    }
    _ = try await home.call("documents/update", "id=\(ids[0])", "tags:=[\"evergreen\"]")
    func tags(_ index: Int) async throws -> JSONValue? {
      try await home.call("documents/get", "id=\(ids[index])")["tags"]
    }
    let (_, browser) = try await WebPageTests.open(home, at: "#/documents")
    try await browser.wait(for: "\(Self.titles).length === 3")
    try await browser.value(
      of: """
        (() => {
          const sort = document.querySelector('cp-shelf .toolbar select');
          sort.value = 'title';
          sort.dispatchEvent(new Event('change'));
        })()
        """)
    try await browser.wait(for: Self.shows("Alder", "Birch", "Cedar"))
    try await browser.value(of: "document.querySelector('cp-shelf cp-list').focus()")
    try await browser.press("v")
    try await browser.wait(for: "document.querySelector('cp-list.is-list') && \(Self.shows("Alder", "Birch", "Cedar"))")

    // All three; another client tags one of them before it is done.
    try await browser.value(of: "document.querySelector('cp-shelf cp-list').focus()")
    for _ in 1...3 {
      try await browser.press(Browser.Key.down)
      try await browser.press(" ")
    }
    try await browser.wait(for: "document.querySelector('.chosen:not([hidden])')?.innerText.includes('3')")
    try await browser.press("#")
    try await browser.wait(for: "document.querySelector('#asked')")
    _ = try await home.call("documents/update", "id=\(ids[1])", "tags:=[\"wet\"]")
    try await browser.type("tree" + Browser.Key.enter, into: "#asked")
    try await browser.wait(for: "document.querySelector('.notice')?.innerText.includes('#tree')")
    #expect(try await tags(0) == ["evergreen", "tree"])
    #expect(try await tags(1) == ["wet", "tree"])
    #expect(try await tags(2) == ["tree"])
    try await browser.value(of: "document.querySelector('cp-shelf cp-list').focus()")
    try await browser.press(Browser.Key.control + "z")
    try await browser.wait(for: "document.querySelector('.notice-place').innerText.includes('Redo')")
    #expect(try await tags(0) == ["evergreen"])
    #expect(try await tags(1) == ["wet"])
    #expect(try await tags(2) == [])

    try await browser.value(of: "location.hash = '#/documents?tag=evergreen'")
    try await browser.wait(for: Self.shows("Cedar"))
    try await browser.takePicture("documents-tag")
    try await browser.click(".tag[aria-pressed=true]")
    try await browser.wait(for: Self.shows("Alder", "Birch", "Cedar"))
    try await browser.type("bir", into: "cp-shelf input[type=search]")
    try await browser.wait(for: Self.shows("Birch"))
    #expect(try await browser.console() == [])
    try await browser.close()
  }
}
