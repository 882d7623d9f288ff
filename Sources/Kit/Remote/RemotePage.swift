import Contract
import Display
import Wire

/// The state of a list from a remote source, as clients show it.
package enum RemoteState: String, Choice {
  case prompt, history, suggest, loading, results, empty, noResults, error
}

/// Whether a list is the source's current result or a cached one.
package enum Freshness: String, Choice {
  case live, cached
}

/// Why a remote source could not be queried, shown beside the cached data.
package struct RemoteProblem: Payload {
  package var kind: String
  package var message: String
  package var advice: String?
  package var retryAfter: Int64?
  package static let example = RemoteProblem(
    kind: "rateLimited", message: "groupware.example wants fewer requests.", advice: "Ask again in 30 seconds.",
    retryAfter: 30)
  package static let fields = [
    "kind": "As the `kind` of an error.", "message": "For people.", "advice": "What to do about it.",
    "retryAfter": "In so many seconds from now the source may be asked again, where it says so.",
  ]

  package init(kind: String, message: String, advice: String?, retryAfter: Int64? = nil) {
    self.kind = kind
    self.message = message
    self.advice = advice
    self.retryAfter = retryAfter
  }

  /// An error in the language of an audience.
  package init(_ error: RPCError, for reader: Reader, services: Services) {
    kind = error.kind?.rawValue ?? ErrorKind.badResponse.rawValue
    message = services.catalogue.string(for: error.text, language: reader.language)
    advice = services.catalogue.advice(on: error.text, language: reader.language)
    retryAfter = error.data["retryAfter"]?.integerValue
  }
}

extension RemotePage: NamedType {
  package static var typeName: String { Contract.typeName(Item.self) + "RemotePage" }
}

/// A page of a list from a remote source, and how to continue. The daemon adds `clock`, as to every reply.
package struct RemotePage<Item: Payload>: Payload {
  package var items: [Item]
  package var offset: Int
  package var limit: Int
  package var total: Int
  package var totalIsEstimate: Bool
  package var hasMore: Bool
  package var next: String?
  package var generation: Int
  package var state: RemoteState
  package var hint: String?
  package var freshness: Freshness
  package var fetchedAt: Instant?
  package var failure: RemoteProblem?

  /// - Parameter next: given exactly if there is more.
  package init(
    items: [Item], offset: Int, limit: Int, total: Int, totalIsEstimate: Bool, next: String?, generation: Int,
    state: RemoteState, hint: String?, freshness: Freshness, fetchedAt: Instant?, failure: RemoteProblem?
  ) {
    self.items = items
    self.offset = offset
    self.limit = limit
    self.total = total
    self.totalIsEstimate = totalIsEstimate
    self.hasMore = next != nil
    self.next = next
    self.generation = generation
    self.state = state
    self.hint = hint
    self.freshness = freshness
    self.fetchedAt = fetchedAt
    self.failure = failure
  }

  package func write(to json: inout JSONWriter) throws {
    json.beginObject()
    try writeMembers(to: &json)
    json.endObject()
  }

  /// The members alone, for a reply that has others beside them.
  package func writeMembers(to json: inout JSONWriter) throws {
    try json.member("items", items)
    json.member("offset", offset)
    json.member("limit", limit)
    json.member("total", total)
    json.member("totalIsEstimate", totalIsEstimate)
    json.member("hasMore", hasMore)
    json.member("next", next)
    json.member("generation", generation)
    json.member("state", state.rawValue)
    json.member("hint", hint)
    json.member("freshness", freshness.rawValue)
    json.member("fetchedAt", fetchedAt)
    if let failure { try json.member("failure", failure) }
  }

  package static var example: RemotePage {
    RemotePage(
      items: [Item.example], offset: 0, limit: 30, total: 1, totalIsEstimate: false, next: nil, generation: 1,
      state: .results, hint: nil, freshness: .live, fetchedAt: Instant(milliseconds: 1_795_225_445_678), failure: nil)
  }

  package static var fields: [String: String] {
    [
      "items": "The items, in the order asked for.",
      "offset": "How many items come before the first one here.",
      "limit": "How many items were asked for.",
      "total": "How many items there are, as far as is known.",
      "totalIsEstimate": "Whether `total` is a guess, as a remote source may only guess.",
      "hasMore": "Whether items follow the last one here.",
      "next": "Given as `after`, continues behind the last item here, whatever was inserted meanwhile.",
      "generation":
        "Grows when the client turns to another list. What comes with a lesser one than the client has seen is out of date.",
      "state":
        "What to show: `prompt` before anything was asked, `loading`, `results`, `empty`, `noResults`, or `error` with what "
        + "was kept.",
      "hint": "What to say to the reader where there are no items, or beside them.",
      "freshness": "`live`: as the source says now; `cached`: as it was at `fetchedAt`.",
      "fetchedAt": "When the source was last heard.",
      "failure": "Of `error`: why the source could not be asked.",
    ]
  }
}
