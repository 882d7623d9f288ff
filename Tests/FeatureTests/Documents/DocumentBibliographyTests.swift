import Client
import Features
import Foundation
import SQLite
import SearchEngine
import Store
import TestSupport
import Testing
import Wire

@testable import Documents

@Suite("Documents: bibliographies and citation keys") struct DocumentBibliographyTests {
  private static let article: JSONValue = [
    "type": "article-journal", "title": "On Types", "author": [["family": "Knuth", "given": "Donald"]],
    "container-title": "Journal of Examples", "DOI": "10.1000/Types", "issued": ["date-parts": [[1974, 3]]],
    "custom": ["kept": true],
  ]

  private func refusal(_ bench: DocumentBench, _ method: String, _ params: JSONValue) async throws -> String {
    let failure = try await bench.client.failure(method, params)
    return (failure?.data?["kind"] ?? failure?.data?["field"])?.text ?? "none"
  }

  @Test("a bibliography stays as it was given, gives a key that later edits keep, is in no list, and is undone")
  func update() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["one"]), title: "Scan 12")
    let set = try await bench.client.call("documents/update", ["id": id, "bibliography": Self.article])
    #expect(set["bibliography"] == Self.article && set["citationKey"] == "knuth1974" && set["title"] == "Scan 12")
    let listed = try #require(try await bench.client.call("documents/list").items.first)
    #expect(listed["bibliography"] == nil && listed["citationKey"] == "knuth1974")
    #expect(try await bench.client.call("search/query", ["text": "\"Journal of Examples\""]).items.count == 1)
    #expect(try await bench.client.call("search/query", ["text": "knuth1974"]).items.count == 1)
    let edited = try await bench.client.call(
      "documents/update", ["id": id, "bibliography": ["type": "book", "title": "Other"]])
    #expect(edited["citationKey"] == "knuth1974" && edited["bibliography"] == ["type": "book", "title": "Other"])
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("documents/get", ["id": id])["bibliography"] == Self.article)
    _ = try await bench.client.call("changes/undo")
    let before = try await bench.client.call("documents/get", ["id": id])
    #expect(before["bibliography"] == nil && before["citationKey"] == nil)
    for (value, field) in [
      (["title": "no type"], "bibliography.type"), (["type": "novel"], "bibliography.type"),
      (["type": "book", "author": "Han"], "bibliography.author"), ("x", "bibliography"),
    ] as [(JSONValue, String)] {
      #expect(try await refusal(bench, "documents/update", ["id": id, "bibliography": value]) == field)
    }
    _ = try await bench.client.call("documents/update", ["id": id, "bibliography": Self.article])
    let cleared = try await bench.client.call("documents/update", ["id": id, "bibliography": nil])
    #expect(cleared["bibliography"] == nil && cleared["citationKey"] == "knuth1974", "texts may cite it already")
    await bench.stop()
  }

  @Test("documents and books have one space of citation keys")
  func keys() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["one"]))
    let book = try await bench.client.call(
      "books/addToShelf", ["byHand": ["title": "Types", "authors": ["Donald Knuth"], "published": "1974"]])
    #expect(book["shelf"]?["citationKey"] == "knuth1974")
    let set = try await bench.client.call("documents/update", ["id": id, "bibliography": Self.article])
    #expect(set["citationKey"] == "knuth1974a")
    let second = try await bench.client.call(
      "books/addToShelf", ["byHand": ["title": "More", "authors": ["Donald Knuth"], "published": "1974"]])
    #expect(second["shelf"]?["citationKey"] == "knuth1974b")
    for key in ["KNUTH1974", "a b", "a,b", ""] as [JSONValue] {
      #expect(try await refusal(bench, "documents/update", ["id": id, "citationKey": key]) == "citationKey", "\(key)")
    }
    let taken = try await refusal(bench, "books/updateOnShelf", ["id": book.id, "citationKey": "knuth1974A"])
    #expect(taken == "citationKey")
    let own = try await bench.client.call("documents/update", ["id": id, "citationKey": "knuth:types"])
    #expect(own["citationKey"] == "knuth:types")
    await bench.stop()
  }

  @Test("a document is cited in each format by its bibliography, and not without one")
  func cite() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["one"]))
    #expect(try await refusal(bench, "documents/cite", ["id": id, "format": "bibtex"]) == "notFound")
    #expect(try await refusal(bench, "documents/cite", ["id": "nowhere", "format": "bibtex"]) == "notFound")
    _ = try await bench.client.call("documents/update", ["id": id, "bibliography": Self.article])
    func text(_ format: JSONValue) async throws -> String {
      let cited = try await bench.client.call("documents/cite", ["id": id, "format": format])
      #expect(cited["key"] == "knuth1974")
      return cited["text"].text
    }
    #expect(
      try await text("bibtex") == """
        @article{knuth1974,
          author = {Knuth, Donald},
          title = {{On Types}},
          journal = {{Journal of Examples}},
          year = {1974},
          month = mar,
          doi = {10.1000/Types}
        }

        """)
    #expect(
      try await text("ris").hasPrefix("TY  - JOUR\r\nID  - knuth1974\r\nAU  - Knuth, Donald\r\nTI  - On Types\r\n"))
    let item = try JSONParser.parse(try await text("csl"))[0]
    #expect(item?["id"] == "knuth1974" && item?["custom"] == ["kept": true])
    await bench.stop()
  }

  private func export(_ bench: DocumentBench, _ params: JSONObject = ["format": "csl"]) async throws -> String {
    var params = params
    params["inline"] = true
    let data = try await bench.client.call("documents/exportBibliography", .object(params))["data"].text
    return String(decoding: Data(base64Encoded: data) ?? Data(), as: UTF8.self)
  }

  @Test("an export has the documents with a bibliography, all or those of a tag; the same file comes back as known")
  func export() async throws {
    let bench = try await DocumentBench()
    let first = try await bench.id(of: SamplePDF(["one"]), title: "A")
    let second = try await bench.id(of: SamplePDF(["two"]), title: "B")
    try await bench.add(SamplePDF(["three"]), title: "C")
    _ = try await bench.client.call(
      "documents/update", ["id": first, "bibliography": Self.article, "tags": ["to read/now"]])
    _ = try await bench.client.call(
      "documents/update", ["id": second, "bibliography": ["type": "book", "title": "Emma"]])
    let all = try JSONParser.parse(try await export(bench)).arrayValue ?? []
    #expect(all.map { $0["id"] } == ["knuth1974", "emmand"])
    let tagged = try JSONParser.parse(try await export(bench, ["format": "csl", "tag": "to read"])).arrayValue ?? []
    #expect(tagged.map { $0["id"] } == ["knuth1974"])
    for format in ["csl", "bibtex", "ris"] as [JSONValue] {
      let text = try await export(bench, ["format": format])
      let report = try await bench.client.call(
        "documents/importBibliography", ["data": .string(Data(text.utf8).base64EncodedString())])
      #expect(report["known"] == 2 && report["updated"] == 0 && report["format"] == format, "\(report)")
    }
    await bench.stop()
  }

  @Test("an export with files is a folder whose entries name the PDFs in it", arguments: ["bibtex", "ris"])
  func exportFiles(format: String) async throws {
    let folder = TemporaryFolder()
    let bench = try await DocumentBench()
    let sample = SamplePDF(["one"])
    let id = try await bench.id(of: sample, title: "Scan 12")
    try await bench.add(SamplePDF(["two"]), title: "Without")
    _ = try await bench.client.call(
      "documents/update", ["id": id, "bibliography": Self.article, "citationKey": "Knuth:types/1"])
    let path = folder.file("out")
    let params: JSONObject = ["path": .string(path), "format": .string(format), "files": true]
    let report = try await bench.client.call("documents/exportBibliography", .object(params))
    #expect(report["documents"] == 1 && report["path"] == .string(path))
    let pdf = try Data(contentsOf: URL(filePath: path + "/files/1/Knuthtypes1.pdf"))
    #expect(pdf == Data(sample.bytes))
    #expect(try await refusal(bench, "documents/exportBibliography", .object(params)) == "exists")
    for (name, value) in [("overwrite", true), ("format", "csl")] as [(String, JSONValue)] {
      var wrong = params
      wrong[name] = value
      let field = name == "format" ? "files" : "overwrite"
      #expect(try await refusal(bench, "documents/exportBibliography", .object(wrong)) == field)
    }
    await bench.stop()
    // In another library the same file has another title, and is found by its bytes.
    let other = try await DocumentBench()
    let known = try await other.id(of: sample, title: "Other")
    let file = path + (format == "ris" ? "/library.ris" : "/library.bib")
    let imported = try await other.client.call("documents/importBibliography", ["path": .string(file)])
    #expect(imported["updated"] == 1, "\(imported)")
    let document = try await other.client.call("documents/get", ["id": known])
    #expect(document["citationKey"] == "Knuth:types/1" && document["bibliography"]?["title"] == "On Types")
    await other.stop()
  }

  @Test("an import finds documents by file, by DOI and by title, takes the file's keys, and overwrites nothing")
  func importing() async throws {
    let folder = TemporaryFolder()
    let bench = try await DocumentBench()
    let filed = SamplePDF(["a file of an export"])
    let byFile = try await bench.id(of: filed, title: "scan0001")
    let byDOI = try await bench.id(of: SamplePDF(["two"]), title: "Another")
    let byTitle = try await bench.id(of: SamplePDF(["three"]), title: "Größe, and Weight")
    for page in ["four", "five"] { try await bench.add(SamplePDF([page]), title: "Twice") }
    _ = try await bench.client.call("documents/update", ["id": byDOI, "bibliography": Self.article])
    let files = folder.file("files/12")
    try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
    try Data(filed.bytes).write(to: URL(filePath: files + "/Knuth; 1974.pdf"))
    let path = folder.file("My Library.bib")
    let text = """
      @article{filed, title = {Of a File}, author = {Author, Ann}, year = 2001,
        file = {Full Text:files/12/Knuth\\; 1974.pdf:application/pdf}}
      @article{known, title = {Changed}, doi = {10.1000/TYPES}}
      @book{weight, title = {{GRÖSSE} and weight}, author = {Person, Some}}
      @article{twice, title = {Twice}}
      @article{outside, title = {Nowhere}, file = {x:../../etc/x.pdf:application/pdf}}
      @article{again, title = {Of a File}, file = {:files/12/Knuth\\; 1974.pdf:PDF}}

      """
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let params: JSONObject = ["path": .string(path)]
    var rehearsal = params
    rehearsal["dryRun"] = true
    let rehearsed = try await bench.client.call("documents/importBibliography", .object(rehearsal))
    #expect(rehearsed["updated"] == 2 && rehearsed["known"] == 1 && rehearsed["confirm"] != nil)
    #expect(try await bench.client.call("documents/get", ["id": byFile])["bibliography"] == nil)
    let report = try await bench.client.call("documents/importBibliography", .object(params))
    #expect(report["updated"] == 2 && report["known"] == 1 && report["skipped"] == 3 && report["added"] == 0)
    #expect(report["notes"].list.map { $0["line"] } == [3, 5, 6, 7], "\(report["notes"] ?? .null)")
    #expect(report["notes"]?[0]?["reason"] == "keptOwn" && report["notes"]?[3]?["reason"] == "repeated")
    func document(_ id: JSONValue) async throws -> JSONValue {
      try await bench.client.call("documents/get", ["id": id])
    }
    let taken = try await document(byFile)
    #expect(taken["citationKey"] == "filed" && taken["bibliography"]?["title"] == "Of a File")
    #expect(taken["title"] == "scan0001" && taken["bibliography"]?["id"] == nil)
    #expect(try await document(byDOI)["bibliography"] == Self.article)
    #expect(try await document(byTitle)["citationKey"] == "weight")
    // All of it is one step back.
    _ = try await bench.client.call("changes/undo")
    #expect(try await document(byFile)["bibliography"] == nil)
    #expect(try await document(byTitle)["citationKey"] == nil)
    await bench.stop()
  }

  @Test("the file again brings what changed in it: members, and tags by its keywords; what changed here stays")
  func again() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["one"]), title: "Of rivers")
    func importing(_ fields: String, _ more: JSONObject = [:]) async throws -> JSONValue {
      var params = more
      let text = "@article{han2020, title = {Of Rivers}, author = {Han, Ann and Lee, Bob}, \(fields)}\n"
      params["data"] = .string(Data(text.utf8).base64EncodedString())
      return try await bench.client.call("documents/importBibliography", .object(params))
    }
    func document() async throws -> JSONValue { try await bench.client.call("documents/get", ["id": id]) }
    _ = try await bench.client.call("documents/update", ["id": id, "tags": ["mine", "Water"]])
    let original = "journal = {Water}, volume = 1, keywords = {water, shared; old}, groups = {Group}"
    _ = try await importing(original)
    let first = try await document()
    #expect(first["tags"] == ["mine", "Water", "shared", "old", "Group"] && first["author"] == "Ann Han, Bob Lee")
    #expect(try await bench.client.call("documents/list", ["author": "lee"]).items.count == 1)
    var own = first["bibliography"]?.objectValue ?? [:]
    own["volume"] = "7"
    _ = try await bench.client.call("documents/update", ["id": id, "bibliography": .object(own)])
    // Nothing has changed in the file.
    let same = try await importing(original)
    #expect(same["known"] == 1 && same["notes"] == [] && same["changed"] == false, "\(same)")
    let edited = "journal = {Rivers}, volume = 2, pages = {3--4}, keywords = {water, new}"
    let rehearsed = try await importing(edited, ["dryRun": true])
    let unchanged = try await document()
    #expect(rehearsed["updated"] == 1 && unchanged["tags"] == first["tags"])
    #expect(unchanged["bibliography"]?["page"] == nil)
    let report = try await importing(edited)
    #expect(report["updated"] == 1 && report["notes"]?[0]?["reason"] == "keptOwn", "\(report)")
    let merged = try await document()
    #expect(merged["bibliography"]?["container-title"] == "Rivers" && merged["bibliography"]?["page"] == "3-4")
    #expect(merged["bibliography"]?["volume"] == "7" && merged["tags"] == ["mine", "Water", "new"])
    #expect(try await importing(edited)["notes"] == [], "the difference is reported once")
    // Another file is no version of this one: RIS does not state the same, and a path may be another person's.
    let others = [("a.ris", "TY  - JOUR\nTI  - Of Rivers\nER  - \n"), ("b.bib", "@misc{x, title = {Of Rivers}}")]
    for (name, text) in others {
      let path = bench.daemon.folder.file(name)
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      let other = try await bench.client.call("documents/importBibliography", ["path": .string(path)])
      #expect(other["known"] == 1 && other["notes"]?[0]?["reason"] == "keptOwn", "\(other)")
      #expect(try await document() == merged)
    }
    // By the entry's title only if that is requested, and once.
    #expect(merged["title"] == "Of rivers")
    for updated in [1, 0] as [JSONValue] {
      #expect(try await importing(edited, ["retitle": true])["updated"] == updated)
    }
    #expect(try await document()["title"] == "Of Rivers")
    // What the file no longer has goes, and all of it comes back.
    _ = try await importing("journal = {Rivers}, volume = 2, keywords = {water, new}")
    #expect(try await document()["bibliography"]?["page"] == nil)
    _ = try await bench.client.call("changes/undo")
    #expect(try await document()["bibliography"] == merged["bibliography"])
    await bench.stop()
  }

  @Test("an equal bibliography that was not imported is tagged by the file, and follows it from then on")
  func equal() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["one"]), title: "Scan")
    let typed: JSONObject = ["type": "article-journal", "title": "Of Rivers", "keyword": "a, b"]
    _ = try await bench.client.call("documents/update", ["id": id, "bibliography": .object(typed)])
    func importing(_ fields: String) async throws -> JSONValue {
      let text = "@article{k, title = {Of Rivers}, \(fields)}\n"
      return try await bench.client.call(
        "documents/importBibliography", ["data": .string(Data(text.utf8).base64EncodedString())])
    }
    #expect(try await importing("keywords = {a, b}")["updated"] == 1)
    #expect(try await bench.client.call("documents/get", ["id": id])["tags"] == ["a", "b"])
    let again = try await importing("keywords = {a, b}")
    #expect(again["known"] == 1 && again["changed"] == false, "\(again)")
    #expect(try await importing("keywords = {a, b}, volume = 2")["updated"] == 1)
    #expect(try await bench.client.call("documents/get", ["id": id])["bibliography"]?["volume"] == "2")
    await bench.stop()
  }

  private func importing(_ bench: DocumentBench, _ fields: String, as name: String? = nil) async throws -> JSONValue {
    let text = "@article{k, title = {Of Rivers}, \(fields)}\n"
    guard let name else {
      let data = Data(text.utf8).base64EncodedString()
      return try await bench.client.call("documents/importBibliography", ["data": .string(data)])
    }
    let path = bench.daemon.folder.file(name)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return try await bench.client.call("documents/importBibliography", ["path": .string(path)])
  }

  @Test("a keyword that the file drops removes the tag that it added, and no tag of the user")
  func droppedKeywords() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["one"]), title: "Of Rivers")
    _ = try await bench.client.call("documents/update", ["id": id, "tags": ["Water"]])
    for (keywords, tags) in [
      ("water, old, blue", ["Water", "old", "blue"]), ("water, blue, new", ["Water", "blue", "new"]),
      ("x", ["Water", "x"]),
    ] as [(String, JSONValue)] {
      _ = try await importing(bench, "keywords = {\(keywords)}")
      #expect(try await bench.client.call("documents/get", ["id": id])["tags"] == tags, "\(keywords)")
    }
    await bench.stop()
  }

  @Test("entries with thousands of keywords are compared at once", .timeLimit(.minutes(1)))
  func manyKeywords() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["one"]), title: "Of Rivers")
    for letter in ["a", "b"] {
      let keywords = (1...9_000).map { "\(letter)\($0)" }.joined(separator: ",")
      #expect(try await importing(bench, "keywords = {\(keywords)}")["updated"] == 1)
      let tags = try await bench.client.call("documents/get", ["id": id])["tags"].list
      #expect(tags.count == 100 && tags.first == .string("\(letter)1"))
    }
    await bench.stop()
  }

  @Test("a file that was moved is followed at its new place, once it was imported there unchanged")
  func moved() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["one"]), title: "Of Rivers")
    let results = [("a.bib", 1, "updated"), ("b.bib", 1, "known"), ("b.bib", 2, "updated")]
    for (name, volume, count) in results {
      let report = try await importing(bench, "volume = \(volume), keywords = {a}", as: name)
      #expect(report[count] == 1 && report["notes"] == [], "\(name) \(report)")
    }
    #expect(try await bench.client.call("documents/get", ["id": id])["bibliography"]?["volume"] == "2")
    await bench.stop()
  }

  @Test("a bibliography that an earlier version imported, without groups and notes, is followed")
  func earlier() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["one"]), title: "Of Rivers")
    let stored: JSONValue = ["type": "article-journal", "title": "Of Rivers", "volume": "1"]
    _ = try await bench.client.call("documents/update", ["id": id, "bibliography": stored])
    for volume in [1, 2] {
      let report = try await importing(bench, "volume = \(volume), groups = {Water}, annote = {A child.}")
      #expect(report["updated"] == 1 && report["notes"] == [], "\(report)")
      let document = try await bench.client.call("documents/get", ["id": id])
      #expect(document["bibliography"]?["volume"] == .string(String(volume)) && document["tags"] == ["Water"])
      #expect(document["bibliography"]?["annote"] == "A child.", "\(document)")
    }
    await bench.stop()
  }

  @Test("a document is found by its abstract, its keywords and notes, also one of an older library")
  func words() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["one"]), title: "Of Rivers")
    let bibliography: JSONObject = [
      "type": "book", "title": "Emma", "abstract": "It flows.", "note": "Compare it.", "annote": "A child.",
      "keyword": "hydrology",
    ]
    _ = try await bench.client.call("documents/update", ["id": id, "bibliography": .object(bibliography)])
    for word in ["flows", "compare", "child", "hydrology"] as [JSONValue] {
      #expect(try await bench.client.call("search/query", ["text": word]).items.count == 1, "\(word)")
    }
    let older = "ALTER TABLE document DROP COLUMN imported;"
    func isDue(_ more: String = "") throws -> Bool {
      let db = try Database(path: LibraryFolder(bench.daemon.library).database) { try SearchIndex.prepare($0) }
      try db.execute(older + more)
      let migrations = AllFeatures.features.flatMap(\.migrations)
      try #require(migrations.first { $0.name == "documents/019" }).run(db)
      return try SearchIndex.needsRebuild(db)
    }
    await bench.stop()
    #expect(try isDue("UPDATE document SET bibliography = '{\"type\":\"book\",\"title\":\"Emma\"}';") == false)
    #expect(try isDue("UPDATE document SET bibliography = '{\"title\":\"Emma\",\"abstract\":\"It flows.\"}';"))
  }

  @Test("from: finds all texts of the documents of an author, without reading the author of each text")
  func from() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["one", "two"]), title: "Scan")
    try await bench.add(SamplePDF(["three"]), title: "Other")
    _ = try await bench.client.call("documents/update", ["id": id, "bibliography": Self.article])
    let texts = try await filterTexts(from: "KNUTH", of: DocumentSearch.source, in: bench.daemon.daemon.services)
    #expect(texts.listed == texts.scanned && !texts.scanned.isEmpty, "\(texts)")
    await bench.stop()
  }

  @Test("what is no bibliography is refused by name")
  func refused() async throws {
    let bench = try await DocumentBench()
    for (text, format) in [("nothing", nil), ("[{]", "csl"), ("{}", "bibtex"), ("", nil)] as [(String, String?)] {
      var params: JSONObject = ["data": .string(Data(text.utf8).base64EncodedString())]
      if let format { params["format"] = .string(format) }
      #expect(try await refusal(bench, "documents/importBibliography", .object(params)) == "corrupt", "\(text)")
    }
    await bench.stop()
  }
}
