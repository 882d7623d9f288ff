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
    kind: "rateLimited", message: "groupware.example asks for fewer requests.", advice: "Try again in 30 seconds.",
    retryAfter: 30)
  package static let fields = [
    "kind": "The same as the `kind` of an error.", "message": "For people.", "advice": "What to do about it.",
    "retryAfter": "Seconds until the source accepts requests again, if it states them.",
  ]
  package static let limits: [String: FieldLimits] = ["message": .form(.namingFiles), "advice": .form(.namingFiles)]

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

  /// - Throws: the error of an item that cannot be encoded.
  package func write(to json: inout JSONWriter) throws {
    json.beginObject()
    try writeMembers(to: &json)
    json.endObject()
  }

  /// The members alone, for a reply that has others beside them.
  ///
  /// - Throws: the error of a value that cannot be encoded.
  package func writeMembers(to json: inout JSONWriter) throws {
    try json.member("items", items)
    json.pageMembers(
      offset: offset, limit: limit, total: total, totalIsEstimate: totalIsEstimate, hasMore: hasMore, next: next)
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
      "items": "The items, in the requested order.",
      "offset": "The number of items before the first one here.",
      "limit": "The requested number of items.",
      "total": "The number of items, as far as is known.",
      "totalIsEstimate": "Whether `total` is an estimate, as it may be for a remote source.",
      "hasMore": "Whether more items follow.",
      "next": "Cursor for the next page: pass it as `after`. Items inserted meanwhile do not disturb it.",
      "generation":
        "Increases when the client turns to another list. A reply with a lower value than the client has seen is "
        + "outdated.",
      "state":
        "What to show: `prompt` before any query, `loading`, `results`, `empty`, `noResults`, or `error` with the "
        + "cached items.",
      "hint": "A sentence to show without items, or beside them.",
      "freshness": "`live`: the source's current state; `cached`: its state at `fetchedAt`.",
      "fetchedAt": "When the source last answered.",
      "failure": "For `error`: why the source could not be fetched.",
    ]
  }
}
