import Contract
import Display
import SQLite
import SearchEngine
import Store
import Wire

/// How a collection takes part in the search over the whole library. The index has its texts from
/// `ItemCollection.searchEntries`; this defines the filters that it supports in addition to words, and the targets of
/// its hits.
package struct SearchSource: Sendable {
  /// The collection's name in `in:` and in hits.
  package var collection: String
  /// Its name for users.
  package var label: Text
  /// The scope in which it can also be searched alone.
  package var scope: SearchScope
  /// Other collections whose texts belong to its items, such as the texts of further sources of a post. The function
  /// returns the item of a text, nil if that item was deleted.
  package var aliases: [String: Alias]
  /// The values for `is:`.
  package var states: [SearchState]
  /// The condition for items with a (folded) tag, or with one below it; nil if items have no tags.
  package var tagged: (@Sendable (_ tag: String) -> SearchCondition)?
  /// Tags with a folded prefix, up to `limit`.
  package var tags: (@Sendable (_ beginning: String, _ limit: Int, _ snapshot: Snapshot) throws -> [ExistingTag])?
  /// The condition for items in a (folded) journal, or in one with this prefix; nil if items are in none.
  package var inJournal: (@Sendable (_ journal: String, _ isPrefix: Bool) -> SearchCondition)?
  /// The condition for items by a person, or from a place, with a (folded) text in the name; nil if items have neither.
  package var from: (@Sendable (_ name: String, _ snapshot: Snapshot) throws -> SearchCondition)?
  /// The condition for items of a day or a later one, if they have days of their own; otherwise the indexed time is
  /// used.
  package var since: (@Sendable (_ day: CalendarDay) -> SearchCondition)?
  /// Statements for the items of a time range, if there may be very many and the indexed time is used.
  package var moments: ItemMoments?
  /// The deadlines of the items; nil if they have none.
  package var due: ItemDates?
  /// The days from which work on the items can begin; nil if they have none.
  package var start: ItemDates?
  /// Returns the target of a hit; nil if the item must not be shown.
  package var lead: Lead
  /// The same for a page, with its text, if items store the texts of their pages themselves: then the indexed text is
  /// not read. Otherwise nil.
  package var page: Page?
  /// The passages that `search/random` chooses from; nil if items have none.
  package var passages: PassageSource?

  package typealias Alias = @Sendable (_ item: String, _ snapshot: Snapshot) throws -> String?
  package typealias Lead =
    @Sendable (_ found: FoundEntry, _ snapshot: Snapshot) throws -> SearchLead?
  package typealias Page =
    @Sendable (_ hit: SearchHit, _ words: QueryWords, _ snapshot: Snapshot) throws -> SearchedPage?

  package init(
    collection: String, label: Text, scope: SearchScope = .library, aliases: [String: Alias] = [:],
    states: [SearchState] = [],
    tagged: (@Sendable (_ tag: String) -> SearchCondition)? = nil,
    tags: (@Sendable (_ beginning: String, _ limit: Int, _ snapshot: Snapshot) throws -> [ExistingTag])? = nil,
    from: (@Sendable (_ name: String, _ snapshot: Snapshot) throws -> SearchCondition)? = nil,
    since: (@Sendable (_ day: CalendarDay) -> SearchCondition)? = nil, moments: ItemMoments? = nil,
    due: ItemDates? = nil, start: ItemDates? = nil, lead: @escaping Lead, page: Page? = nil,
    passages: PassageSource? = nil
  ) {
    self.collection = collection
    self.label = label
    self.scope = scope
    self.aliases = aliases
    self.states = states
    self.tagged = tagged
    self.tags = tags
    self.from = from
    self.since = since
    self.moments = moments
    self.due = due
    self.start = start
    self.lead = lead
    self.page = page
    self.passages = passages
  }

  /// The names of its texts' collections in the index.
  package var indexed: [String] { [collection] + aliases.keys.sorted() }
}

/// Queries about one date of items, such as their deadline.
package struct ItemDates: Sendable {
  /// The condition for texts of items whose date is from `first` (nil means no lower bound) to `last`.
  package typealias Condition =
    @Sendable (_ first: CalendarDay?, _ last: CalendarDay, _ snapshot: Snapshot) throws -> SearchCondition

  package var condition: Condition
  /// The date of an item; nil if it has none.
  package var day: SearchState.Day

  package init(day: @escaping SearchState.Day, _ condition: @escaping Condition) {
    (self.day, self.condition) = (day, condition)
  }
}

/// Statements for the ids of items by the times of their texts, newest first. Each has one parameter, a time in UTC
/// milliseconds.
package struct ItemMoments: Sendable {
  /// All items with a text of this time or later, possibly others.
  package var since: String
  /// All items with an earlier text, possibly others.
  package var before: String

  package init(since: String, before: String) {
    (self.since, self.before) = (since, before)
  }
}

extension SearchSource {
  /// The most used tags that are compared if letters have several spellings.
  private static let lookedThrough = 2_000

  /// Tags with a prefix, up to `limit`, in any spelling of their letters, as with titles.
  ///
  /// - Throws: `DatabaseError`.
  package func knownTags(beginning: String, limit: Int, in snapshot: Snapshot) throws -> [ExistingTag] {
    guard let tags else { return [] }
    let form = LetterForm(beginning)
    guard form.mayDiffer else { return try tags(foldedText(beginning), limit, snapshot) }
    let known = try tags("", Self.lookedThrough, snapshot)
      .filter { LetterForm($0.folded).text.utf8.starts(with: form.text.utf8) }
    return Array(known.prefix(limit))
  }
}

/// A tag of existing items.
package struct ExistingTag: Sendable {
  package var folded: String
  /// The tag as one of the items has it.
  package var tag: String
  /// The number of items with it.
  package var count: Int

  package init(folded: String, tag: String, count: Int) {
    (self.folded, self.tag, self.count) = (folded, tag, count)
  }

  /// The rows of a statement with the columns folded tag, tag, and number of items. Its parameters are the least and
  /// the greatest folded tag, and the limit.
  ///
  /// - Throws: `DatabaseError`.
  package static func all(
    beginning: String, limit: Int, in snapshot: Snapshot, _ statement: String
  ) throws -> [ExistingTag] {
    var tags: [ExistingTag] = []
    try snapshot.db.each(
      statement, [.text(beginning), .text(beginning + "\u{10FFFF}"), .integer(limit)]
    ) { row in
      tags.append(ExistingTag(folded: row.text(0), tag: row.optionalText(1) ?? row.text(0), count: row.int(2)))
    }
    return tags
  }
}

/// A value for `is:`.
package struct SearchState: Sendable {
  package var name: String
  /// The condition on the texts of the collection, in SQL on `entry.item`. It is called once per query, and may depend
  /// on the current day.
  package var condition: @Sendable (Snapshot) throws -> SearchCondition
  /// The day that makes an item match, such as a deadline: hits of a query without words show it, and are sorted by it,
  /// earliest first.
  package private(set) var day: Day?

  package typealias Day = @Sendable (_ item: String, _ snapshot: Snapshot) throws -> CalendarDay?

  package init(_ name: String, _ condition: @escaping @Sendable (Snapshot) throws -> SearchCondition) {
    self.name = name
    self.condition = condition
  }

  package func since(_ day: @escaping Day) -> SearchState {
    var state = self
    state.day = day
    return state
  }

  /// A state that depends on the row alone.
  package init(_ name: String, where sql: String, _ values: [SQLValue] = [], rows: SearchRows? = nil) {
    self.init(name) { _ in SearchCondition(sql, values, rows: rows) }
  }
}

/// A hit in a collection.
package struct FoundEntry: Sendable {
  package var hit: SearchHit
  /// The title of the matching text, as it was indexed.
  package var title: String
  /// The query's words, for highlighting them in other texts of the item.
  package var query: QueryWords

  /// The item to which it belongs.
  package var item: String { hit.owner ?? hit.item }

  package init(hit: SearchHit, title: String, query: QueryWords) {
    self.hit = hit
    self.title = title
    self.query = query
  }
}

/// A text with the ranges of words in it, as `TextRanges` finds them.
package struct MatchedText: Sendable {
  package var text: String
  package var ranges: [Range<Int>]
  /// The query terms of each range.
  package var terms: [MatchedTerms]

  package init(_ text: String, with words: QueryWords) {
    let found = TextRanges(of: words, in: text)
    self.text = text
    (ranges, terms) = (found.ranges, found.terms)
  }
}

/// A page that matches: its target, and its text as the index has it.
package struct SearchedPage: Sendable {
  package var lead: SearchLead
  package var text: MatchedText

  package init(lead: SearchLead, text: MatchedText) {
    (self.lead, self.text) = (lead, text)
  }
}

/// The target of a hit.
package struct SearchLead: Sendable {
  package var id: String
  /// The title shown above the snippet; for a mark the title of its document.
  package var title: String
  /// Whether `title` differs from the title of the matching text, so that the latter is shown below it.
  package var isTitleOfOther = false
  /// The document of a mark.
  package var of: String?
  /// From 0.
  package var page: Int?
  /// The positions of the words on that page, as in `documents/find`.
  package var quads: [[Double]]?
  package var link: String
  /// When the item was written, published or added, UTC milliseconds.
  package var at: Int64
  /// The day of an item about a day, such as a diary entry.
  package var day: CalendarDay?

  package init(
    id: String, title: String, isTitleOfOther: Bool = false, of: String? = nil, page: Int? = nil,
    quads: [[Double]]? = nil, link: String, at: Int64, day: CalendarDay? = nil
  ) {
    self.id = id
    self.title = title
    self.isTitleOfOther = isTitleOfOther
    self.of = of
    self.page = page
    self.quads = quads
    self.link = link
    self.at = at
    self.day = day
  }
}

extension SearchLead {
  /// The target for an item that itself matches, shown like a link to it. The title is the indexed one: nothing is read
  /// again.
  package init(_ found: FoundEntry, of collection: String, day: CalendarDay? = nil) {
    let shown = LinkedItem(title: found.title, of: collection, id: found.item)
    self.init(id: found.item, title: shown.title, link: shown.link, at: found.hit.at, day: day)
  }
}
