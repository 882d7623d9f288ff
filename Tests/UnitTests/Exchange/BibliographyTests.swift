import TestSupport
import Testing
import Wire

@testable import Exchange

@Suite("Bibliographies: BibTeX, RIS and CSL-JSON") struct BibliographyTests {
  private func items(_ text: String) throws -> [CSLItem] {
    let bytes = Array(text.utf8)
    let format = try #require(BibliographyFile.format(of: bytes))
    return try BibliographyFile(bytes, as: format).entries.map { entry in
      var item = entry.item
      item["id"] = entry.key
      return item
    }
  }

  @Test(
    "TeX's accents, quotation marks and dashes become letters and characters; braces and commands of type disappear",
    arguments: [
      ("plain", "plain"), ("na{\\\"\\i}ve", "naïve"), ("Erd{\\H o}s", "Erdős"), ("\\v{C}ech", "Čech"),
      ("Fran\\c{c}ois", "François"), ("\\'Elan", "Élan"), ("{\\'{e}}", "é"), ("\\\"{O}l", "Öl"),
      ("S{\\o}ren", "Søren"), ("Stra\\ss{}e", "Straße"), ("\\aa", "å"), ("\\l{}\\'od\\'z", "łódź"),
      ("``so''", "“so”"), ("`so'", "‘so'"), ("1--2", "1–2"), ("a---b", "a—b"), ("a-b", "a-b"), ("a~b", "a\u{A0}b"),
      ("\\& \\% \\$ \\# \\_ \\{ \\}", "& % $ # _ { }"), ("\\textbackslash{}x", "\\x"), ("\\emph{word} on", "word on"),
      ("{The {GNU} Way}", "The GNU Way"), ("$\\alpha_1$-rule", "$\\alpha_1$-rule"), ("5$ and more", "5$ and more"),
      ("two\n   lines", "two lines"), ("\\", ""), ("\\'", ""), ("{{{", ""), ("한{\\'a}강", "한á강"),
    ])
  func tex(written: String, plain: String) {
    #expect(BibTeXText.plain(written) == plain)
  }

  @Test(
    "names of BibTeX are split as BibTeX does",
    arguments: [
      ("Donald E. Knuth", [CSLName(family: "Knuth", given: "Donald E.")]),
      ("Knuth, Donald E.", [CSLName(family: "Knuth", given: "Donald E.")]),
      ("Ludwig van Beethoven", [CSLName(family: "Beethoven", given: "Ludwig", particle: "van")]),
      ("van der Berg, Jr, Jan", [CSLName(family: "Berg", given: "Jan", particle: "van der", suffix: "Jr")]),
      ("Ursula K. {Le Guin}", [CSLName(family: "Le Guin", given: "Ursula K.")]),
      ("{Barnes and Noble}", [CSLName(literal: "Barnes and Noble")]), ("Plato", [CSLName(literal: "Plato")]),
      ("Ann Author and others", [CSLName(family: "Author", given: "Ann")]),
      ("A, B and C, D", [CSLName(family: "A", given: "B"), CSLName(family: "C", given: "D")]), ("", []), (",", []),
    ])
  func names(written: String, names: [CSLName]) {
    #expect(BibTeXNames.names(written) == names)
  }

  private static let database = """
    A comment of joe@example.com, and @comment{any thing}
    @string{acm = "Journal of the " # "ACM"}
    @preamble{"\\newcommand{\\x}{y}"}
    @Article{knuth:1974, author = {Donald Knuth}, title = {On {Types}}, journal = acm, volume = 3, number = "4",
      pages = {10--20}, year = 1974, month = mar, doi = {https://doi.org/10.1000/AB\\_c}, unknown = {x},
      file = {Full Text:files/1/K\\;1.pdf:application/pdf;Page:files/2/p.html:text/html} }
    @inproceedings{p1, title={Paper}, crossref={Proc}}
    @article{broken, title = {no end, year = 2
    @phdthesis(th, title="A {\\"U}ber thesis", school={MIT}, date={2019-05-04/2020-01})
    @misc{ax, title = {Preprint}, eprint = {2101.00001v2}, archivePrefix = {arXiv}}
    @proceedings{proc, title={Proceedings of X}, year={2001}, publisher={ACM}, doi={10.1/no}}
    @misc{untitled, year = 2000}

    """

  @Test("a database of BibTeX is read with its strings, its cross-references and what is damaged in it")
  func bibtex() throws {
    let read = try BibliographyFile(Array(Self.database.utf8), as: .bibtex)
    let items = Dictionary(uniqueKeysWithValues: read.entries.map { ($0.key ?? "", $0.item) })
    #expect(read.entries.compactMap(\.key) == ["knuth:1974", "p1", "th", "ax", "proc"])
    #expect(read.entries[0].files == ["files/1/K;1.pdf", "files/2/p.html"] && read.entries[0].place.line == 4)
    #expect(read.notes.map(\.place.line) == [8, 12], "the damaged entry, and the one without a title")
    #expect(
      items["knuth:1974"]?.json == [
        "type": "article-journal", "title": "On Types", "author": [["family": "Knuth", "given": "Donald"]],
        "container-title": "Journal of the ACM", "volume": "3", "issue": "4", "page": "10-20",
        "DOI": "10.1000/ab_c", "issued": ["date-parts": [[1974, 3]]], "custom": ["bibtex": ["unknown": "x"]],
      ])
    #expect(items["p1"]?["container-title"] == "Proceedings of X" && items["p1"]?["publisher"] == "ACM")
    #expect(items["p1"]?["DOI"] == nil && items["p1"]?.year == 2001 && items["p1"]?.type == "paper-conference")
    #expect(items["th"]?["title"] == "A Über thesis" && items["th"]?["publisher"] == "MIT")
    #expect(items["th"]?.json["issued"] == ["date-parts": [[2019, 5, 4], [2020, 1]]])
    #expect(items["ax"]?.type == "article" && items["ax"]?["DOI"] == "10.48550/arxiv.2101.00001")
  }

  @Test("strings that grow without end are refused, not expanded")
  func bomb() throws {
    var text = "@string{a0 = {\(String(repeating: "x", count: 1_000))}}\n"
    for level in 1...30 { text += "@string{a\(level) = a\(level - 1) # a\(level - 1)}\n" }
    text += "@book{b, title = a30 # a29}\n@book{c, title = {fine}}\n"
    let read = try BibliographyFile(Array(text.utf8), as: .bibtex)
    #expect(read.entries.compactMap(\.key) == ["b", "c"] || read.entries.compactMap(\.key) == ["c"])
    #expect(read.entries.allSatisfy { ($0.item["title"] ?? "").utf8.count <= 1 << 20 })
  }

  static let references: [JSONObject] = [
    [
      "id": "knuth1974", "type": "article-journal", "title": "100% & {more}: a--b ``x'' -- \"q\"",
      "author": [
        ["family": "Knuth", "given": "Donald E."], ["literal": "Barnes and Noble"],
        ["family": "Beethoven", "given": "Ludwig", "non-dropping-particle": "van", "suffix": "Jr."],
      ],
      "container-title": "J. of X", "volume": "3", "issue": "4", "page": "10-20", "DOI": "10.1000/ab_c",
      "issued": ["date-parts": [[1974, 3]]], "URL": "https://example.org/a_b?c=d&e=f", "abstract": "It says ~so^2.",
      "language": "en",
    ],
    [
      "id": "kang2014", "type": "book", "title": "소년이 온다: 장편 소설", "title-short": "소년이 온다",
      "author": [["literal": "한강"]],
      "publisher": "창비", "publisher-place": "파주", "ISBN": "9788936434120", "issued": ["date-parts": [[2014]]],
    ],
    [
      "id": "orsted2019", "type": "thesis", "title": "Über #1", "author": [["family": "Ørsted", "given": "Søren"]],
      "publisher": "MIT", "genre": "PhD thesis", "issued": ["date-parts": [[2019, 5]]],
    ],
    [
      "id": "nix2001", "type": "chapter", "title": "One", "author": [["family": "Nix", "given": "Garth"]],
      "editor": [["family": "Ed", "given": "Itor"]], "container-title": "All of Them", "publisher": "P", "page": "1-9",
      "issued": ["date-parts": [[2001]]],
    ],
  ]

  @Test("what is written in each format is read back as it was", arguments: CitationFormat.allCases)
  func roundTrip(format: CitationFormat) throws {
    let items = Self.references.map { CSLItem($0) }
    let read = try self.items(Bibliography.text(of: items, as: format))
    #expect(read.count == items.count)
    for (before, after) in zip(items, read) { #expect(before == after, "\(before.json)\n\(after.json)") }
  }

  @Test("several notes of RIS, groups of JabRef and notes on an entry of BibTeX are imported, and written again")
  func notes() throws {
    let item = try items("TY  - JOUR\nTI  - T\nN1  - One.\nN1  - Two.\nN1  - Three.\nER  - \n")[0]
    #expect(item["note"] == "One." && item["annote"] == "Two.\n\nThree.")
    let lines = RIS.entry(item, key: "k", file: "files/1/k.pdf").split(whereSeparator: \.isNewline)
    #expect(lines.filter { $0.hasPrefix("N1") } == ["N1  - One.", "N1  - Two. Three."])
    #expect(lines.contains("L1  - files/1/k.pdf"))
    let text = "@article{k, title = {T}, keywords = {a; b, c}, groups = {Water,Cold & wet}, annote = {A child.}}"
    let grouped = try items(text)[0]
    #expect(grouped.tags == ["a", "b", "c", "Water", "Cold & wet"] && grouped["annote"] == "A child.")
    let written = BibTeX.entry(grouped, key: "k", file: "files/1/k.pdf")
    #expect(try items(written)[0] == grouped)
    let bytes = Array(written.utf8)
    #expect(try BibliographyFile(bytes, as: .bibtex).entries[0].paths(in: "/a") == ["/a/files/1/k.pdf"])
  }

  @Test("an entry of BibTeX is written again with its type and the fields that CSL-JSON has no variable for")
  func bibtexOthers() throws {
    let text = """
      @online{page, title = {A {GNU} page}, year = {2020}, month = feb, day = {3}, urldate = {2021-05-06},
        readstatus = {read}, ranking = {rank5}, comment = {50\\% of $x_1$ {in} \"{o}}, eprint = {2101.00001},
        eprinttype = {arxiv}, organization = {W3C}, publisher = {Someone}, owner = {}, file = {:a.pdf:PDF},
        crossref = {gone}, timestamp = "2020-01-01"}
      @mvbook{vols, title = {Volumes}, shorttitle = {Vols}, date = {1999-02/2001}, volumes = {4}, abstract = {Long.},
        version = {2}, chapter = {7}, eventtitle = {Fair}, venue = {Graz}, pmid = {12}}
      """
    let read = try items(text)
    #expect(
      read[0].json["custom"] == [
        "bibtex": [
          "entrytype": "online", "comment": "50\\% of $x_1$ {in} \"{o}", "eprint": "2101.00001", "eprinttype": "arxiv",
          "organization": "W3C", "ranking": "rank5", "readstatus": "read", "timestamp": "2020-01-01",
        ]
      ], "\(read[0].json)")
    #expect(read[1].json["custom"] == ["bibtex": ["entrytype": "mvbook"]])
    let written = Bibliography.text(of: read, as: .bibtex)
    #expect(written.hasPrefix("@online{page,") && written.contains("\n@mvbook{vols,"), "\(written)")
    for (before, after) in zip(read, try items(written)) { #expect(before == after, "\(before.json)\n\(after.json)") }
    // Another type has the name that BibTeX has for it.
    var article = read[0]
    article.json["type"] = "article-journal"
    #expect(BibTeX.entry(article, key: "k").hasPrefix("@article{k,"))
  }

  @Test("a reference of RIS is written again with its type and the lines that CSL-JSON has no variable for")
  func risOthers() throws {
    let text = """
      TY  - EJOUR
      TI  - T
      JF  - The Journal
      JA  - J.
      M1  - 12
      C1  - a
      C1  - b
      SN  - 978-0-486-26957-3
      SN  - 1234-5678
      Y2  - 2020/01/02
      L1  - a.pdf
      ER  -
      """
    let read = try items(text)[0]
    let others: JSONValue = ["TY": ["EJOUR"], "JA": ["J."], "M1": ["12"], "C1": ["a", "b"], "Y2": ["2020/01/02"]]
    #expect(read.json["custom"] == ["ris": others], "\(read.json)")
    #expect(read["ISBN"] == "978-0-486-26957-3" && read["ISSN"] == "1234-5678")
    let written = Bibliography.text(of: [read], as: .ris)
    #expect(written.hasPrefix("TY  - EJOUR\r\n"), "\(written)")
    var again = try items(written)[0]
    again["id"] = read["id"]
    #expect(again == read, "\(written)")
    // A client's line ends no reference.
    var item = CSLItem(["id": "k", "type": "book", "title": "T"])
    item.json["custom"] = ["ris": ["M1": ["x\nER  - \nTY  - JOUR"], "ER": [""], "TI": ["Other"], "m": ["y"], "C1": 3]]
    let safe = try items(RIS.entry(item, key: "k"))
    #expect(safe.count == 1 && safe[0]["title"] == "T" && safe[0].type == "book")
  }

  @Test("fields in a client's CSL-JSON end no entry of BibTeX, and add none")
  func hostileOthers() throws {
    var item = CSLItem(["id": "k", "type": "book", "title": "T"])
    item.json["custom"] = [
      "bibtex": [
        "entrytype": "book{x, title={y}}", "a": "}, evil = {1", "b} = {1}, evil": "x", "title": "Other", "file": "/etc",
        "c": 1, "d": "{}{}", "E": "x", "f": "\\{ }, evil = {1 \\}", "g": "x\\", "h": "\\{x\\}",
      ]
    ]
    let read = try items(BibTeX.entry(item, key: "k"))
    #expect(read.count == 1 && read[0]["title"] == "T" && read[0].type == "book")
    #expect(read[0].json["custom"] == ["bibtex": ["d": "{}{}", "h": "\\{x\\}"]], "\(read[0].json)")
  }

  @Test("items of one key have the files of their own", arguments: [CitationFormat.bibtex, .ris])
  func filesOfOneKey(format: CitationFormat) throws {
    let items = ["One", "Two", "Three"].map { CSLItem(["id": "k", "type": "book", "title": .string($0)]) }
    let text = Bibliography.text(of: items, as: format, files: ["files/1/k.pdf", nil, "files/3/k.pdf"])
    let read = try BibliographyFile(Array(text.utf8), as: format == .ris ? .ris : .bibtex)
    #expect(read.entries.map { $0.paths(in: "/a") } == [["/a/files/1/k.pdf"], [], ["/a/files/3/k.pdf"]])
  }

  @Test("no file outside of the folder is named, by a path with combining marks either")
  func parentParts() {
    for (name, path) in [
      ("b.pdf", "/a/b.pdf"), ("/a/b.pdf", "/a/b.pdf"), ("..b/c..pdf", "/a/..b/c..pdf"), ("../b.pdf", nil),
      ("../\u{301}b.pdf", nil), ("b/../\u{301}/b.pdf", nil), ("/ab/b.pdf", nil), ("b/..", nil),
    ] as [(String, String?)] {
      let entry = BibliographyFile.Entry(item: CSLItem(type: "book"), files: [name], place: ImportNote.Place(number: 1))
      #expect(entry.paths(in: "/a") == [path].compactMap(\.self), "\(name)")
    }
  }

  @Test("RIS of other programs: tags in any order, lines that go on, no end of the last reference")
  func ris() throws {
    let text = """
      TY  - CHAP
      A1  - Nix, Garth, Jr.
      A2  - Ed, Itor
      T1  - One
        and more
      BT  - Whole
      Y1  - 2001/03/04/spring
      SP  - 1
      EP  - 9
      SN  - 978-0-486-26957-3
      KW  - a
      KW  - b
      DO  - https://doi.org/10.1000/X
      L1  - file:///a/b.pdf
      ER  -
      TY  - JOUR
      TI  - Two
      JF  - J
      SN  - 1234-5678
      PY  - 1999
      """
    let read = try BibliographyFile(Array(text.replacing("\n", with: "\r\n").utf8), as: .ris)
    let first = try #require(read.entries.first?.item)
    #expect(read.entries.count == 2 && read.entries[0].files == ["file:///a/b.pdf"])
    #expect(first["title"] == "One and more" && first["container-title"] == "Whole" && first["page"] == "1-9")
    #expect(first[names: "author"] == [CSLName(family: "Nix", given: "Garth", suffix: "Jr.")])
    #expect(first[names: "editor"] == [CSLName(family: "Ed", given: "Itor")] && first["DOI"] == "10.1000/x")
    #expect(first[date: "issued"]?.parts == [2001, 3, 4] && first["keyword"] == "a, b")
    #expect(first["ISBN"] == "978-0-486-26957-3" && read.entries[1].item["ISSN"] == "1234-5678")
    #expect(read.entries[1].item["container-title"] == "J" && read.entries[1].item.year == 1999)
  }

  @Test("CSL-JSON of a client is refused where it is not as CSL-JSON has it, and keeps what CSL-JSON does not know")
  func checking() throws {
    let good: JSONValue = [
      "type": "book", "title": "x", "custom": ["a": [1]], "author": [["family": "Han"]], "issued": ["raw": "2001"],
      "volume": 3,
    ]
    #expect(try JSONValue.object(CSLItem(checking: good, field: "b").json) == good)
    let bad: [(JSONValue, String)] = [
      ([], "b"), ("x", "b"), (["title": "x"], "b.type"), (["type": "novel"], "b.type"),
      (["type": "book", "title": ["x"]], "b.title"), (["type": "book", "author": "Han"], "b.author"),
      (["type": "book", "author": [["family": 3]]], "b.author"), (["type": "book", "author": [[:]]], "b.author"),
      (["type": "book", "issued": "2001"], "b.issued"), (["type": "book", "issued": ["date-parts": []]], "b.issued"),
      (["type": "book", "title": .string(String(repeating: "x", count: CSLItem.longest))], "b"),
    ]
    for (value, field) in bad {
      let error = #expect(throws: RPCError.self) { try CSLItem(checking: value, field: "b") }
      #expect(error?.data["field"]?.stringValue == field, "\(value)")
    }
  }

  @Test("a service's answer is reduced to what CSL-JSON knows; lists of one title and its own types are understood")
  func service() throws {
    let item = try #require(
      CSLItem(
        reading: [
          "type": "journal-article", "title": ["A title"], "container-title": [], "reference": [["key": "1"]],
          "author": [["family": "Han", "given": "Kang", "affiliation": []]], "issued": ["date-parts": [[nil]]],
          "DOI": "10.1000/x", "page": 3,
        ], isService: true))
    #expect(item.json.keys == ["type", "title", "author", "DOI", "page"] && item.type == "article-journal")
    #expect(CSLItem(reading: ["type": "book"], isService: true) == nil && CSLItem(reading: [], isService: true) == nil)
  }

  @Test(
    "a DOI is known alone, after doi: and as a URL, without case",
    arguments: [
      ("10.1000/182", "10.1000/182"), ("doi:10.1000/ABC", "10.1000/abc"), ("DOI 10.1000/a.b-c", "10.1000/a.b-c"),
      ("https://doi.org/10.1000/a%3Cb", "10.1000/a<b"), ("http://dx.doi.org/10.1038/nphys1170", "10.1038/nphys1170"),
      (" 10.1000.10/x ", "10.1000.10/x"), ("10.100/x", nil), ("10.1000/", nil), ("10.1000/a b", nil), ("", nil),
      ("see 10.1000/182", nil), ("110.1000/182", nil), ("10.12345678901/x", nil),
    ] as [(String, String?)])
  func doi(written: String, doi: String?) {
    #expect(DOI(written)?.text == doi)
  }

  @Test(
    "an id of arXiv is known in both forms, without its version",
    arguments: [
      ("2101.00001", "2101.00001"), ("arXiv:2101.00001v3", "2101.00001"), ("0704.0001", "0704.0001"),
      ("hep-th/9901001v1", "hep-th/9901001"), ("https://arxiv.org/abs/2101.00001", "2101.00001"),
      ("https://arxiv.org/pdf/2101.00001v2.pdf", "2101.00001"), ("math.GT/0309136", "math.gt/0309136"),
      ("2113.00001", nil), ("2101.001", nil), ("21010.0001", nil), ("hep-th/990100", nil), ("", nil), ("v", nil),
    ] as [(String, String?)])
  func arXiv(written: String, id: String?) {
    #expect(ArXivID(written)?.text == id)
  }

  @Test(
    "the format is known by the beginning of a file",
    arguments: [
      ("@book{a, title={x}}", "bibtex"), ("% comment\n\n @Article (x,", "bibtex"), ("TY  - BOOK", "ris"),
      ("\u{FEFF}\r\nTY  - BOOK", "ris"), ("1.\nTY  - JOUR\n", "ris"), ("TYPE - title", nil), ("[{\"id\": 1}]", "csl"),
      ("title,authors\nx,y", nil), ("", nil),
      ("me@home.example, a table", nil), ("TYPE,title", nil), ("{\"id\":\"x\"}", nil),
    ] as [(String, String?)])
  func format(text: String, format: String?) {
    #expect(BibliographyFile.format(of: Array(text.utf8))?.rawValue == format)
  }

  @Test("random bytes and cut files are read or refused, and nothing else")
  func hostile() {
    var random = SeededGenerator(seed: 7)
    let samples = [Self.database, Bibliography.text(of: Self.references.map { CSLItem($0) }, as: .ris)].map {
      Array($0.utf8)
    }
    for sample in samples {
      for _ in 0..<200 {
        var bytes = Array(sample.prefix(Int.random(in: 0...sample.count, using: &random)))
        for _ in 0..<3 where !bytes.isEmpty {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          bytes[place] = Array("{}\"@\\,=#(\n\0 -".utf8).randomElement(using: &random) ?? 0
        }
        for format in [BibliographyFile.Format.bibtex, .ris, .csl] {
          if let read = try? BibliographyFile(bytes, as: format) {
            #expect(read.entries.allSatisfy { $0.item["title"] != nil })
          }
        }
      }
    }
  }
}

@Suite("Bibliographies: identifiers in running text") struct IdentifierScanTests {
  @Test(
    "identifiers are found without the punctuation around them, and over the end of a line",
    arguments: [
      ("See https://doi.org/10.1038/nphys1170.", ["10.1038/nphys1170"]),
      ("doi:10.1016/S0140-6736(05)67728-8), and", ["10.1016/s0140-6736(05)67728-8"]),
      ("(doi 10.1000/a.b;c)", ["10.1000/a.b;c"]), ("<prism:doi>10.1000/182</prism:doi>", ["10.1000/182"]),
      ("DOI: 10.1103/\nPhysRevD.76.013009 Received", ["10.1103/physrevd.76.013009"]),
      ("10.1000/abc-\ndef next", ["10.1000/abc-def"]), ("10.1000/abc\ndef", ["10.1000/abc"]),
      ("“10.1000/x” and 10.1000/X, twice", ["10.1000/x"]), ("5.10.1000/x and 210.1000/y", []),
      ("10.1000 / x", []), ("10.99/x", []),
      ("arXiv:2101.00001v2 [cs.CL] 1 Jan 2021", ["arXiv:2101.00001"]),
      ("https://arxiv.org/abs/hep-th/9901001.", ["arXiv:hep-th/9901001"]), ("arXiv: 0704.0001,", ["arXiv:0704.0001"]),
      ("arXiv preprint", []), ("ISBN 978-0-486-26957-3 (paper)", ["9780486269573"]),
      ("ISBN-13: 978-0-486-26957-3", ["9780486269573"]), ("ISBN-10 0-486-26957-4", ["9780486269573"]),
      ("ISBN 978 0 486 26957 3 Printed", ["9780486269573"]), ("isbn(pbk): 0486269574", ["9780486269573"]),
      ("ISBN 978-0-486-26957-4", []), ("9780486269573", []), ("ISBN", []), ("10.1000/", []), ("", []),
      ("ISBN 978-89-364-3412-0 10.1000/b arXiv:2101.00001", ["9788936434120", "10.1000/b", "arXiv:2101.00001"]),
    ] as [(String, [String])])
  func scan(text: String, found: [String]) {
    #expect(IdentifierScan.all(in: text).map(\.text) == found)
  }

  @Test(
    "an identifier that a person writes is known by its form",
    arguments: [
      ("10.1000/182", "10.1000/182"), ("https://doi.org/10.1000/182", "10.1000/182"),
      ("arXiv:2101.00001v1", "arXiv:2101.00001"), (" 2101.00001 ", "arXiv:2101.00001"),
      ("0-486-26957-4", "9780486269573"), ("Emma", nil), ("978-0-486-26957-4", nil), ("", nil),
    ] as [(String, String?)])
  func written(text: String, identifier: String?) {
    #expect(WorkIdentifier(text)?.text == identifier)
  }
}
