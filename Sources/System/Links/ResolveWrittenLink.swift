import Contract
import Kit
import Store
import Wire

enum ResolveWrittenLink: ReadMethod {
  static let name = "links/resolve"
  static let summary = "The target of a link in a text: `[[a title]]` or a stable link of any collection."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.notFound]
  static let isQuick = true

  struct Params: Payload {
    var link: String
    var from: String?
    static let example = Params(link: "[[Dune]]", from: "commonplace:/diary/0193")
    static let fields = [
      "link": "The link, as written.",
      "from":
        "The stable link of the item whose text has it. A title that the text has linked before still leads to the "
        + "same item.",
    ]
    static let limits: [String: FieldLimits] = [
      "link": .length(1...8_192, notBlank: true), "from": .length(1...1_024, notBlank: true),
    ]
  }

  struct Result: Payload {
    var item: LinkEnd
    var candidates: [LinkEnd]
    static let example = Result(item: .example, candidates: [.example])
    static let fields = [
      "item": "The target. `documents/resolve` returns the page and position of a link into a document.",
      "candidates":
        "If several items have the title: the possible targets, at most 10, the earliest added first; `item` is the "
        + "first. If these are all finished cards, the last is the newest item that is not.",
    ]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let source = try params.from.map { text in
      guard let link = StableLink(text) else { throw noLink("from", text) }
      return ItemKey(collection: link.collection, id: link.item)
    }
    let links = LinkScan.links(in: params.link, atMost: 2)
    guard links.count == 1, isAlone(links[0], in: params.link) else { throw noLink("link", params.link) }
    var meant: [ItemKey] = []
    switch links[0].target {
    case .title(let title): meant = try LinkReads(snapshot).resolve(title: title, in: source).candidates
    case .stable(let link): meant = [ItemKey(collection: link.collection, id: link.item)]
    }
    var ends = try meant.compactMap { try LinkEnd($0, in: snapshot) }
    // A recurring card has many finished ones before it.
    if ends.count == LinkReads.mostCandidates, ends.allSatisfy({ $0.finished == true }),
      case .title(let title) = links[0].target,
      let open = try LinkReads(snapshot).newest(called: title).compactMap({ try LinkEnd($0, in: snapshot) })
        .first(where: { $0.finished != true })
    {
      ends[ends.count - 1] = open
    }
    guard let first = ends.first else {
      throw RPCError(
        .notFound, text: Text("links.leadsNowhere", ["link": params.link]), data: ["link": .string(params.link)])
    }
    return Result(item: first, candidates: ends.count > 1 ? ends : [])
  }

  /// Whether a text is the link and nothing else: `See [[Dune]]`, which may be the title of another item, is none. A
  /// stable link may also be that of Markdown.
  private static func isAlone(_ link: WrittenLink, in text: String) -> Bool {
    let bytes = Array(text.utf8)
    let before = String(decoding: bytes[..<link.range.lowerBound], as: UTF8.self)
    let after = String(decoding: bytes[link.range.upperBound...], as: UTF8.self)
    if before.isBlank, after.isBlank { return true }
    guard case .stable = link.target else { return false }
    return before.contains(/^\s*(?:<|\[[^\]\n]*\]\()$/) && after.contains(/^[>)]\s*$/)
  }

  private static func noLink(_ field: String, _ link: String) -> RPCError {
    .invalidParams(field: field, reason: Text("links.noLink", ["link": link]))
  }
}
