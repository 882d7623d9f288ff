import Contract
import Wire

extension ReadingTools {
  static let read = Tool(
    name: "read",
    description:
      "Reads the text of a document page by page, from a page on, within the token budget. Each page has its number, "
      + "counted from 1, and its link, so that you can cite it. The text ends at a sentence; `next` continues.",
    input: [
      "id": ["type": "string", "description": "The id of the document"],
      "link": ["type": "string", "description": "Its link; one to a page begins there"],
      "title": ["type": "string", "description": "Its exact title"],
      "from": ["type": "integer", "minimum": 1, "description": "The first page, from 1"],
      "to": ["type": "integer", "minimum": 1, "description": "The last page"], "next": next,
    ],
    output: [
      "document": [
        "type": "object",
        "properties": ["id": ["type": "string"], "title": ["type": "string"], "pageCount": ["type": "integer"]],
      ],
      "pages": [
        "type": "array",
        "items": [
          "type": "object",
          "properties": [
            "page": ["type": "integer", "description": "Counted from 1; in links from 0"],
            "text": ["type": "string"], "link": ["type": "string"],
            "cut": ["type": "boolean", "description": "True: the page goes on in the next part"],
          ],
        ],
      ],
      "next": next, "untrusted": untrusted,
    ], effects: .reads
  ) { call in
    let reference = try ItemReference(call.arguments, collection: "documents")
    let end = try await reference.resolve(call)
    guard end.collection == "documents" else {
      throw ToolArguments.failure("link", "read reads documents; use get for \(end.link).")
    }
    let document = try await call.read("documents/get", ["id": .string(end.id)])
    // No pages would look like an empty document: this fails, and says what to do.
    if document["state"] == "noFile" { _ = try await call.read("documents/page", ["id": .string(end.id), "page": 0]) }
    let count = Int(document["pageCount"]?.integerValue ?? 0)
    let start = try PagePosition(call.arguments, first: end.page ?? 0, count: count)
    let to = try call.arguments.integer("to", in: 1...1_000_000)
    if let to, to <= start.page {
      throw ToolArguments.failure("to", "to is the last page; it is at least the first, \(start.page + 1).")
    }
    let last = min(count, Int(to ?? Int64(count)))
    var pages: [JSONValue] = []
    var budget = TextBudget(tokens: call.budget)
    var position: PagePosition? = start
    while let place = position, place.page < last {
      let reply = try await call.read(
        "documents/text", ["id": .string(end.id), "page": .integer(Int64(place.page)), "detail": "plain"])
      let whole = reply["text"]?.stringValue ?? ""
      let scalars = whole.unicodeScalars
      let begin = scalars.index(scalars.startIndex, offsetBy: place.offset, limitedBy: scalars.endIndex)
      let text = whole[(begin ?? scalars.endIndex)...]
      // Pages cost a few tokens beside their text.
      guard budget.left > 60 || pages.isEmpty else { break }
      let piece = TextBudget.cut(text, tokens: max(20, budget.left - 40))
      _ = budget.take(TextBudget.tokens(of: String(piece.text)) + 40)
      var page: JSONObject = [
        "page": .integer(Int64(place.page + 1)), "text": .string(String(piece.text)),
        "link": .string("commonplace:/documents/\(end.id)#page=\(place.page)"),
      ]
      if piece.rest != nil { page["cut"] = true }
      pages.append(.object(page))
      position =
        piece.rest.map { PagePosition(page: place.page, offset: place.offset + $0) }
        ?? PagePosition(page: place.page + 1, offset: 0)
      if piece.rest != nil { break }
    }
    var structured: JSONObject = [
      "document": .object(
        JSONObject(
          ["id", "title", "pageCount", "link"].compactMap { name in
            document[name].map { JSONObject.Member(key: name, value: $0) }
          })),
      "pages": .array(pages), "untrusted": true,
    ]
    if let position, position.page < last { structured["next"] = .string(position.text) }
    let rest = structured["next"] == nil ? "" : " Pass `next` for the rest."
    let text = pages.map { page in
      "[p. \(page["page"]?.integerValue ?? 0) <\(page["link"]?.stringValue ?? "")>]\n\(page["text"]?.stringValue ?? "")"
    }
    return ToolAnswer(
      structured: structured, summary: "\(pages.count) of \(count) pages.\(rest)",
      data: text.joined(separator: "\n\n"))
  }
}
