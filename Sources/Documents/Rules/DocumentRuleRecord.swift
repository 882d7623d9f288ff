import Contract
import Kit
import Store
import Wire

struct DocumentRuleID: Identifier {
  let text: String
  init(unchecked text: String) { self.text = text }
}

/// The actions of a rule on a document.
enum DocumentRuleAction: String, Choice {
  case tag, set, title
}

/// A row of a rule for documents.
struct DocumentRuleRecord: QueryRule {
  static let collectionName = "documentRules"
  static let tableName = "documentRule"
  static let ruled = DocumentRecord.collectionName
  static let most = 200
  /// Unicode scalars.
  static let longestText = 10_000

  var id = ""
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var title: String?
  var text = ""
  var tags: [String] = []
  /// The properties that it sets, as a JSON object of texts; nil for none.
  var properties: String?
  /// The title that it gives, with placeholders; see `TitlePattern`.
  var retitle: String?

  static let fields = Fields<Self> {
    Field("title", \.title, .text(1...200, notBlank: true), "The title that the user gave it.")
      .settable("Its title; null for the query itself.")
    Field(
      "text", \.text, .text(1...longestText, notBlank: true),
      "The query that its documents match, as in `search/query`."
    )
    .settable(
      as: String.self,
      "The query, as in `search/query`, with the filters that documents have: words, `title:`, `tag:`, `before:` and "
        + "`after:`. The words may be on different pages. A query that no document can match is refused, with its "
        + "position.",
      limits: .length(1...longestText, notBlank: true), clearable: false
    ) { text, rule, snapshot in
      _ = try query(text, in: snapshot)
      rule.text = text
    }.required.query
    Field.tags("tags", \.tags, "The tags that it adds to them.")
    Field(
      "properties", \.properties, .json(.dictionary(.string)),
      "The properties that it sets, by name; one that a document has stays."
    )
    .settable(as: JSONObject.self, "Properties, as in `documents/update`.") { given, rule, _ in
      rule.properties = try DocumentProperties.updated(rule.properties, with: given)
    }
    Field(
      "retitle", \.retitle, .text(1...500, notBlank: true),
      "The title that it gives to a document that arrives without a given one, such as `{author}, {title}`."
    )
    .settable(
      as: String.self,
      "The title for documents that arrive without a given one; null for none. `{title}` is the document's title, "
        + "`{author}` its author and `{day}` the day of its arrival. A document that lacks one of them keeps its title.",
      limits: .length(1...500, notBlank: true)
    ) { pattern, rule, _ in
      try TitlePattern(pattern).check(field: "retitle")
      rule.retitle = pattern
    }
  }

  func check() throws { try DocumentProperties.check(properties) }
}

extension DocumentRuleRecord {
  /// - Throws: `invalidParams` for a rule that does nothing.
  func requireAction() throws(RPCError) {
    guard tags.isEmpty, properties == nil, retitle == nil else { return }
    throw .invalidParams(field: "tags", reason: Text("documents.ruleWithoutAction"))
  }

  /// Its title for people.
  var shownTitle: String { title ?? text }
}

/// A title with placeholders: `{author}, {title}`.
struct TitlePattern {
  private let pattern: String

  init(_ pattern: String) { self.pattern = pattern }

  private static let names = ["title", "author", "day"]

  /// - Throws: `invalidParams` for an unknown placeholder.
  func check(field: String) throws(RPCError) {
    for placeholder in pattern.matches(of: /\{([^{}]*)\}/) where !Self.names.contains(String(placeholder.1)) {
      throw .invalidParams(
        field: field,
        reason: Text(
          "documents.badPlaceholder",
          ["name": String(placeholder.0), "names": Self.names.map { "{\($0)}" }.joined(separator: ", ")]))
    }
  }

  /// The title; nil if a value is missing, or the title would not fit on a line.
  func title(author: String?, title: String, day: CalendarDay) -> String? {
    let values = ["title": title, "author": author, "day": day.description]
    var isWhole = true
    let text = pattern.replacing(/\{([^{}]*)\}/) { placeholder -> String in
      guard let value = values[String(placeholder.1)] ?? nil else {
        isWhole = false
        return ""
      }
      return value
    }
    return isWhole ? DocumentRecord.line(text) : nil
  }
}
