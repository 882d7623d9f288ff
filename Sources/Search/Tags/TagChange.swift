import Contract
import Kit
import SearchEngine
import Store
import Wire

/// The change of a tag, and of those below it, in the items of all collections.
struct TagChange: Sendable {
  let from: FoldedTag
  /// The tag that replaces it; nil if it is removed.
  let to: String?

  /// - Throws: `invalidParams` for a name that cannot be stored.
  init(from: String, to: String) throws(RPCError) {
    self.from = FoldedTag(foldedText(try TagList.normalized(tag: from, field: "from")))
    self.to = try TagList.normalized(tag: to, field: "to")
  }

  /// - Throws: `invalidParams` for a name that cannot be stored.
  init(removing tag: String) throws(RPCError) {
    from = FoldedTag(foldedText(try TagList.normalized(tag: tag, field: "tag")))
    to = nil
  }

  /// The new name of a tag that is this one or below it.
  ///
  /// - Throws: `invalidParams` of `to` if it would be too long.
  func renamed(_ tag: String, to new: String) throws(RPCError) -> String {
    let renamed = new + from.split(tag).rest
    guard renamed.unicodeScalars.count <= TagList.longest else {
      throw .invalidParams(
        field: "to", reason: Text("tags.tooLong", ["tag": renamed, "maximum": String(TagList.longest)]))
    }
    return renamed
  }

  /// The tags of an item after the change. A new name that the item has already is not repeated.
  ///
  /// - Throws: `invalidParams` of `to` for a nested tag that would be too long.
  func changed(_ tags: [String]) throws(RPCError) -> [String] {
    let tags = tags.map { (tag: $0, isChanged: from.contains(foldedText($0))) }
    var known = Set(tags.lazy.filter { !$0.isChanged }.map { foldedText($0.tag) })
    var changed: [String] = []
    for (tag, isChanged) in tags {
      if !isChanged {
        changed.append(tag)
      } else if let to {
        let new = try renamed(tag, to: to)
        if known.insert(foldedText(new)).inserted { changed.append(new) }
      }
    }
    return changed
  }

  /// The items to change, and what was done so far.
  struct Position: Sendable {
    /// Where the search for items with the tag continues; nil once all are found.
    private var search: (collection: Int, row: Int64?)? = (0, nil)
    fileprivate var items: ArraySlice<ItemKey> = []
    fileprivate var counts: [String: Int] = [:]
    /// Whether items outside of the change have the new name.
    fileprivate(set) var merges = false
    fileprivate(set) var isFound = false

    /// Inspects the next rows. Returns false once all were.
    ///
    /// - Throws: `invalidParams` if a new name is too long for a tag, before anything is written; `DatabaseError`.
    fileprivate mutating func findNext(of change: TagChange, in snapshot: Snapshot) throws -> Bool {
      guard let next = search else { return false }
      let library = snapshot.services.library
      guard next.collection < library.collections.count else {
        (search, isFound) = (nil, !items.isEmpty)
        return false
      }
      let (name, new) = (library.collections[next.collection], change.to.map(foldedText))
      let last = try library.collection(name)?.eachTag(
        after: next.row, limit: Self.rowsAtOnce, in: snapshot.db
      ) { id, tag, folded in
        if change.from.contains(folded) {
          if let to = change.to { _ = try change.renamed(tag, to: to) }
          if let last = items.last, sameBytes(last.id, id), sameBytes(last.collection, name) { return }
          items.append(ItemKey(collection: name, id: id))
        } else if let new, sameBytes(folded, new) {
          merges = true
        }
      }
      search = last.map { (next.collection, $0) } ?? (next.collection + 1, nil)
      return true
    }

    private static let rowsAtOnce = 1_000

    /// The number of changed items, in all.
    var count: Int { counts.values.reduce(0, +) }

    var collections: [ChangedTags] {
      counts.sorted { $0.key < $1.key }.map { ChangedTags(collection: $0.key, count: $0.value) }
    }
  }

  /// Finds the items that have the tag, then changes them, until the slice is full. An item whose tag would have become
  /// too long between two slices is skipped.
  ///
  /// - Returns: the position, and whether all items are changed.
  /// - Throws: `invalidParams` of `to`, `DatabaseError`.
  func slice(from position: Position?, in transaction: Transaction) throws -> (position: Position, isAll: Bool) {
    var position = position ?? Position()
    while try position.findNext(of: self, in: transaction.snapshot) {
      guard transaction.hasRoom else { return (position, false) }
    }
    while let item = position.items.first {
      guard transaction.hasRoom else { return (position, false) }
      // All were checked at first. Earlier slices are committed, so a tag that was lengthened since stays.
      let isChanged = try transaction.changeTags(of: item) { (try? changed($0)) ?? $0 }
      if isChanged { position.counts[item.collection, default: 0] += 1 }
      position.items.removeFirst()
    }
    return (position, true)
  }

  /// The error if neither an item nor a saved search has the tag.
  static func notFound(_ tag: String) -> RPCError {
    RPCError(.notFound, text: Text("tags.none", ["tag": tag]), data: ["tag": .string(tag)])
  }
}

/// How many items of a collection were changed.
struct ChangedTags: Payload {
  var collection: String
  var count: Int
  static let example = ChangedTags(collection: "books", count: 2)
  static let fields = ["collection": "The collection.", "count": "The number of its items that were changed."]
}
