import Foundation
import TestSupport
import Testing
import Wire

@Suite("Documents: scripts that are not read from the left, in real files", .enabled(if: !CorpusFiles.all.isEmpty))
struct CorpusTextTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var file: String
    /// Lines of the first page, one after the other.
    var lines: [String]
    var isWhole = false
    var testDescription: String { file }
  }

  @Test(
    "text is read in its order, none of it is lost, and each letter is on its own place",
    arguments: [
      Row(
        file: "rtl-hebrew.pdf",
        lines: [
          "שלום עולם מה שלום כולם?", "אני יורד מן החוטים, אני כבר ילד אמיתי.", "כמו כל הילדים.",
          "לחיוב פעולות אלה לפי סעיף 15(ב)(4) לחוק מבקר המדינה",
        ], isWhole: true),
      Row(file: "rtl-arabic.pdf", lines: ["حَبيبي ", "habibi"], isWhole: true),
      Row(file: "rtl-arabic-rotated.pdf", lines: ["حَبيبي ", "habibi"], isWhole: true),
      Row(file: "rtl-bidi-mixed.pdf", lines: ["١٤-إبريل-١٤٣٤", "(يناير)", "«إختبار ذاتي»"]),
      Row(
        file: "cjk-japanese-jo.pdf",
        lines: [
          "序", "わたくしといふ現象は", "假定された有機交流電燈の", "ひとつの青い照明です", "︵あらゆる透明な幽霊の複合体︶", "風景やみんなといっしょに",
          "せはしくせはしく明滅しながら", "いかにもたしかにともりつづける", "因果交流電燈の", "ひとつの青い照明です", "︵ひかりはたもち︑その電燈は失はれ︶",
        ]),
    ])
  func order(row: Row) async throws {
    let bench = try await DocumentBench()
    let file = try #require(CorpusFiles.file(row.file))
    let id = try await bench.client.call("documents/add", ["path": .string(file.path)])["id"]!
    let reply = try await bench.client.call("documents/text", ["id": id, "page": 0, "detail": "characters"])
    let wanted = row.lines.joined(separator: "\n")
    #expect(row.isWhole ? reply["text"].text == wanted : reply["text"].text.contains(wanted))
    // No two letters of a line stand on one place, but for a mark above its letter.
    var places: Set<String> = []
    let text = Array(reply["text"].text.utf16)
    let letters = reply["characters"].list
    #expect(letters.count >= reply["text"].text.unicodeScalars.count { !$0.properties.isWhitespace })
    for letter in letters {
      let numbers = letter["quad"]?.numbers ?? []
      let offset = Int(letter["offset"]?.integerValue ?? 0)
      if Unicode.Scalar(text[offset])?.properties.isWhitespace == true { continue }
      let (inserted, _) = places.insert("\(numbers)")
      #expect(inserted, "U+\(String(text[offset], radix: 16)) at \(numbers)")
    }
    await bench.stop()
  }
}
