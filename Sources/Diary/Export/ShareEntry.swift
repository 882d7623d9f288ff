import Contract
import Kit
import Store
import Wire

enum ShareEntry: ReadMethod {
  static let name = "diary/share"
  static let summary = "An entry for sharing. As text it is exactly its title, a line end and its body."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.notFound]
  static let isQuick = true

  struct Params: Payload {
    var id: EntryID
    var format: ShareFormat?
    static let example = Params(id: "0192", format: .markdown)
    static let fields = ["id": "The entry.", "format": "Default `text`."]
  }
  typealias Result = SharedText

  static func run(_ params: Params, in snapshot: Snapshot) throws -> SharedText {
    let text = TitledText(try snapshot.get(EntryRecord.self, id: params.id.text).text)
    let format = params.format ?? .text
    // The other formats have their own syntax for headings.
    return SharedText(title: format == .text ? text.title : text.name, body: text.body, as: format)
  }
}
