import Contract
import Wire

/// An item as a call names it: by collection and id, by its link, or by its title.
struct ItemReference {
  struct End {
    var collection: String
    var id: String
    /// The page to which the link leads, from 0.
    var page: Int?

    var link: String { "commonplace:/\(collection)/\(id)" }
  }

  private enum Form {
    case item(collection: String, id: String)
    case written(String)
  }

  private let form: Form
  private let page: Int?

  /// - Parameters:
  ///   - collection: the collection of an id without one.
  ///   - readsMarks: whether the link of a highlight is the highlight, not its document.
  init(_ arguments: ToolArguments, collection: String? = nil, readsMarks: Bool = false) throws(ToolFailure) {
    let given = ["id", "link", "title"].filter { arguments.members[$0] != nil }
    guard given.count == 1 else {
      throw ToolArguments.failure(
        given.last ?? "id",
        "Name the item by exactly one of id\(collection == nil ? " with collection" : ""), link, title.")
    }
    if let id = try arguments.text("id") {
      let name = collection == nil ? try arguments.requiredText("collection") : collection ?? ""
      (form, page) = (.item(collection: name, id: id), nil)
    } else if let link = try arguments.text("link") {
      let place = ResourceLink(link)
      page = place?.page
      // The daemon resolves it to the document.
      if readsMarks, let place, place.collection == "highlights" {
        form = .item(collection: place.collection, id: place.id)
      } else {
        form = .written(link)
      }
    } else {
      (form, page) = (.written(WrittenTitle.link(to: try arguments.requiredText("title"))), nil)
    }
  }

  /// - Throws: `ToolFailure` if there is no such item, or it is out of reach.
  func resolve(_ call: ToolCall) async throws -> End {
    switch form {
    case .item(let collection, let id):
      return End(collection: try call.collection(collection).name, id: id, page: nil)
    case .written(let link):
      let reply: JSONValue
      do {
        reply = try await call.read("links/resolve", ["link": .string(link)])
      } catch {
        let failure = ToolFailure(error)
        guard failure.data["kind"] == "notFound" else { throw failure }
        throw ToolFailure(failure.text + " Use search to find the item.", data: failure.data, quoted: failure.quoted)
      }
      // The title of a recurring card means the open one.
      let open = (reply["candidates"]?.arrayValue ?? []).filter { $0["finished"] != true }
      let item = open.count == 1 ? open[0] : reply["item"]
      guard let collection = item?["collection"]?.stringValue, let id = item?["id"]?.stringValue
      else {
        throw ToolFailure("There is no such item. Use search to find it.", data: ["kind": "notFound"])
      }
      return End(collection: collection, id: id, page: page)
    }
  }
}

/// Where `read` goes on: a page, from 0, and an offset in its text.
struct PagePosition {
  var page: Int
  var offset: Int

  var text: String { "\(page).\(offset)" }

  init(page: Int, offset: Int) {
    (self.page, self.offset) = (page, offset)
  }

  /// From the arguments `next` or `from`, else the first page.
  init(_ arguments: ToolArguments, first: Int, count: Int) throws(ToolFailure) {
    if let next = try arguments.text("next") {
      let numbers = next.split(separator: ".").compactMap { Int($0) }
      guard numbers.count == 2, (0..<max(1, count)).contains(numbers[0]), (0...100_000_000).contains(numbers[1]) else {
        throw ToolArguments.failure("next", "next is not that of an answer of read.")
      }
      self.init(page: numbers[0], offset: numbers[1])
      return
    }
    let page = try arguments.integer("from", in: 1...1_000_000).map { Int($0) - 1 } ?? first
    guard page < max(1, count) else {
      throw ToolArguments.failure("from", "from is at most \(count): the document has \(count) pages.")
    }
    self.init(page: page, offset: 0)
  }
}
