import Kit
import SearchEngine
import Store
import Wire

extension TagChange {
  /// The saved searches with the renamed tag.
  struct Searches {
    var changed = 0
    /// Those whose query cannot contain the new name.
    var unchanged: [SearchID] = []
    var isFound = false
  }

  /// Renames the tag in the queries of saved searches.
  ///
  /// - Throws: `DatabaseError`.
  func followInSavedSearches(in transaction: Transaction) throws -> Searches {
    var searches = Searches()
    guard let to else { return searches }
    for record in try SavedSearchRecord.all(in: transaction.snapshot) {
      guard let places = TaggedQuery(record.text)?.tags.filter({ from.contains(foldedText($0.tag)) }), !places.isEmpty
      else { continue }
      searches.isFound = true
      var bytes = Array(record.text.utf8)
      var isWritable = true
      for place in places.reversed() {
        guard let new = try? renamed(place.tag, to: to), let value = place.written(new) else {
          isWritable = false
          break
        }
        bytes.replaceSubrange(place.range, with: value.utf8)
      }
      let text = String(decoding: bytes, as: UTF8.self)
      guard isWritable, text.unicodeScalars.count <= SavedSearchRecord.longestText else {
        searches.unchanged.append(SearchID(unchecked: record.id))
        continue
      }
      let renamed = try transaction.change(record) { $0.text = text }
      if renamed.revision != record.revision { searches.changed += 1 }
    }
    return searches
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
