import Contract
import Wire

extension ReadingTools {
  static let day = Tool(
    name: "day",
    description:
      "What a day holds: diary entries, and what was added, marked, read, moved, finished or due in every collection.",
    input: [
      "day": ["type": "string", "description": "2026-11-21, or words such as yesterday. Default: today"], "next": next,
    ],
    output: [
      "day": ["type": "string"],
      "entries": ["type": "array", "description": "Of the diary; only in the first part"], "items": ["type": "array"],
      "next": next, "untrusted": untrusted, "cut": ["type": "array"],
    ], effects: .reads
  ) { call in
    var params: JSONObject = [:]
    params["day"] = try call.arguments.text("day").map { .string($0) }
    let offset = try call.arguments.text("next").map { text in
      guard let offset = Int(text), (1...1_000_000).contains(offset) else {
        throw ToolArguments.failure("next", "next is not that of an answer of day.")
      }
      return offset
    }
    params["offset"] = offset.map { .integer(Int64($0)) }
    var (limit, entries) = (mostOfDay, [JSONValue]?.none)
    while true {
      params["limit"] = .integer(Int64(limit))
      let reply = try await call.read("diary/day", params)
      let items = (reply["items"]?.arrayValue ?? []).map(pagesFromOne)
      // The entries of the largest part; they are not continued.
      let all = entries ?? (offset == nil ? reply["entries"]?.arrayValue ?? [] : [])
      entries = all
      let size = TextBudget.tokens(of: .array(items))
      let left = max(call.budget / 2, call.budget - TextBudget.tokens(of: .array(all)))
      var structured: JSONObject = ["entries": .array(all), "items": .array(items), "untrusted": true]
      for name in ["day", "display"] { structured[name] = reply[name] }
      // A part of fewer items is fetched again, so that its `next` is right.
      if size > left, limit > 1 {
        limit = max(1, min(limit * 3 / 4, limit * left / size))
        continue
      }
      let (fitted, cut) = try whole(.object(structured), call)
      if fitted["items"]?.arrayValue?.count != items.count, limit > 1 {
        limit = max(1, limit * 3 / 4)
        continue
      }
      structured = fitted.objectValue ?? [:]
      if !cut.isEmpty { structured["cut"] = .array(cut) }
      // `hasMore` also says that there are more entries than that.
      let raw = reply["hasMore"] == true && (items.count == limit || isRedacted(call))
      if raw { structured["next"] = .string(String((offset ?? 0) + limit)) }
      let shown = structured["entries"]?.arrayValue ?? []
      let isWhole = cut.isEmpty && (all.count < mostOfDay || reply["hasMore"] != true)
      let rest =
        (isWhole ? "" : " Not every entry is whole or here; list diary, with from and to this day, and get have all.")
        + (raw ? " Pass `next` for the rest of the items." : "")
      return ToolAnswer(
        structured: structured, summary: "\(shown.count) entries and \(items.count) other items.\(rest)",
        data: (shown + items).map { ItemText.line($0) }.joined(separator: "\n"))
    }
  }

  /// The entries, and the items, of a day that are fetched at once.
  private static let mostOfDay = 200

  /// Whether a reply may lack items that the daemon counted.
  private static func isRedacted(_ call: ToolCall) -> Bool { call.gate.permissions.collections != nil }
}
