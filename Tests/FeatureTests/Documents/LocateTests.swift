import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Documents: locating") struct LocateTests {
  private static let passage = [
    "The commonplace book was where a reader", "kept whatever seemed worth remember-",
    "ing: verses, receipts, and argu-",
    "ments against the neighbours.",
  ]

  private static func library() async throws -> DocumentBench {
    let bench = try await DocumentBench()
    try await bench.add(SamplePDF(["Nothing to see here."], passage, ["The end."]), title: "Books", id: "books")
    try await bench.add(SamplePDF(["A reader kept a dog."], ["Against the neighbours."]), title: "Dogs", id: "dogs")
    return bench
  }

  private static func located(_ quote: String, _ bench: DocumentBench) async throws -> [JSONValue] {
    try await bench.client.call("documents/locate", ["quote": .string(quote)]).items
  }

  @Test("a pasted passage is found whatever became of its line ends, hyphens and blanks, and is exact")
  func exact() async throws {
    let bench = try await Self.library()
    let quotes = [
      Self.passage.joined(separator: "\n"),
      "The commonplace book was where a reader kept whatever seemed worth remembering: verses, receipts, and arguments",
      "  whatever seemed\u{A0}worth\n\n remembering: verses, ",
    ]
    for quote in quotes {
      let places = try await Self.located(quote, bench)
      let place = try #require(places.first, "\(quote)")
      #expect(place["document"] == "books" && place["page"] == 1 && place["exact"] == true && place["score"] == 1)
      #expect(place["title"] == "Books" && place["label"] == "2 / 3")
      #expect(place["link"] == "commonplace:/documents/books#page=1")
      #expect(place["parts"]?[0]?["page"] == 1 && (place["parts"]?[0]?["quads"].list.count ?? 0) >= 2)
      let resolved = try await bench.client.call("documents/resolve", ["link": place["link"] ?? .null])
      #expect(resolved["page"] == 1)
    }
    await bench.stop()
  }

  @Test("small errors lower the score, and a passage that is nowhere is found nowhere")
  func tolerant() async throws {
    let bench = try await Self.library()
    let quote = "where a reader kept whatewer seemed worth rememberlng: verses, reciepts, and arguments"
    let place = try #require(try await Self.located(quote, bench).first)
    #expect(place["document"] == "books" && place["page"] == 1 && place["exact"] == false)
    let score = place["score"]?.doubleValue ?? 0
    #expect(score > 0.9 && score < 1)
    #expect(place["text"].text.hasPrefix("where a reader\nkept") && place["text"].text.hasSuffix("ments"))
    for nowhere in [
      "The commonplace daemon was where a writer lost whatever seemed worth forgetting", "zzz", "!?", "\u{AD}x",
    ] {
      #expect(try await Self.located(nowhere, bench).isEmpty, "\(nowhere)")
    }
    await bench.stop()
  }

  @Test("a passage over two pages is found where it begins, with its part of each")
  func overPages() async throws {
    let bench = try await DocumentBench()
    try await bench.add(
      SamplePDF(["Whoever reads this sentence slowly"], ["arrives eventually at its second half"]), id: "two")
    let place = try #require(
      try await Self.located("reads this sentence slowly arrives eventually at its second", bench).first)
    #expect(place["page"] == 0 && place["parts"].list.compactMap { $0["page"] } == [0, 1])
    #expect(place["text"] == "reads this sentence slowly\narrives eventually at its second")
    await bench.stop()
  }

  @Test("a passage of words that the whole library has is found on its oldest page, exactly and with letters wrong")
  func oldest() async throws {
    let bench = try await DocumentBench()
    let halves = ["An old reader wrote the first few words here", "and a later reader wrote the last of them"]
    let pairs = ["Every traveller carries", "seven heavy stones"]
    try await bench.add(SamplePDF(["The end."], halves + pairs), id: "oldest")
    _ = try await bench.indexed("oldest")
    // Every word is on a thousand newer pages, every two neighbours too, and of the first passage every three.
    let newer = (0..<2_200).map { number in
      SamplePDF.Page([halves[number % 2], "heavy stones that every traveller", "has left: one carries seven"])
    }
    _ = try await bench.indexed(try await bench.id(of: SamplePDF(pages: newer), title: "newer"))
    let quotes = [
      (halves.joined(separator: " "), true),
      ("An old reader wrote the first fev words here and a latex reader wrote the last of them", false),
      ("every traveller carries seven heavy stones", false), ("Every traveller carries seven heavy stones", true),
      ("Every traveler carries seven heavy stones", false),
    ]
    for (quote, isExact) in quotes {
      let place = try #require(try await Self.located(quote, bench).first, "\(quote)")
      #expect(place["document"] == "oldest" && place["page"] == 1 && place["exact"] == .bool(isExact), "\(quote)")
    }
    await bench.stop()
  }

  @Test("a passage that many pages nearly have is found on the one that has it")
  func nearly() async throws {
    let bench = try await DocumentBench()
    let pages = (0..<60).map {
      SamplePDF.Page(["The committee resolved upon motion \($0)", "to adjourn until autumn."])
    }
    _ = try await bench.indexed(try await bench.id(of: SamplePDF(pages: pages)))
    for number in [0, 31, 59] {
      let place = try #require(
        try await Self.located("committee resolved upon motion \(number) to adjourn until autumn", bench).first)
      #expect(place["page"] == json(number) && place["exact"] == true)
    }
    await bench.stop()
  }

  @Test("a passage in Korean is found by its letters")
  func korean() async throws {
    let bench = try await DocumentBench()
    try await bench.add(.korean("라이브러리에서인용문의출처를찾는다"), id: "k")
    let place = try #require(try await Self.located("인용문의출처를찾는다", bench).first)
    #expect(place["document"] == "k" && place["exact"] == true)
    await bench.stop()
  }

  @Test(
    "a passage that ends within a word of Korean is found, though its last letter says nothing",
    arguments: ["인용문의출", "밤", "밤 책을", "사"])
  func cut(quote: String) async throws {
    let bench = try await DocumentBench()
    let lines = ["그는 매일 밤 책을 읽는 사람이었고", "인용문의출처를찾는다"]
    try await bench.add(SamplePDF(pages: [.init(korean: lines)]), id: "k")
    let place = try #require(try await Self.located(quote, bench).first)
    #expect(place["document"] == "k" && place["exact"] == true)
    await bench.stop()
  }

  @Test("what cannot be located is refused by name, and a library without documents has nothing")
  func badInput() async throws {
    let bench = try await DocumentBench()
    #expect(try await Self.located("anything at all", bench).isEmpty)
    for quote in ["", " ", "\u{AD}", String(repeating: "x", count: 10_001)] {
      let error = try await bench.client.failure("documents/locate", ["quote": .string(quote)])
      #expect(error?.code == -32602 && error?.data?["field"] == "quote")
    }
    let long = String(repeating: "word and more ", count: 700)
    #expect(try await Self.located(long, bench).isEmpty)
    await bench.stop()
  }

  @Test("an open protected document is looked through in memory, and not after a restart")
  func protected() async throws {
    let bench = try await DocumentBench()
    let data = JSONValue.string(Data(SamplePDF.encrypted).base64EncodedString())
    _ = try await bench.client.call("documents/add", ["data": data, "password": "pässwört", "id": "p"])
    #expect(try await Self.located("secret", bench).first?["document"] == "p")
    await bench.stop()
    let again = try await DocumentBench(in: bench.daemon.folder)
    #expect(try await Self.located("secret", again).isEmpty)
    await again.stop()
  }
}
