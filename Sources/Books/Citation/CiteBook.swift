import Contract
import Exchange
import Kit
import Store
import Wire

enum CiteBook: ReadMethod {
  static let name = "books/cite"
  static let summary = "The citation of a book on the shelf. Its key does not change when the book is edited."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.notFound]
  static let isQuick = true

  struct Params: Payload {
    var id: BookID
    var format: CitationFormat
    static let example = Params(id: "0192", format: .bibtex)
    static let fields = [
      "id": "The book on the shelf, by its id or a catalogue's id.",
      "format": CitationFormat.note,
    ]
  }

  struct Result: Payload {
    var id: BookID
    var key: String
    var format: CitationFormat
    var text: String
    static let example = Result(
      id: "0192", key: "han2017", format: .bibtex,
      text: "@book{han2017,\n  author = {Han, Kang},\n  title = {{Human Acts}},\n  year = {2017}\n}\n")
    static let fields = [
      "id": "The book on the shelf.", "key": "The citation key.", "format": "The format of the text.",
      "text": "The entry; for `csl` a list with one item.",
    ]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let known = try BookView(in: snapshot).onShelf(ids: [params.id.text], isbns: [])
    guard let record = try snapshot.find(BookRecord.self, id: params.id.text) ?? known else {
      throw RPCError(
        .notFound, text: Text("books.notOnShelf", ["id": params.id.text]),
        data: ["collection": .string(BookRecord.collectionName), "id": .string(params.id.text)])
    }
    let facts = try record.facts.value()
    let text = Bibliography.text(
      of: [facts.item(key: record.citationKey, as: params.format)], as: params.format)
    return Result(id: BookID(unchecked: record.id), key: record.citationKey, format: params.format, text: text)
  }
}
