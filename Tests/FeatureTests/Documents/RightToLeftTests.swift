import Foundation
import TestSupport
import Testing
import Wire

@Suite("Documents: text from right to left")
struct RightToLeftTests {
  @Test(
    "Lines are in logical order, letter by letter, with their numbers",
    arguments: [
      ["هذا الاختبار في المكتبة القديمة", "في عام 2024 كتب"],
      ["سلام دنیا، این یک آزمایش است", "کتابخانهٔ ۱۲۳ گلستان"],
      ["یہ اردو کی ایک کتاب ہے", "ٹھیک ڈھائی بجے"],
      ["שלום עולם, זה מבחן", "עמוד 15 של הספר"],
    ])
  func order(lines: [String]) async throws {
    let text = try await Self.text(.rightToLeft(lines))
    #expect(Self.lines(text) == lines)
  }

  @Test("A presentation form that stands for lam and alef is both letters in their order")
  func lamAlef() async throws {
    let text = try await Self.text(.rightToLeft(["هذا ا\u{FEFB}ختبار", "ا\u{FEFB}ن \u{FEFB}"]))
    #expect(Self.lines(text) == ["هذا الاختبار", "الان لا"])
  }

  @Test("Lines that only one of poppler's two selections of the page reaches are part of its text, each once")
  func bothSelections() async throws {
    let text = try await Self.text(
      .rightToLeft(at: [("ספר", 72, 640), ("שלום", 72, 670), ("עולם", 250, 470), ("כתב", 250, 500)]))
    for word in ["שלום", "ספר", "כתב"] {
      #expect(Self.lines(text).filter { $0 == word }.count == 1, "\(text)")
    }
  }

  @Test("The article stays as it is in a font whose letters are all of one width, where no ligature shows")
  func article() async throws {
    let lines = ["في الكتاب سال", "قال سلام"]
    #expect(Self.lines(try await Self.text(.rightToLeft(lines))) == lines)
  }

  @Test("Vowel signs stand after their letters and break no word")
  func vocalized() async throws {
    let lines = ["كَتَبَ ٱلْوَلَدُ دَرْسَهُ", "بِسْمِ ٱللّٰهِ", "בְּרֵאשִׁית בָּרָא"]
    let text = try await Self.text(.rightToLeft(lines))
    #expect(Self.lines(text).map(Self.clusters) == lines.map(Self.clusters), "\(text)")
  }

  /// The letters of a line, each with its signs in the order of their numbers.
  private static func clusters(_ line: String) -> [[UInt32]] {
    var clusters: [[UInt32]] = []
    for scalar in line.unicodeScalars {
      if scalar.properties.generalCategory == .nonspacingMark, !clusters.isEmpty {
        clusters[clusters.count - 1].append(scalar.value)
      } else {
        clusters.append([scalar.value])
      }
    }
    return clusters.map { $0.prefix(1) + $0.dropFirst().sorted() }
  }

  @Test(
    "Lines that are turned are in logical order too, on turned pages as well, with Latin words and numbers within",
    arguments: [0, 90, 180, 270], [0, 90])
  func turned(degrees: Int, rotation: Int) async throws {
    for lines in [
      ["هذا ملف PDF رقم 15 في المكتبة"],
      ["הספר HTML מספר 15 של שלום"],
    ] {
      let bench = try await DocumentBench()
      let id = try await bench.id(of: .rightToLeft(lines, turned: degrees, rotation: rotation))
      let text = try await bench.client.call("documents/text", ["id": id, "page": 0])["text"].text
      #expect(Self.lines(text) == lines)
      // Its place is where the word stands: the letters are 10 points wide and the line is 20 points high.
      for word in [String(lines[0].split(separator: " ")[1]), "15"] {
        let hits = try await bench.client.call("documents/find", ["id": id, "text": .string(word)]).items
        try #require(hits.count == 1, "\(word)")
        let quad = try #require(hits[0]["quads"].list.first).numbers
        let sides = (quad.extent(0).max - quad.extent(0).min, quad.extent(1).max - quad.extent(1).min)
        let length = (degrees + rotation) % 180 == 0 ? sides.0 : sides.1
        #expect(abs(length - 10 * Double(word.count)) < 1, "\(word) \(quad)")
        let middle: JSONValue = [
          "x": .number((quad.extent(0).max + quad.extent(0).min) / 2),
          "y": .number((quad.extent(1).max + quad.extent(1).min) / 2),
        ]
        let selected = try await bench.client.call(
          "documents/select", ["id": id, "page": 0, "from": middle, "to": middle, "granularity": "word"])
        #expect(selected["text"] == .string(word))
      }
      await bench.stop()
    }
  }

  @Test("A word is found, shown in letters, selected, highlighted and exported", arguments: [false, true])
  func endToEnd(presentationForms: Bool) async throws {
    let bench = try await DocumentBench()
    // The second spelling is that of old files: each letter as the form that it has in its place.
    let word = presentationForms ? "\u{FE8D}\u{FEDF}\u{FEE4}\u{FEDC}\u{FE98}\u{FE92}\u{FE94}" : "المكتبة"
    let id = try await bench.id(of: .rightToLeft(["هذا في \(word) كبير", "دار"]))
    let hits = try await bench.client.call("documents/find", ["id": id, "text": "المكتبة"]).items
    try #require(hits.count == 1)
    #expect(hits[0]["match"] == "المكتبة" && hits[0]["before"] == "هذا في ")
    #expect(hits[0]["after"].text.hasPrefix(" كبير"))
    _ = try await bench.indexed(id)
    let snippets = try await bench.client.call("search/query", ["text": "المكتبة"]).items.map { $0["snippet"].text }
    #expect(snippets.count == 1 && snippets[0].contains("هذا في المكتبة كبير"), "\(snippets)")
    let quad = try #require(hits[0]["quads"].list.first).numbers
    // Seven letters of ten points each.
    #expect(hits[0]["quads"].list.count == 1 && abs(quad[2] - quad[0] - 70) < 1)

    let middle: JSONValue = ["x": .number((quad[0] + quad[2]) / 2), "y": .number((quad[1] + quad[5]) / 2)]
    let selected = try await bench.client.call(
      "documents/select", ["id": id, "page": 0, "from": middle, "to": middle, "granularity": "word"])
    #expect(selected["text"] == "المكتبة")
    #expect(selected["lines"]![0]!["quad"] == hits[0]["quads"]![0])

    let added = try await bench.client.call(
      "documents/toggleHighlight", ["id": id, "page": 0, "quads": [selected["lines"]![0]!["quad"]!]])
    #expect(added["added"].list.count == 1)
    let exported = try await bench.client.call(
      "documents/export", ["id": id, "format": "markdown", "inline": true])
    let markdown = String(decoding: Data(base64Encoded: exported["data"].text) ?? Data(), as: UTF8.self)
    #expect(markdown.contains("> المكتبة"))
    await bench.stop()
  }

  private static func text(_ sample: SamplePDF) async throws -> String {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: sample)
    let text = try await bench.client.call("documents/text", ["id": id, "page": 0])["text"].text
    await bench.stop()
    return text
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }
}

extension [Double] {
  /// The least and greatest x (0) or y (1) of corners.
  fileprivate func extent(_ first: Int) -> (min: Double, max: Double) {
    let values = indices.filter { $0 % 2 == first }.map { self[$0] }
    return (values.min() ?? 0, values.max() ?? 0)
  }
}
