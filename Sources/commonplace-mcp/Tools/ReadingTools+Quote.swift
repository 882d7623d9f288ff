import Contract
import Wire

extension ReadingTools {
  static let quote = Tool(
    name: "quote",
    description:
      "Finds which document and page a passage is from, exactly or with small differences, and answers the link to it.",
    input: [
      "text": ["type": "string", "description": "The passage, as it was copied"],
      "limit": ["type": "integer", "minimum": 1, "maximum": 24, "description": "Default 5"],
    ], required: ["text"],
    output: [
      "items": [
        "type": "array",
        "items": [
          "type": "object",
          "properties": [
            "document": ["type": "string"], "title": ["type": "string"],
            "page": ["type": "integer", "description": "Counted from 1; in links from 0"],
            "link": ["type": "string"], "exact": ["type": "boolean"], "text": ["type": "string"],
          ],
        ],
      ],
      "untrusted": untrusted,
    ], effects: .reads
  ) { call in
    let limit = try call.arguments.integer("limit", in: 1...24) ?? 5
    let quote = try call.arguments.requiredText("text")
    let reply = try await call.read("documents/locate", ["quote": .string(quote), "limit": .integer(limit)])
    let items = (reply["items"]?.arrayValue ?? []).map(compact)
    let (fitted, cut) = try whole(["items": .array(items), "untrusted": true], call)
    var structured = fitted.objectValue ?? [:]
    if !cut.isEmpty { structured["cut"] = .array(cut) }
    return ToolAnswer(
      structured: structured,
      summary: items.isEmpty ? "The passage was not found; try fewer words, or search." : "\(items.count) found.",
      data: items.map { item in
        "- \(item["title"]?.stringValue ?? "") p. \(item["page"]?.integerValue ?? 0) <\(item["link"]?.stringValue ?? "")>"
      }.joined(separator: "\n"))
  }
}
