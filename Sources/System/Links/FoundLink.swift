import Contract
import Display
import SearchEngine
import Store
import Wire

/// An item that is the target of a link, or a candidate for it.
struct LinkEnd: Payload {
  var collection: String
  var id: ItemID
  var title: String
  var page: Int?
  var link: String
  var finished: Bool?
  static let example = LinkEnd(
    collection: "books", id: "0192", title: "Dune", page: nil, link: "commonplace:/books/0192")
  static let fields = [
    "collection": "Its collection.", "id": "The item.",
    "title": "Its title, or that of a mark's document; may be empty.",
    "page": "The page of a mark, from 0.", "link": "Its stable link.", "finished": "True for a finished card.",
  ]
}

/// Why a link has no target, or no certain one.
enum LinkTrouble: String, Choice {
  case ambiguous, gone, unknown

  fileprivate var sentence: Text {
    switch self {
    case .ambiguous: Text("links.ambiguous")
    case .gone: Text("links.gone")
    case .unknown: Text("links.unknown")
    }
  }
}

/// A link in a text of the library, for clients: the item that contains it, and the text around it.
struct FoundLink: Payload {
  struct Part: Payload {
    var offset: Int
    var length: Int
    static let example = Part(offset: 5, length: 8)
    static let fields = [
      "offset": "In the client's position encoding, from the start of `snippet`.", "length": "In the same units.",
    ]
  }

  struct Display: Payload {
    var title: String
    var label: String?
    var trouble: String?
    static let example = Display(title: "A walk", label: nil, trouble: nil)
    static let terms = ["label": "pageLabel"]
    static let fields = [
      "title": "The title, or its placeholder.", "label": "For a mark: its page from 1, and the number of pages.",
      "trouble": "What is wrong with the link.",
    ]
  }

  var collection: String
  var id: ItemID
  var title: String
  var field: String
  var page: Int?
  var snippet: String
  var ranges: [Part]
  var written: String
  var link: String
  var target: LinkEnd?
  var trouble: LinkTrouble?
  var candidates: [LinkEnd]?
  var display: Display

  static let example = FoundLink(
    collection: "diary", id: "0193", title: "A walk", field: "text", page: nil, snippet: "Read [[Dune]] again.",
    ranges: [.example], written: "[[Dune]]", link: "commonplace:/diary/0193", target: .example, trouble: nil,
    candidates: nil,
    display: .example)
  static let fields = [
    "collection": "The collection of the item whose text has the link.", "id": "The id of that item.",
    "title": "Its title, or that of a mark's document; may be empty.", "field": "The field with the text.",
    "page": "The page of a mark, from 0.",
    "snippet": "The text around the first occurrence of the link in the field.",
    "ranges": "The positions of the link in `snippet`.", "written": "The link as written there.",
    "link": "The stable link of that item.",
    "target": "The item to which the link leads; absent if there is none.",
    "trouble":
      "`gone`: no item has the id; `unknown`: none has the title; `ambiguous`: several have it, and the first of "
      + "`candidates` is used.",
    "candidates": "The possible targets of an ambiguous title; at most 10, earliest added first.",
    "display": "Strings for people.",
  ]
}

extension FoundLink {
  /// Nil if the item was removed, which the library's one state excludes.
  init?(_ held: StoredLink, _ sources: inout LinkSources, in snapshot: Snapshot) throws {
    guard let links = snapshot.services.library.links(of: held.source.collection),
      let source = try sources.shown(held.source, links, in: snapshot)
    else { return nil }
    collection = held.source.collection
    id = ItemID(unchecked: held.source.id)
    title = source.title
    field = held.field
    page = source.page
    link = source.link
    let place = try sources.occurrences.first(of: held, links, in: snapshot.db)
    let shown = place.map { Snippet(of: $0.text, ranges: [$0.range]) }
    snippet = shown?.text ?? ""
    ranges = (shown.map { snapshot.reader.positionEncoding.ranges($0.ranges, in: $0.text) } ?? []).map {
      Part(offset: $0.lowerBound, length: $0.count)
    }
    written =
      place.map {
        String(decoding: $0.text.utf8.dropFirst($0.range.lowerBound).prefix($0.range.count), as: UTF8.self)
      } ?? ""
    if let key = held.key {
      let meant = try LinkReads(snapshot).resolve(key: key, in: held.source)
      self.target = try meant.item.flatMap { try LinkEnd($0, in: snapshot) }
      trouble = meant.isAmbiguous ? .ambiguous : meant.item == nil ? .unknown : nil
      candidates = meant.isAmbiguous ? try meant.candidates.compactMap { try LinkEnd($0, in: snapshot) } : nil
    } else if let target = held.target {
      self.target = try LinkEnd(target, in: snapshot)
      trouble = self.target == nil ? .gone : nil
    }
    display = Display(
      title: source.title.isEmpty ? snapshot.words(Text("day.noTitle")) : source.title,
      label: source.page.flatMap { page in source.pageCount.map { pageLabel(page: page, of: $0) } },
      trouble: trouble.map { snapshot.words($0.sentence) })
  }
}

extension FoundLink {
  /// A mention of an item in a text without a link to it.
  init(
    _ source: ItemKey, _ shown: LinkedItem, field: String, snippet: Snippet, written: String, target: LinkEnd,
    in snapshot: Snapshot
  ) {
    self.init(
      collection: source.collection, id: ItemID(unchecked: source.id), title: shown.title, field: field,
      page: shown.page, snippet: snippet.text,
      ranges: snapshot.reader.positionEncoding.ranges(snippet.ranges, in: snippet.text).map {
        Part(offset: $0.lowerBound, length: $0.count)
      },
      written: written, link: shown.link, target: target, trouble: nil, candidates: nil,
      display: Display(
        title: shown.title.isEmpty ? snapshot.words(Text("day.noTitle")) : shown.title,
        label: shown.page.flatMap { page in shown.pageCount.map { pageLabel(page: page, of: $0) } }, trouble: nil))
  }
}

/// The sources of a list of links. The links of one source follow each other, so it is read once for all of them.
struct LinkSources {
  var occurrences = LinkOccurrences()
  private var last: (source: ItemKey, shown: LinkedItem?)?

  /// - Throws: `DatabaseError`.
  mutating func shown(_ source: ItemKey, _ links: CollectionLinks, in snapshot: Snapshot) throws -> LinkedItem? {
    if let last, last.source == source { return last.shown }
    let shown = try links.linking.shown(source.id, snapshot)
    last = (source, shown)
    return shown
  }
}

extension LinkEnd {
  /// Nil if there is no such item.
  init?(_ item: ItemKey, in snapshot: Snapshot) throws {
    guard try snapshot.holds(item) else { return nil }
    let shown = try snapshot.services.library.links(of: item.collection)?.linking.shown(item.id, snapshot)
    self.init(
      collection: item.collection, id: ItemID(unchecked: item.id), title: shown?.title ?? "", page: shown?.page,
      link: shown?.link ?? StableLink(collection: item.collection, item: item.id).text,
      finished: shown?.isFinished == true ? true : nil)
  }
}
