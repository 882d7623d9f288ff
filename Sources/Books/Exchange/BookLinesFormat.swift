import Contract
import Exchange
import Kit
import Wire

/// One book per line, as JSON: all data of the shelf, so that an import of the export loses nothing.
enum BookLinesFormat {
  struct Line: Codable, Sendable {
    var id: String
    var facts: BookFacts
    var content: ShelfContent
    var addedAt: Instant
    var citationKey: String
    var sameAs: [String]
    var origins: [String]
    var raw: JSONValue?
    var foreign: JSONValue?
    var revision: String?
  }

  static func isIts(_ bytes: [UInt8]) -> Bool {
    return bytes.withoutByteOrderMark.first { $0 > 0x20 } == UInt8(ascii: "{")
  }

  static func read(_ bytes: [UInt8], checkCancelled: () throws -> Void) throws -> BookFile {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw WrongFormat(reason: "notUTF8") }
    var file = BookFile()
    for (number, line) in TextLine.lines(of: text).enumerated() {
      if number.isMultiple(of: 256) { try checkCancelled() }
      guard let json = line.text.readable else { continue }
      let place = ImportNote.Place(number: number + 1, line: number + 1)
      guard let value = try? JSONParser.parse(json), case .object(let row) = value else {
        throw WrongFormat(reason: "notJSON", line: number + 1)
      }
      guard let line = try? JSONDecoding.decode(Line.self, from: value), ItemID(validating: line.id) != nil else {
        file.notes.append(ImportNote(.unreadable, at: place, title: row["facts"]?["title"]?.givenText ?? ""))
        continue
      }
      var facts = line.facts
      facts.bound()
      let book = ImportedBook(
        origin: "jsonl/\(line.id)", facts: facts, content: line.content, addedAt: line.addedAt,
        citationKey: line.citationKey, sameAs: line.sameAs, revision: line.revision, row: row)
      guard (try? book.check()) != nil else {
        file.notes.append(ImportNote(.unreadable, at: place, title: facts.title ?? ""))
        continue
      }
      file.rows.append(BookFile.Row(book: book, place: place))
    }
    return file
  }

  static func line(_ book: ExportedBook) throws -> String {
    let record = book.record
    let line = Line(
      id: record.id, facts: book.facts, content: book.content, addedAt: record.addedAt,
      citationKey: record.citationKey, sameAs: book.sameAs, origins: try record.origins.value(),
      raw: try record.raw.map { try JSONParser.parse($0) },
      foreign: try record.foreign.map { try JSONParser.parse($0) }, revision: book.revision
    )
    return String(decoding: try JSONEncoding.bytes(of: line), as: UTF8.self) + "\n"
  }
}
