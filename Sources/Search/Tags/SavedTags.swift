import Kit
import SearchEngine
import Store
import Wire

extension TagChange {
  /// The queries with the renamed tag: saved searches, and rules.
  struct Queries {
    var (searches, rules) = (0, 0)
    /// The ids of those whose query cannot contain the new name.
    var unchangedSearches: [String] = []
    var unchangedRules: [String] = []
    var isFound = false
  }

  /// The longest query of a saved search or a rule, in Unicode scalars.
  private static let longestQuery = SavedSearchRecord.longestText

  /// Renames the tag in the queries of all collections.
  ///
  /// - Throws: `DatabaseError`.
  func followInQueries(in transaction: Transaction) throws -> Queries {
    var queries = Queries()
    guard to != nil else { return queries }
    let library = transaction.services.library
    for name in library.collections {
      let isSearch = sameBytes(name, SavedSearchRecord.collectionName)
      for (id, text) in try library.collection(name)?.queries(in: transaction.db) ?? [] {
        guard let renamed = renamed(inQuery: text) else { continue }
        queries.isFound = true
        if let renamed {
          guard try transaction.changeQuery(of: ItemKey(collection: name, id: id), to: renamed) else { continue }
          if isSearch { queries.searches += 1 } else { queries.rules += 1 }
        } else if isSearch {
          queries.unchangedSearches.append(id)
        } else {
          queries.unchangedRules.append(id)
        }
      }
    }
    return queries
  }

  /// A query with the new name. Nil if it does not name the tag; a nil query if it cannot contain the new name.
  private func renamed(inQuery text: String) -> String?? {
    guard let to, let places = TaggedQuery(text)?.tags.filter({ from.contains(foldedText($0.tag)) }), !places.isEmpty
    else { return nil }
    var bytes = Array(text.utf8)
    for place in places.reversed() {
      guard let new = try? renamed(place.tag, to: to), let value = place.written(new) else { return .some(nil) }
      bytes.replaceSubrange(place.range, with: value.utf8)
    }
    let changed = String(decoding: bytes, as: UTF8.self)
    return .some(changed.unicodeScalars.count <= Self.longestQuery ? changed : nil)
  }
}

/// The tags that a query names, without prefixes such as `tag:kor*`.
struct TaggedQuery {
  struct Place {
    var tag: String
    /// In UTF-8 bytes, with its quotation marks.
    var range: Range<Int>
    /// Whether it is one of a group, `tag:(a OR b)`, where words may be operators or fields.
    var isInGroup = false

    /// Another tag as it is written here; nil if it cannot be.
    func written(_ tag: String) -> String? {
      guard let value = TypedQuestion.value(tag) else { return nil }
      return isInGroup && !value.hasPrefix("\"") ? "\"\(value)\"" : value
    }
  }

  private(set) var tags: [Place] = []

  /// Nil for a query that cannot be parsed.
  init?(_ text: String) {
    guard let tokens = try? TypedQuestion.tokens(of: text) else { return nil }
    let bytes = Array(text.utf8)
    // For each open parenthesis, whether it is a group of tags: `tag:(a OR b)`.
    var groups: [Bool] = []
    for token in tokens {
      switch token.kind {
      case .open: groups.append(groups.last ?? false)
      case .openField(let field): groups.append(field == .tag)
      case .close: _ = groups.popLast()
      case .field(.tag, let tag, _, isPrefix: false):
        guard let colon = bytes[token.place].firstIndex(of: UInt8(ascii: ":")) else { continue }
        tags.append(Place(tag: tag, range: (colon + 1)..<token.place.upperBound))
      case .word(let tag, isPrefix: false), .phrase(let tag, isPrefix: false):
        if groups.last == true { tags.append(Place(tag: tag, range: token.place, isInGroup: true)) }
      default: break
      }
    }
  }
}
