import Contract
import Kit
import PDF
import Store
import Wire

enum ShowOutline: ContentsMethod {
  static let name = "documents/outline"
  static let summary = "The table of contents, in display order, with the page and position of each heading."
  static let part = WorkerContents.outline

  struct Heading: Payload {
    var title: String
    var depth: Int
    var open: Bool
    var target: LinkPlace
    static let example = Heading(title: "Expressions", depth: 1, open: false, target: .example)
    static let fields = [
      "title": "The title in the file.",
      "depth": "0 for the outermost; a heading's parent is the last one before it with a lower depth.",
      "open": "Whether its children are initially shown.", "target": "Its target.",
    ]
  }

  struct Result: Payload {
    var items: [Heading]
    var truncated: Bool?
    static let example = Result(items: [.example], truncated: nil)
    static let fields = [
      "items": "The headings; empty if the file has no table of contents.",
      "truncated": "True if there are more than 20,000 headings, or more than 64 levels.",
    ]
  }

  static func fetch(_ plan: ContentsPlan, with services: Services, progress: Progress) async throws -> Outline {
    try await plan.answer(
      with: services, read: HostileInput.outline, write: { $0.write($1) }, ask: { try await $0.outline($1) })
  }

  static func finish(_ outline: Outline, of plan: ContentsPlan, in snapshot: Snapshot) throws -> Result {
    var places = LinkPlaces(of: plan.document, in: snapshot)
    return Result(
      items: try outline.items.map { item in
        Heading(title: item.title, depth: item.depth, open: item.isOpen, target: try places.place(item.target))
      }, truncated: outline.isCut ? true : nil)
  }
}
