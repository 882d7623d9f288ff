import Contract
import Kit
import SearchEngine
import Store
import Wire

/// The suggestions below a search field, before a search. One table instead of branches:
///
/// | text  | scope    | history | state     | shows                               |
/// |-------|----------|---------|-----------|-------------------------------------|
/// | blank | any      | some    | `history` | past searches, the last first       |
/// | blank | any      | none    | `prompt`  | the sentence that says what to type |
/// | typed | `boards` | any     | `suggest` | the four targets, each with the word; titles |
/// | typed | others   | any     | `suggest` | past searches with this prefix; titles; tags; values of a field |
///
/// The states after that (`loading`, `results`, `noResults`, `error`) are those of the searching list. Whenever the
/// text changes, the client calls this again and shows the reply: it never contains results of another text.
enum SuggestSearches: ExternalReadMethod {
  static let name = "search/suggest"
  static let summary =
    "Suggestions for a search field: past searches, titles, tags, parts to search, values of `in:` and the like. "
    + "Korean also matches by initial consonants and by an incomplete last syllable."
  static let effects: Effects = .reads

  struct Params: Payload {
    var scope: SearchScope
    var text: String
    var limit: Int?
    static let example = Params(scope: .boards, text: "한강", limit: 10)
    static let fields = [
      "scope": "The scope of the search: `boards`, `books` or `library`.", "text": "The text in the field.",
      "limit": "Maximum number of past searches, titles and tags each. Default 10.",
    ]
    static let limits: [String: FieldLimits] = ["text": .length(0...1_000), "limit": .range(1...50)]
  }

  enum State: String, Choice {
    case prompt, history, suggest
  }

  /// A search for the text in one part.
  struct Target: Payload {
    var target: BoardTarget
    var text: String
    var display: Display

    struct Display: Payload {
      var label: String
      static let example = Display(label: "Title")
      static let terms = ["label": "name"]
      static let fields = ["label": "The label of the part searched."]
    }

    static let example = Target(target: .title, text: "한강", display: .example)
    static let fields = [
      "target": "The `target` of `boards/search`.", "text": "Its `query`.", "display": "Strings for people.",
    ]
  }

  struct Result: Payload {
    var state: State
    var scope: SearchScope
    var text: String
    var targets: [Target]
    var history: [PastSearch]
    var titles: [SuggestedTitle]
    var tags: [SuggestedTag]
    var conditions: [SuggestedCondition]
    var display: Display

    struct Display: Payload {
      var message: String?
      static let example = Display(message: nil)
      static let fields = ["message": "For `prompt`: what to type."]
    }

    static let example = Result(
      state: .suggest, scope: .boards, text: "한강", targets: [.example], history: [.example], titles: [.example],
      tags: [.example], conditions: [.example], display: .example)
    static let fields = [
      "state": "What to show: `prompt` the message, `history` past searches, `suggest` the suggestions.",
      "scope": "The `scope` of the request.",
      "text": "The text with white space normalised; it identifies the request.",
      "targets": "For boards, once there is text: the parts that can be searched for it.",
      "history": "Past searches, newest first, except those without results; empty if the history is off.",
      "titles":
        "Once there is text: items with matching titles. Titles that begin with it precede those with a word that "
        + "does; each group is ordered best first.",
      "tags":
        "Once there is text: tags that begin with it, or with the value of a final `tag:`, most used first; none for "
        + "boards.",
      "conditions":
        "For the library, if the text ends with `in:`, `is:`, `before:`, `after:` or `due:` and the beginning of a "
        + "value: possible values.",
      "display": "Strings for people.",
    ]
  }

  struct Plan: Sendable {
    var params: Params
    var caller: any Caller
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) -> Plan {
    Plan(params: params, caller: snapshot.caller)
  }

  /// The latest search is suggested, too. Runs on a reader's thread: titles are not found by key.
  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Result {
    if !services.searchNotes.isEmpty { await services.searchNotes.settle(with: services) }
    return try await services.library.read(as: plan.caller) { try offers(plan.params, in: $0) }
  }

  static func finish(_ offers: Result, of plan: Plan, in snapshot: Snapshot) -> Result { offers }

  private static func offers(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let text = params.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    var result = Result(
      state: .suggest, scope: params.scope, text: text, targets: [], history: [], titles: [], tags: [],
      conditions: [], display: .init(message: nil))
    let limit = params.limit ?? 10
    if !text.isEmpty {
      let offers = SearchOffers(params.text, in: params.scope, limit: limit, snapshot)
      (result.titles, result.tags, result.conditions) = (try offers.titles(), try offers.tags(), offers.conditions())
    }
    if !text.isEmpty, params.scope == .boards {
      result.targets = BoardTarget.allCases.map {
        Target(target: $0, text: text, display: .init(label: $0.label(in: snapshot)))
      }
      return result
    }
    result.history = try past(params.scope, beginning: foldedText(text), limit: limit, in: snapshot)
    guard text.isEmpty else { return result }
    result.state = result.history.isEmpty ? .prompt : .history
    if result.state == .prompt {
      result.display.message = snapshot.words(Text("search.prompt.\(params.scope.rawValue)"))
    }
    return result
  }

  private static func past(
    _ scope: SearchScope, beginning: String, limit: Int, in snapshot: Snapshot
  ) throws -> [PastSearch] {
    guard try SearchHistory.isOn(in: snapshot.db) else { return [] }
    return try SearchRecord.all(
      in: snapshot.db,
      "WHERE scope = ? AND substr(folded, 1, length(?)) = ? AND ifnull(count, 1) > 0 ORDER BY searchedAt DESC, id DESC LIMIT ?",
      [.text(scope.rawValue), .text(beginning), .text(beginning), .integer(limit)]
    ).map { try PastSearch($0, in: snapshot) }
  }
}
