import Client
import Foundation
import Store
import TestSupport
import Testing
import Wire

@Suite("Documents: references without a file") struct ReferenceTests {
  private static let knuth =
    "@article{knuth:literate, title = {Literate Programming}, author = {Knuth, Donald E.}, year = 1984, "
    + "doi = {10.1093/COMJNL/27.2.97}, keywords = {webs}, abstract = {Programs are literature.}}"
  private static let emma = "@book{emma, title = {Emma}, author = {Austen, Jane}, year = 1815}"

  private func take(
    _ text: String, into bench: DocumentBench, _ more: JSONObject = ["add": true]
  ) async throws -> JSONValue {
    var params = more
    params["data"] = .string(Data((text + "\n").utf8).base64EncodedString())
    return try await bench.client.call("documents/importBibliography", .object(params))
  }

  private func all(of bench: DocumentBench) async throws -> [JSONValue] {
    try await bench.client.call("documents/list", ["sort": "title"]).items
  }

  /// The reference with this title.
  private func find(_ title: String, in bench: DocumentBench) async throws -> JSONValue {
    let listed = try #require(try await all(of: bench).first { $0["title"].text == title })
    return try await bench.client.call("documents/get", ["id": listed.id])
  }

  private func kind(_ bench: DocumentBench, _ method: String, _ params: JSONValue) async throws -> JSONValue? {
    try await bench.client.failure(method, params)?.data?["kind"]
  }

  /// A file whose first page has these lines.
  private func write(
    _ lines: [String], titled title: String? = nil, _ name: String, in bench: DocumentBench
  ) throws -> String {
    let path = bench.daemon.folder.file(name)
    try Data(SamplePDF(pages: [.init(lines, width: 2_000)], title: title).bytes).write(to: URL(filePath: path))
    return path
  }

  @Test("an entry without a document becomes one if that is wanted, and is listed, tagged, cited, found and exported")
  func added() async throws {
    let bench = try await DocumentBench()
    let both = Self.knuth + "\n" + Self.emma
    let unwanted = try await take(both, into: bench, [:])
    #expect(unwanted["skipped"] == 2 && unwanted["added"] == 0, "\(unwanted)")
    let rehearsed = try await take(both, into: bench, ["add": true, "dryRun": true])
    let untouched = try await all(of: bench)
    #expect(rehearsed["added"] == 2 && untouched.isEmpty)
    let report = try await take(both, into: bench)
    #expect(report["added"] == 2 && report["notes"] == [], "\(report)")
    let paper = try await find("Literate Programming", in: bench)
    #expect(paper["state"] == "noFile" && paper["pageCount"] == 0 && paper["size"] == 0 && paper["file"] == nil)
    #expect(paper["author"] == "Donald E. Knuth" && paper["tags"] == ["webs"])
    #expect(paper["citationKey"] == "knuth:literate")
    #expect(paper["display"]?["size"] == "no file yet" && paper["display"]?["position"] == "")
    for query in ["literate", "knuth", "literature", "webs"] {
      let found = try await bench.client.call("search/query", ["text": .string(query)])
      #expect(found.items.map(\.id) == [paper.id], "\(query)")
    }
    let cited = try await bench.client.call("documents/cite", ["id": paper.id, "format": "bibtex"])
    #expect(cited["text"].text.contains("title = {{Literate Programming}}"))
    _ = try await bench.client.call("diary/add", ["text": "Read [[Literate Programming]]."])
    #expect(try await bench.client.call("links/to", ["collection": "documents", "id": paper.id]).items.count == 1)
    let exported = try await bench.client.call(
      "documents/exportBibliography",
      ["format": "bibtex", "path": .string(bench.daemon.folder.file("out")), "files": true])
    #expect(exported["documents"] == 2)
    #expect(try await bench.client.call("library/check")["ok"] == true)
    await bench.stop()
  }

  @Test("what needs pages says that there is no file yet, and what to do")
  func pages() async throws {
    let bench = try await DocumentBench()
    _ = try await take(Self.emma, into: bench)
    let id = try await find("Emma", in: bench).id
    let calls: [(String, JSONValue)] = [
      ("documents/page", ["id": id, "page": 0]), ("documents/pages", ["id": id]),
      ("documents/text", ["id": id, "page": 0]), ("documents/render", ["id": id, "page": 0, "width": 100]),
      ("documents/find", ["id": id, "text": "x"]), ("documents/outline", ["id": id]),
      ("documents/setMemo", ["id": id, "page": 0, "text": "x"]),
      ("documents/toggleBookmark", ["id": id, "page": 0]), ("documents/setPosition", ["id": id, "page": 0]),
      ("documents/thumbnail", ["id": id]), ("documents/refresh", ["id": id]), ("documents/similar", ["id": id]),
      ("documents/identify", ["id": id]),
    ]
    for (method, params) in calls {
      let failure = try await bench.client.failure(method, params)
      #expect(failure?.data?["kind"] == "noFile", "\(method): \(failure as Any)")
      #expect(failure?.data?["advice"].text.contains("documents/refresh id=\(id.text)") == true, "\(method)")
    }
    #expect(try await bench.client.call("documents/get", ["id": id])["position"] == ["page": 0, "y": 0])
    await bench.stop()
  }

  @Test("the same bibliography again adds nothing, in any format; two works of one title are two references")
  func again() async throws {
    let bench = try await DocumentBench()
    let editorials = [2001, 2002].map { "@article{e\($0), title = {Editorial}, author = {Ed, A.}, year = \($0)}" }
    let text = ([Self.knuth, Self.emma] + editorials).joined(separator: "\n")
    #expect(try await take(text, into: bench)["added"] == 4)
    let again = try await take(text, into: bench)
    #expect(again["known"] == 4 && again["added"] == 0 && again["notes"] == [], "\(again)")
    let csl = try await bench.client.call("documents/exportBibliography", ["format": "csl", "inline": true])
    let theirs = try await bench.client.call(
      "documents/importBibliography", ["data": .string(csl["data"].text), "add": true])
    #expect(theirs["added"] == 0 && theirs["skipped"] == 0, "\(theirs)")
    let twice = try await take(Self.emma + "\n" + Self.emma, into: bench)
    #expect(twice["known"] == 1 && twice["notes"]?[0]?["reason"] == "repeated", "\(twice)")
    // Another library gives them the same ids, so that two devices do not double them.
    let other = try await DocumentBench()
    _ = try await take(text, into: other)
    let ids = (Set(try await all(of: bench).map(\.id.text)), Set(try await all(of: other).map(\.id.text)))
    #expect(ids.0 == ids.1 && ids.0.count == 4)
    let nothing = try await take("@article{, author = {Nobody}}", into: other)
    #expect(nothing["added"] == 0)
    _ = try await bench.client.call("documents/remove", ["id": try await find("Emma", in: bench).id])
    #expect(try await take(text, into: bench)["added"] == 1)
    _ = try await bench.client.call("changes/undo")
    #expect(try await all(of: bench).count == 3)
    await bench.stop()
    await other.stop()
  }

  @Test("a file with the DOI and the title becomes the reference's; one that only cites it becomes a document")
  func byDOI() async throws {
    let bench = try await DocumentBench()
    _ = try await take(Self.knuth, into: bench)
    let reference = try await find("Literate Programming", in: bench)
    let citing = try write(["On webs", "doi:10.1093/comjnl/27.2.97"], "citing.pdf", in: bench)
    let added = try await bench.client.call("documents/add", ["path": .string(citing)])
    #expect(added.id != reference.id && added["attached"] == nil)
    let path = try write(
      ["LITERATE", "PROGRAMMING", "https://doi.org/10.1093/comjnl/27.2.97", "weaving"], "paper.pdf", in: bench)
    let attached = try await bench.client.call("documents/add", ["path": .string(path), "title": "Mine"])
    #expect(attached.id == reference.id && attached["attached"] == true && attached["existing"] == nil, "\(attached)")
    #expect(attached["title"] == "Literate Programming" && attached["pageCount"] == 1)
    let whole = try await bench.indexed(reference.id)
    #expect(whole["state"] == "ready" && whole["citationKey"] == "knuth:literate" && whole["tags"] == ["webs"])
    #expect(try await bench.client.call("search/query", ["text": "weaving"]).items.map(\.id) == [reference.id])
    let highlight = try await bench.client.call(
      "documents/addHighlight", ["id": reference.id, "page": 0, "lines": ["weaving"]])
    #expect(highlight["text"] == "weaving")
    #expect(try await bench.client.call("documents/add", ["path": .string(path)])["existing"] == true)
    await bench.stop()
  }

  @Test(
    "a review, a corrigendum or a citing paper that has the DOI and the title is a document of its own",
    arguments: [
      // Its own DOI is the first.
      ["LITERATE PROGRAMMING", "Corrigendum, 10.1093/comjnl/28.1.1", "of 10.1093/comjnl/27.2.97"],
      // The title is in its title, in its text, and below its text.
      ["Literate Programming, a Review", "10.1093/comjnl/27.2.97"],
      ["On webs", "Knuth's Literate Programming, 10.1093/comjnl/27.2.97"],
      ["A paper on webs that has no identifier of its own yet", "Literate Programming", "10.1093/comjnl/27.2.97"],
      ["On webs", "1", "2", "3", "4", "5", "Literate Programming", "10.1093/comjnl/27.2.97"],
    ])
  func namingBoth(lines: [String]) async throws {
    let bench = try await DocumentBench()
    _ = try await take(Self.knuth, into: bench)
    let path = try write(lines, "other.pdf", in: bench)
    let added = try await bench.client.call("documents/add", ["path": .string(path)])
    #expect(added["attached"] == nil, "\(added)")
    #expect(try await find("Literate Programming", in: bench)["state"] == "noFile")
    await bench.stop()
  }

  @Test(
    "the title may follow a journal's name and its line with the DOI, or be only in the file's own data",
    arguments: [
      (
        [
          "Computer Journal",
          "The Computer Journal, Volume 27, Issue 2, May, Pages 97 to 111, 10.1093/comjnl/27.2.97",
          "Literate", "Programming",
        ], nil
      ),
      (["Of webs and of the weaving of programs that are read", "10.1093/comjnl/27.2.97"], "Literate programming"),
    ] as [([String], String?)])
  func titles(lines: [String], title: String?) async throws {
    let bench = try await DocumentBench()
    _ = try await take(Self.knuth, into: bench)
    let path = try write(lines, titled: title, "paper.pdf", in: bench)
    #expect(try await bench.client.call("documents/add", ["path": .string(path)])["attached"] == true)
    await bench.stop()
  }

  @Test("a DOI counts on the first three pages and not behind them", arguments: [(2, true), (3, false)])
  func place(before count: Int, isAttached: Bool) async throws {
    let bench = try await DocumentBench()
    _ = try await take(Self.knuth, into: bench)
    let pages = [["Literate Programming"]] + (1..<count).map { ["Page \($0)"] } + [["10.1093/comjnl/27.2.97"]]
    let path = bench.daemon.folder.file("paper.pdf")
    try Data(SamplePDF(pages: pages.map { .init($0, width: 2_000) }).bytes).write(to: URL(filePath: path))
    let added = try await bench.client.call("documents/add", ["path": .string(path)])
    #expect((added["attached"] == true) == isAttached, "\(added)")
    await bench.stop()
  }

  @Test("a file that the bibliography names becomes the reference's, also from a folder; undo detaches it, and redo")
  func byFile() async throws {
    let bench = try await DocumentBench()
    let folder = bench.daemon.folder.file("Zotero")
    try FileManager.default.createDirectory(atPath: folder + "/files", withIntermediateDirectories: true)
    try Data(SamplePDF(pages: [.init(["Emma Woodhouse, handsome"])]).bytes)
      .write(to: URL(filePath: folder + "/files/Emma.pdf"))
    let file = folder + "/library.bib"
    try "@book{emma, title = {Emma}, file = {PDF:files/Emma.pdf:application/pdf}}\n"
      .write(toFile: file, atomically: true, encoding: .utf8)
    let params: JSONValue = ["path": .string(file), "add": true]
    #expect(try await bench.client.call("documents/importBibliography", params)["added"] == 1)
    let id = try await find("Emma", in: bench).id
    _ = try await bench.client.call("documents/addFiles", ["paths": [.string(folder + "/files")]])
    let whole = try await bench.indexed(id)
    #expect(whole["state"] == "ready" && whole["pageCount"] == 1 && whole["title"] == "Emma")
    #expect(try await all(of: bench).count == 1)
    _ = try await bench.client.call("changes/undo")
    let bare = try await find("Emma", in: bench)
    #expect(bare["state"] == "noFile" && bare["pageCount"] == 0)
    #expect(try await bench.client.call("search/query", ["text": "Woodhouse"]).items.isEmpty)
    #expect(try await bench.client.call("library/check")["ok"] == true)
    _ = try await bench.client.call("changes/redo")
    #expect(try await bench.indexed(id)["pageCount"] == 1)
    #expect(try await bench.client.call("documents/importBibliography", params)["known"] == 1)
    await bench.stop()
  }

  @Test("any file is set by hand; marks that were made in it are there when it is set again")
  func byHand() async throws {
    let bench = try await DocumentBench()
    _ = try await take(Self.emma, into: bench)
    let id = try await find("Emma", in: bench).id
    let path = try write(["Emma Woodhouse", "handsome and clever"], "emma.pdf", in: bench)
    let set = try await bench.client.call("documents/refresh", ["id": id, "path": .string(path)])
    #expect(set["refreshed"] == true && set["document"]?["pageCount"] == 1, "\(set)")
    let other = try await bench.daemon.client()
    let marked = try await other.call(
      "documents/addHighlight", ["id": id, "page": 0, "lines": ["handsome and clever"]])
    _ = try await bench.client.call("changes/undo")
    #expect(try await find("Emma", in: bench)["state"] == "noFile")
    let again = try await bench.client.call("documents/refresh", ["id": id, "path": .string(path)])
    #expect(again["marks"].list.count == 1, "\(again)")
    let list = try await bench.client.call("documents/highlights", ["id": id]).items
    #expect(list.map(\.id) == [marked.id] && list.first?["state"] == nil, "\(list)")
    #expect(list.first?["text"] == "handsome and clever")
    await bench.stop()
  }

  @Test("an archive takes references to another library, and both libraries are sound")
  func archive() async throws {
    let bench = try await DocumentBench()
    _ = try await take(Self.knuth + "\n" + Self.emma, into: bench)
    let path = bench.daemon.folder.file("library.tar")
    _ = try await bench.client.call("library/export", ["path": .string(path)])
    let other = try await DocumentBench()
    _ = try await other.client.call("library/import", ["path": .string(path)])
    #expect(try await all(of: other).map { $0["state"] } == ["noFile", "noFile"])
    #expect(try await other.client.call("library/check")["ok"] == true)
    let given = try write(["Emma", "a novel"], "emma.pdf", in: other)
    let id = try await find("Emma", in: other).id
    let set = try await other.client.call("documents/refresh", ["id": id, "path": .string(given)])
    #expect(set["document"]?["state"] != "noFile")
    await bench.stop()
    await other.stop()
  }
}
