import Foundation
import TestSupport
import Testing
import Wire

@testable import Exchange

/// What other programs make of our bibliographies, and we of theirs: bibtexparser, rispy and citeproc-py, of PyPI.
@Suite("Bibliographies beside other programs", .timeLimit(.minutes(10))) struct BibliographyPeerTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
  /// Where `scripts/test` installs them.
  private static let packages = root.appending(path: ".build/python").path

  private static let script = """
    import json, sys, warnings
    sys.path.insert(0, sys.argv[1])
    warnings.simplefilter("ignore")
    import bibtexparser, rispy
    from bibtexparser.bparser import BibTexParser
    from citeproc import Citation, CitationItem, CitationStylesBibliography, CitationStylesStyle, formatter
    from citeproc.source.json import CiteProcJSON

    read = {}
    with open("library.bib") as file:
        database = bibtexparser.load(file, BibTexParser(common_strings=True, ignore_nonstandard_types=False))
    read["bibtex"] = database.entries
    with open("library.ris") as file:
        read["ris"] = rispy.load(file)
    with open("library.json") as file:
        items = json.load(file)
    bibliography = CitationStylesBibliography(
        CitationStylesStyle("style.csl", validate=False), CiteProcJSON(items), formatter.plain)
    for item in items:
        bibliography.register(Citation([CitationItem(item["id"])]))
    read["formatted"] = [str(item) for item in bibliography.bibliography()]
    with open("theirs.bib", "w") as file:
        bibtexparser.dump(database, file)
    with open("theirs.ris", "w") as file:
        rispy.dump(read["ris"], file)
    print(json.dumps(read))
    """

  private static let style = """
    <?xml version="1.0" encoding="utf-8"?>
    <style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
      <info><title>Short</title><id>short</id><updated>2026-01-01T00:00:00+00:00</updated></info>
      <citation><layout><names variable="author"><name form="short"/></names></layout></citation>
      <bibliography><layout suffix=".">
        <group delimiter=". ">
          <names variable="author"><name name-as-sort-order="all" initialize-with=". " delimiter="; "/></names>
          <date variable="issued"><date-part name="year"/></date>
          <text variable="title"/>
          <group delimiter=" "><text variable="container-title"/><text variable="volume"/><text variable="page"/></group>
          <text variable="publisher"/>
        </group>
      </layout></bibliography>
    </style>
    """

  @Test("other programs read every entry with its names and numbers, format it, and what they write is read back here")
  func peers() async throws {
    for package in ["bibtexparser", "citeproc", "rispy"] {
      let isThere = FileManager.default.fileExists(atPath: Self.packages + "/\(package)/__init__.py")
      try #require(isThere, "scripts/test installs \(package) from Tests/python-packages.txt")
    }
    let items = BibliographyTests.references.map { CSLItem($0) }
    let folder = TemporaryFolder()
    func write(_ text: String, _ name: String) throws {
      try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
    }
    try write(Self.script, "read.py")
    try write(Self.style, "style.csl")
    for (format, name) in [(CitationFormat.bibtex, "library.bib"), (.ris, "library.ris"), (.csl, "library.json")] {
      try write(Bibliography.text(of: items, as: format), name)
    }
    var environment = ProcessInfo.processInfo.environment.filter { ["HOME", "PATH"].contains($0.key) }
    environment["PYTHONUTF8"] = "1"
    let python = try ChildProcess(
      "python3", ["-B", "read.py", Self.packages], environment: environment, folder: folder.path)
    python.write("")
    let result = await python.end()
    #expect(result.status == 0, "\(result.errors.suffix(3_000))")
    let read = try JSONParser.parse(Array(result.output.utf8))

    let bibtex = read["bibtex"]?.arrayValue ?? []
    #expect(bibtex.map { $0["ID"]?.stringValue } == items.map { $0["id"] })
    #expect(bibtex.map { $0["ENTRYTYPE"]?.stringValue } == ["article", "book", "phdthesis", "incollection"])
    #expect(bibtex[0]["author"] == "Knuth, Donald E. and {Barnes and Noble} and van Beethoven, Jr., Ludwig")
    #expect(bibtex[0]["pages"] == "10--20" && bibtex[0]["month"] == "March" && bibtex[0]["doi"] == "10.1000/ab_c")
    #expect(bibtex[0]["url"] == "https://example.org/a_b?c=d&e=f" && bibtex[1]["title"] == "{소년이 온다}")

    let ris = read["ris"]?.arrayValue ?? []
    #expect(ris.map { $0["title"]?.stringValue } == items.map { $0["title"] })
    #expect(ris.map { $0["type_of_reference"]?.stringValue } == ["JOUR", "BOOK", "THES", "CHAP"])
    #expect(ris[0]["authors"] == ["Knuth, Donald E.", "Barnes and Noble", "van Beethoven, Ludwig, Jr."])
    #expect(ris[0]["start_page"] == "10" && ris[0]["end_page"] == "20" && ris[0]["doi"] == "10.1000/ab_c")

    #expect(
      read["formatted"] == [
        "Knuth, D. E.; Barnes and Noble; Beethoven, L. van, Jr. 1974. 100% & {more}: a--b ``x'' -- \"q\". J. of X 3 10–20.",
        "한강. 2014. 소년이 온다: 장편 소설. 창비.", "Ørsted, S. 2019. Über #1. MIT.",
        "Nix, G. 2001. One. All of Them 1–9. P.",
      ])

    for (format, name) in [(BibliographyFile.Format.bibtex, "theirs.bib"), (.ris, "theirs.ris")] {
      let theirs = try BibliographyFile(Array(Data(contentsOf: URL(filePath: folder.file(name)))), as: format)
      #expect(theirs.notes.isEmpty)
      let byKey = Dictionary(uniqueKeysWithValues: theirs.entries.map { ($0.key ?? "", $0.item) })
      for item in items {
        let same = try #require(byKey[item["id"] ?? ""], "\(name): \(item["id"] ?? "")")
        for variable in ["type", "title", "container-title", "page", "DOI", "ISBN", "publisher"] {
          #expect(same[variable] == item[variable], "\(name): \(variable)")
        }
        #expect(same[names: "author"] == item[names: "author"] && same.year == item.year, "\(name)")
      }
    }
  }
}
