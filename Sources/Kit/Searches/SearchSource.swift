import Contract
import Display
import SQLite
import SearchEngine
import Store
import Wire

/// How one collection takes part in the search over the whole library. What stands in it the index knows already, from
/// `ItemCollection.searchEntries`; this says what may be asked of it beside words, and where its hits lead.
package struct SearchSource: Sendable {
  /// The collection's name, as `in:` and a hit say it.
  package var collection: String
  /// Its name for people.
  package var label: Text
  /// Where it is searched by itself, too.
  package var scope: SearchScope
  /// Other collections whose texts are texts of its items, such as what further sources say of a post; with the item
  /// that a text is of, nil if that has gone.
  package var aliases: [String: Alias]
  /// What may stand behind `is:`.
  package var states: [SearchState]
  /// The items with a tag, which comes folded; nil where items have none.
  package var tagged: (@Sendable (_ tag: String) -> SearchCondition)?
  /// Tags that begin with a folded text, at most so many.
  package var tags: (@Sendable (_ beginning: String, _ limit: Int, _ snapshot: Snapshot) throws -> [KnownTag])?
  /// The items of a day or a later one, where they have days of their own; else the moment counts that the index has.
  package var since: (@Sendable (_ day: CalendarDay) -> SearchCondition)?
  /// How the items of a time are told, where there may be very many and the moment counts.
  package var moments: ItemMoments?
  /// The deadlines of the items; nil where they have none.
  package var due: ItemDeadlines?
  /// Where a hit leads; nil if what was found is not to be seen.
  package var lead: Lead
  /// The same of a page, with its text, where items keep the texts of their pages themselves: what the index has of it is
  /// then not read. Nil where it has to be.
  package var page: Page?

  package typealias Alias = @Sendable (_ item: String, _ snapshot: Snapshot) throws -> String?
  package typealias Lead =
    @Sendable (_ found: FoundEntry, _ snapshot: Snapshot) throws -> SearchLead?
  package typealias Page =
    @Sendable (_ hit: SearchHit, _ words: SoughtWords, _ snapshot: Snapshot) throws -> SearchedPage?

  package init(
    collection: String, label: Text, scope: SearchScope = .library, aliases: [String: Alias] = [:],
    states: [SearchState] = [],
    tagged: (@Sendable (_ tag: String) -> SearchCondition)? = nil,
    tags: (@Sendable (_ beginning: String, _ limit: Int, _ snapshot: Snapshot) throws -> [KnownTag])? = nil,
    since: (@Sendable (_ day: CalendarDay) -> SearchCondition)? = nil, moments: ItemMoments? = nil,
    due: ItemDeadlines? = nil, lead: @escaping Lead, page: Page? = nil
  ) {
    self.collection = collection
    self.label = label
    self.scope = scope
    self.aliases = aliases
    self.states = states
    self.tagged = tagged
    self.tags = tags
    self.since = since
    self.moments = moments
    self.due = due
    self.lead = lead
    self.page = page
  }

  /// The names under which the index has its texts.
  package var indexed: [String] { [collection] + aliases.keys.sorted() }
}

/// What is asked of the deadlines of items.
package struct ItemDeadlines: Sendable {
  /// The texts of items that are due from the first day, nil where none is too early, to the last.
  package typealias Condition =
    @Sendable (_ first: CalendarDay?, _ last: CalendarDay, _ snapshot: Snapshot) throws -> SearchCondition

  package var condition: Condition
  /// Nil where an item has none.
  package var day: SearchState.Day

  package init(day: @escaping SearchState.Day, _ condition: @escaping Condition) {
    (self.day, self.condition) = (day, condition)
  }
}

/// Statements that give the ids of items by the moments of their texts, the newest first. Each has one place, for a moment
/// in UTC milliseconds.
package struct ItemMoments: Sendable {
  /// All items with a text of this moment or a later one, and maybe others.
  package var since: String
  /// All items with a text of an earlier moment, and maybe others.
  package var before: String

  package init(since: String, before: String) {
    (self.since, self.before) = (since, before)
  }
}

extension SearchSource {
  /// Of more tags than these the most used are looked at, where letters may be written otherwise.
  private static let lookedThrough = 2_000

  /// Tags that begin with a text, at most so many: as titles are found, whichever way their letters are written.
  package func knownTags(beginning: String, limit: Int, in snapshot: Snapshot) throws -> [KnownTag] {
    guard let tags else { return [] }
    let form = LetterForm(beginning)
    guard form.mayDiffer else { return try tags(foldedText(beginning), limit, snapshot) }
    let known = try tags("", Self.lookedThrough, snapshot)
      .filter { LetterForm($0.folded).text.utf8.starts(with: form.text.utf8) }
    return Array(known.prefix(limit))
  }
}

/// A tag that items have.
package struct KnownTag: Sendable {
  package var folded: String
  /// As one of the items has it.
  package var tag: String
  /// How many items have it.
  package var count: Int

  package init(folded: String, tag: String, count: Int) {
    (self.folded, self.tag, self.count) = (folded, tag, count)
  }

  /// What a statement gives, row by row: the folded tag, the tag, and how many have it. It takes the least and the greatest
  /// folded tag, and the limit.
  package static func all(
    beginning: String, limit: Int, in snapshot: Snapshot, _ statement: String
  ) throws -> [KnownTag] {
    var tags: [KnownTag] = []
    try snapshot.db.each(
      statement, [.text(beginning), .text(beginning + "\u{10FFFF}"), .integer(limit)]
    ) { row in
      tags.append(KnownTag(folded: row.text(0), tag: row.optionalText(1) ?? row.text(0), count: row.int(2)))
    }
    return tags
  }
}

/// A word behind `is:`.
package struct SearchState: Sendable {
  package var name: String
  /// Which texts of the collection, in SQL on `entry.item`. It is asked for once a question, and may look at today.
  package var condition: @Sendable (Snapshot) throws -> SearchCondition
  /// The day by which an item is so, where it has one, such as a deadline: hits of a question without words are shown by
  /// it, and those with the earliest come first.
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

  /// Where nothing but the row itself decides.
  package init(_ name: String, where sql: String, _ values: [SQLValue] = [], rows: SearchRows? = nil) {
    self.init(name) { _ in SearchCondition(sql, values, rows: rows) }
  }
}

/// What was found in a collection.
package struct FoundEntry: Sendable {
  package var hit: SearchHit
  /// The title of the text that was found, as it was indexed.
  package var title: String
  /// What it was found by, for marking it in other texts of the item.
  package var query: SoughtWords

  /// The item that it belongs to.
  package var item: String { hit.owner ?? hit.item }

  package init(hit: SearchHit, title: String, query: SoughtWords) {
    self.hit = hit
    self.title = title
    self.query = query
  }
}

/// A text with the places of words in it, as `TextRanges` finds them.
package struct MatchedText: Sendable {
  package var text: String
  package var ranges: [Range<Int>]
  /// The terms that each of them is of.
  package var terms: [FoundTerms]

  package init(_ text: String, with words: SoughtWords) {
    let found = TextRanges(of: words, in: text)
    self.text = text
    (ranges, terms) = (found.ranges, found.terms)
  }
}

/// A page that was found: where it leads, and its text as the index has it.
package struct SearchedPage: Sendable {
  package var lead: SearchLead
  package var text: MatchedText

  package init(lead: SearchLead, text: MatchedText) {
    (self.lead, self.text) = (lead, text)
  }
}

/// Where a hit leads.
package struct SearchLead: Sendable {
  package var id: String
  /// What is shown above the snippet; of a mark its document's.
  package var title: String
  /// Whether `title` is not the title of the text that was found, so that the latter is shown below it.
  package var isTitleOfOther = false
  /// The document that a mark belongs to.
  package var of: String?
  /// From 0.
  package var page: Int?
  /// Where on that page the words stand, as in `documents/find`.
  package var quads: [[Double]]?
  package var link: String
  /// When it was written, published or added, UTC milliseconds.
  package var at: Int64
  /// The day that it is about, where it is about one.
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
  /// To an item that is what was found, as a link to it is shown. Its title is that of the index: nothing is read again.
  package init(_ found: FoundEntry, of collection: String, day: CalendarDay? = nil) {
    let shown = LinkedItem(title: found.title, of: collection, id: found.item)
    self.init(id: found.item, title: shown.title, link: shown.link, at: found.hit.at, day: day)
  }
}
