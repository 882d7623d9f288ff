import Contract
import Kit
import Store
import Wire

enum RenameTag: LongWriteMethod {
  static let name = "tags/rename"
  static let summary =
    "Renames a tag in all collections, and the tags below it: `a/b` follows `a`. If items already have the new name, "
    + "the two tags become one. Saved searches and rules with `tag:` follow. One `changes/undo` restores all of it."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var from: String
    var to: String
    static let example = Params(from: "korean", to: "languages/korean")
    static let fields = [
      "from": "The tag, in any case, width and composition.",
      "to": "Its new name, which may be the same tag in another spelling.",
    ]
    static let limits: [String: FieldLimits] = [
      "from": .length(1...TagList.longest, notBlank: true), "to": .length(1...TagList.longest, notBlank: true),
    ]
  }

  struct Result: Payload {
    var count: Int
    var collections: [ChangedTags]
    var merged: Bool
    var searches: Int
    var unchangedSearches: [SearchID]?
    var rules: Int?
    var unchangedRules: [ItemID]?
    static let example = Result(
      count: 2, collections: [.example], merged: false, searches: 1, unchangedSearches: nil, rules: 1)
    static let fields = [
      "count": "The number of items that were changed.", "collections": "The same for each collection with such items.",
      "merged": "Whether other items had the new name already.",
      "searches": "The number of saved searches that were changed.",
      "unchangedSearches":
        "Saved searches that keep the old name, since a query with the new one would be too long or cannot be written; "
        + "absent if none.",
      "rules": "The number of rules for posts and documents whose query was changed; absent if none.",
      "unchangedRules": "Rules that keep the old name for the same reasons; absent if none.",
    ]
  }

  static func run(
    _ params: Params, from position: TagChange.Position?, in transaction: Transaction
  ) throws -> Sliced<TagChange.Position, Result> {
    let change = try TagChange(from: params.from, to: params.to)
    let (position, isAll) = try change.slice(from: position, in: transaction)
    guard isAll else { return .more(position) }
    let queries = try change.followInQueries(in: transaction)
    guard position.isFound || queries.isFound else { throw TagChange.notFound(params.from) }
    let (searches, rules) = (
      queries.unchangedSearches.map(SearchID.init(unchecked:)), queries.unchangedRules.map(ItemID.init(unchecked:))
    )
    return .done(
      Result(
        count: position.count, collections: position.collections, merged: position.merges, searches: queries.searches,
        unchangedSearches: searches.isEmpty ? nil : searches, rules: queries.rules > 0 ? queries.rules : nil,
        unchangedRules: rules.isEmpty ? nil : rules))
  }
}

enum RemoveTag: LongWriteMethod {
  static let name = "tags/remove"
  static let summary =
    "Removes a tag, and the tags below it, from the items of all collections. The items stay. One `changes/undo` "
    + "restores all of it."
  static let effects: Effects = [.writes, .destroys]
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var tag: String
    static let example = Params(tag: "korean")
    static let fields = ["tag": "The tag, in any case, width and composition."]
    static let limits: [String: FieldLimits] = ["tag": .length(1...TagList.longest, notBlank: true)]
  }

  struct Result: Payload {
    var count: Int
    var collections: [ChangedTags]
    static let example = Result(count: 2, collections: [.example])
    static let fields = [
      "count": "The number of items that were changed.", "collections": "The same for each collection with such items.",
    ]
  }

  static func run(
    _ params: Params, from position: TagChange.Position?, in transaction: Transaction
  ) throws -> Sliced<TagChange.Position, Result> {
    let (position, isAll) = try TagChange(removing: params.tag).slice(from: position, in: transaction)
    guard isAll else { return .more(position) }
    guard position.isFound else { throw TagChange.notFound(params.tag) }
    return .done(Result(count: position.count, collections: position.collections))
  }
}
