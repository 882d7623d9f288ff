import Contract
import Exchange
import Kit
import Store
import Wire

enum CiteDocument: ReadMethod {
  static let name = "documents/cite"
  static let summary =
    "The citation of a document by its bibliography. Its key is unique among documents and books, and later changes "
    + "of the bibliography do not change it."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.notFound]
  static let isQuick = true

  struct Params: Payload {
    var id: DocumentID
    var format: CitationFormat
    static let example = Params(id: "0192", format: .bibtex)
    static let fields = ["id": "The document.", "format": CitationFormat.note]
  }

  struct Result: Payload {
    var id: DocumentID
    var key: String
    var format: CitationFormat
    var text: String
    static let example = Result(
      id: "0192", key: "knuth1974", format: .bibtex,
      text: "@article{knuth1974,\n  author = {Knuth, Donald},\n  title = {{On Types}},\n  year = {1974}\n}\n")
    static let fields = [
      "id": "The document.", "key": "The citation key.", "format": "The format of the text.",
      "text": "The entry; for `csl` a list with one item.",
    ]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let document = try snapshot.get(DocumentRecord.self, id: params.id.text)
    guard let item = try document.item() else {
      throw RPCError(
        .notFound, text: Text("documents.noBibliography", ["title": document.title]),
        data: ["collection": .string(DocumentRecord.collectionName), "id": .string(document.id)])
    }
    return Result(
      id: params.id, key: item["id"] ?? document.id, format: params.format,
      text: Bibliography.text(of: [item], as: params.format))
  }
}
