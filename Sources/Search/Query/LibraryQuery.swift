import Contract
import Display
import Kit
import SearchEngine
import Store
import Wire

/// A query in the form that the index executes.
///
///     강 (tag:trip OR in:posts) NOT is:read        words and filters; each part is one or the other
///     └ words ─► FTS5      └ filters ─► SQL        a filter applies to a text as a whole
struct LibraryQuery: Sendable {
  /// The words. For a query without words: everything in the collections.
  private(set) var words: MatchQuery
  /// The other conditions; nil if there are none.
  private(set) var condition: SearchCondition?
  /// The searched collections.
  private(set) var sources: [SearchSource]
  /// The source of each name under which the index has texts.
  private(set) var owners: [CollectionNumber: SearchSource]
  /// The collection of each of them: copying a source for each hit would cost more than everything else.
  private(set) var shownNames: [CollectionNumber: String] = [:]
  /// For index names that have texts of other collections: their owners.
  private(set) var aliases: [CollectionNumber: SearchSource.Alias] = [:]
  /// The index names of the searched texts; nil if that is the whole index, so that no condition is needed.
  private(set) var indexed: [String]?
  /// Whether there are words to mark.
  let hasWords: Bool
  /// For a query without words, by collection: the day by which its hits are shown and ordered.
  private let days: [String: SearchState.Day]

  /// The most unfinished pieces at its end that may be left out of a query.
  private static let mostUnfinished = 16

  /// Nil for white space, which matches nothing.
  ///
  /// - Parameters:
  ///   - collections: the collections to search; nil for all.
  ///   - isTyping: the last word may be a prefix, and an invalid piece at the end is unfinished: `river in:di` is
  ///     `river`.
  /// - Throws: `invalidParams` of `text`, or of `collections`.
  init?(
    _ text: String, collections: [String]? = nil, isTyping: Bool = false, in snapshot: Snapshot
  ) throws {
    guard isTyping else {
      try self.init(understood: text, collections: collections, isTyping: false, in: snapshot)
      return
    }
    var finished = text
    for _ in 0..<Self.mostUnfinished {
      do {
        try self.init(understood: finished, collections: collections, isTyping: true, in: snapshot)
        return
      } catch let unfinished as UnfinishedEnd {
        let end = finished.utf8.index(finished.utf8.startIndex, offsetBy: unfinished.start)
        finished = String(finished[..<end])
      }
    }
    try self.init(understood: finished, collections: collections, isTyping: false, in: snapshot)
  }

  /// The invalid end of a query that is being typed: everything from this place on, in UTF-8 bytes.
  private struct UnfinishedEnd: Error {
    var start: Int
  }

  private init?(
    understood text: String, collections: [String]?, isTyping: Bool, in snapshot: Snapshot
  ) throws {
    let all = snapshot.services.library.searchSources
    var sources = all
    if let collections {
      let names = all.map(\.collection)
      if let strange = collections.firstIndex(where: { !names.contains($0) }) {
        throw RPCError.invalidParams(
          field: "collections[\(strange)]",
          reason: Text(
            "param.choice", ["found": collections[strange], "choices": names.joined(separator: ", ")]))
      }
      sources = all.filter { collections.contains($0.collection) }
    }
    do {
      guard let root = try QueryParser.parse(text, isTyping: isTyping) else { return nil }
      var parts = QueryParts()
      try parts.add(root)
      let filters = try parts.filters.map { try QueryCondition($0, snapshot) }
      try Self.checkHolders(parts.filters, filters, in: sources, of: all)
      sources = sources.filter { source in filters.allSatisfy { $0.mayHold(in: source) } }
      let names = sources.flatMap(\.indexed)
      hasWords = !parts.words.isEmpty
      days = hasWords ? [:] : Self.days(filters, in: sources)
      if parts.words.isEmpty, filters.isEmpty {
        throw QueryProblem(.nothingToFind, at: 0..<text.utf8.count)
      }
      words = MatchQuery(MatchQuery.Node(all: parts.words, within: names) ?? .within(names))
      self.sources = sources
      owners = [:]
      for source in sources {
        for name in source.indexed {
          owners[CollectionNumber(name)] = source
          shownNames[CollectionNumber(name)] = source.collection
          aliases[CollectionNumber(name)] = source.aliases[name]
        }
      }
      indexed = names.count == all.flatMap(\.indexed).count ? nil : names
      var conditions = try filters.filter { filter in sources.contains { filter.mayFail(in: $0) } }
        .map { try $0.condition(in: sources, snapshot) }
      // A document is represented by its title, and not by every page.
      if !hasWords { conditions.insert(SearchCondition("entry.part = 0", rows: .firstParts(of: names)), at: 0) }
      condition = conditions.isEmpty ? nil : .all(conditions)
    } catch let problem as QueryProblem {
      if isTyping, let start = problem.unfinished(in: text) { throw UnfinishedEnd(start: start) }
      throw problem.refusal(of: text, field: "text", for: snapshot.reader)
    }
  }
}

extension LibraryQuery {
  private static func days(_ filters: [QueryCondition], in sources: [SearchSource]) -> [String: SearchState.Day] {
    var days: [String: SearchState.Day] = [:]
    for source in sources { days[source.collection] = QueryCondition.and(filters).day(in: source) }
    return days
  }

  /// Whether every hit has such a day.
  var isByDays: Bool { sources.allSatisfy { days[$0.collection] != nil } }

  /// The day that makes this hit match, or nil if no date filter matched.
  func day(of text: RankedText, in snapshot: Snapshot) throws -> CalendarDay? {
    guard let day = days[collection(of: text)], let hit = try hit(of: text, in: snapshot) else { return nil }
    return try day(hit.owner ?? hit.item, snapshot)
  }

  /// A filter by tag, journal, name, deadline or start is an error if none of the searched collections ever has one,
  /// instead of an empty result.
  private static func checkHolders(
    _ nodes: [QueryNode], _ filters: [QueryCondition], in sources: [SearchSource], of all: [SearchSource]
  ) throws(QueryProblem) {
    for (place, node) in nodes.enumerated() {
      guard case .filter(let filter) = node, filters[place].isOfSome else { continue }
      let searched = sources.filter { source in
        filters.indices.allSatisfy { $0 == place || filters[$0].isOfSome || filters[$0].mayHold(in: source) }
      }
      if searched.isEmpty || searched.contains(where: { filters[place].mayHold(in: $0) }) { continue }
      let choices = all.filter { filters[place].mayHold(in: $0) }.map(\.collection)
      let reason: QueryProblem.Reason =
        switch filter.field {
        case .due: .neverDue(choices: choices)
        case .start: .neverStarts(choices: choices)
        case .journal: .neverInJournal(choices: choices)
        case .from: .fromNobody(choices: choices)
        default: .untagged(choices: choices)
        }
      throw QueryProblem(reason, at: filter.place)
    }
  }
}

/// The parts of a query that must all hold, separated into words and filters.
struct QueryParts {
  private(set) var words: [QueryNode] = []
  private(set) var filters: [QueryNode] = []

  mutating func add(_ node: QueryNode) throws(QueryProblem) {
    switch (node.hasWords, node.firstFilter) {
    case (false, nil): break
    case (true, nil): words.append(node)
    case (let hasWords, let filter?):
      if case .and(let nodes) = node {
        // A group of parts that must all hold equals its parts.
        for node in nodes { try add(node) }
      } else if hasWords {
        throw QueryProblem(.mixed(filter.field.rawValue), at: filter.place)
      } else {
        filters.append(node)
      }
    }
  }
}

extension QueryNode {
  fileprivate var hasWords: Bool {
    switch self {
    case .term: true
    case .filter, .nothing: false
    case .and(let nodes), .or(let nodes): nodes.contains(where: \.hasWords)
    case .not(let node): node.hasWords
    }
  }

  var firstFilter: QueryFilter? {
    switch self {
    case .filter(let filter): filter
    case .term, .nothing: nil
    case .and(let nodes), .or(let nodes): nodes.lazy.compactMap(\.firstFilter).first
    case .not(let node): node.firstFilter
    }
  }
}

extension MatchQuery.Node {
  /// The conjunction of these. If all of them are negated, they are subtracted from everything under these names.
  init?(all nodes: [QueryNode], within names: [String]) {
    var (wanted, unwanted): ([Self], [Self]) = ([], [])
    for node in nodes {
      if case .not(let inner) = node {
        if let node = Self(inner, within: names) { unwanted.append(node) }
      } else if let node = Self(node, within: names) {
        wanted.append(node)
      }
    }
    if wanted.isEmpty, unwanted.isEmpty { return nil }
    let base: Self = wanted.isEmpty ? .within(names) : wanted.count == 1 ? wanted[0] : .and(wanted)
    self = unwanted.isEmpty ? base : .without(base, unwanted.count == 1 ? unwanted[0] : .or(unwanted))
  }

  private init?(_ node: QueryNode, within names: [String]) {
    switch node {
    case .term(let term): self = .term(term)
    case .and(let nodes):
      guard let all = Self(all: nodes, within: names) else { return nil }
      self = all
    case .or(let nodes):
      let some = nodes.compactMap { Self($0, within: names) }
      if some.isEmpty { return nil }
      self = some.count == 1 ? some[0] : .or(some)
    case .not(let inner):
      guard let unwanted = Self(inner, within: names) else { return nil }
      self = .without(.within(names), unwanted)
    case .filter, .nothing: return nil
    }
  }
}
