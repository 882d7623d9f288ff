import Contract
import Display
import Kit
import SearchEngine
import Store
import Wire

/// Parsed filters of a query: the library's content determines which values they accept.
indirect enum QueryCondition {
  case within(Set<String>)
  case state(String)
  /// At least one of these, folded, or a tag below one.
  case tags([String])
  /// In a journal with this folded name, or this prefix.
  case journal(String, isPrefix: Bool)
  /// By a person or from a place with this in the name, folded.
  case from(String)
  /// From this day on.
  case since(QueryDay)
  /// On days before this one.
  case before(QueryDay)
  /// With a date within these days: the deadline for the field `due`, the start for `start`.
  case dates(QueryField, QueryDates)
  case and([QueryCondition])
  case or([QueryCondition])
  case not(QueryCondition)

  init(_ node: QueryNode, _ snapshot: Snapshot) throws {
    switch node {
    case .filter(let filter): self = try Self.read(filter, snapshot)
    case .and(let nodes): self = .and(try nodes.filter(\.asks).map { try QueryCondition($0, snapshot) })
    case .or(let nodes): self = .or(try nodes.filter(\.asks).map { try QueryCondition($0, snapshot) })
    case .not(let node):
      let condition = try QueryCondition(node, snapshot)
      self =
        switch condition {
        case .since(let day): .before(day)
        case .before(let day): .since(day)
        default: .not(condition)
        }
    case .term, .nothing: self = .and([])
    }
  }

  private static func read(_ filter: QueryFilter, _ snapshot: Snapshot) throws -> QueryCondition {
    let services = snapshot.services
    switch filter.field {
    case .in:
      let names = QueryNames(collections: services, for: snapshot.reader.language)
      guard let name = names.meaning(of: filter.value) else {
        throw names.problem(with: filter) { .unknownCollection($0, nearest: $1, choices: $2) }
      }
      return .within([name])
    case .is:
      let names = QueryNames(states: services, for: snapshot.reader.language)
      guard let name = names.meaning(of: filter.value) else {
        throw names.problem(with: filter) { .unknownState($0, nearest: $1, choices: $2) }
      }
      return .state(name)
    case .tag: return .tags(try tags(filter, snapshot))
    case .journal: return .journal(foldedText(filter.value), isPrefix: filter.isPrefix)
    case .from: return .from(foldedText(filter.value))
    case .before: return .before(try QueryDay(filter, snapshot))
    case .after: return .since(try QueryDay(filter, snapshot))
    case .due, .start: return .dates(filter.field, try QueryDates(filter, snapshot))
    case .title: return .and([])
    }
  }

  /// The most tags that a prefix is expanded to; the others are left out.
  private static let begunTags = 64

  private static func tags(_ filter: QueryFilter, _ snapshot: Snapshot) throws -> [String] {
    let (tag, form) = (foldedText(filter.value), LetterForm(filter.value))
    guard filter.isPrefix || form.mayDiffer else { return [tag] }
    let known = try snapshot.services.library.searchSources.flatMap { source in
      try source.knownTags(beginning: filter.value, limit: filter.isPrefix ? begunTags : .max, in: snapshot)
        .map(\.folded)
    }
    let meant =
      filter.isPrefix
      ? known
      : known.compactMap { tag in
        // Of a nested tag the part that is spelled in another way: the condition includes the tags below it.
        ([tag] + FoldedTag(tag).ancestors.map(\.text)).first { sameBytes(LetterForm($0).text, form.text) }
      }
    return [tag] + Set(meant).subtracting([tag]).sorted()
  }
}

extension QueryNode {
  fileprivate var asks: Bool { if case .nothing = self { false } else { true } }
}

extension QueryCondition {
  /// Whether only some collections have such a property, whatever its value.
  var isOfSome: Bool {
    switch self {
    case .tags, .journal, .from, .dates: true
    default: false
    }
  }

  /// Whether a text of this collection can match.
  func mayHold(in source: SearchSource) -> Bool {
    switch self {
    case .within(let names): names.contains(source.collection)
    case .state(let name): source.states.contains { $0.name == name }
    case .tags: source.tagged != nil
    case .journal: source.inJournal != nil
    case .from: source.from != nil
    case .dates(let field, _): source.dates(of: field) != nil
    case .since, .before: true
    case .and(let all): all.allSatisfy { $0.mayHold(in: source) }
    case .or(let some): some.contains { $0.mayHold(in: source) }
    case .not(let condition): condition.mayFail(in: source)
    }
  }

  /// Whether a text of this collection can fail to match.
  func mayFail(in source: SearchSource) -> Bool {
    switch self {
    case .within(let names): !names.contains(source.collection)
    case .state, .tags, .journal, .from, .since, .before, .dates: true
    case .and(let all): all.contains { $0.mayFail(in: source) }
    case .or(let some): some.allSatisfy { $0.mayFail(in: source) }
    case .not(let condition): condition.mayHold(in: source)
    }
  }

  /// The day that makes a text of this collection match, such as its deadline. Nil if there is none, or if another
  /// condition may have matched.
  func day(in source: SearchSource) -> SearchState.Day? {
    switch self {
    case .state(let name): return source.states.first { $0.name == name }?.day
    case .dates(let field, _): return source.dates(of: field)?.day
    case .and(let all): return all.lazy.compactMap { $0.day(in: source) }.first
    case .or(let some):
      let holding = some.filter { $0.mayHold(in: source) }
      let days = holding.compactMap { $0.day(in: source) }
      return days.count == holding.count ? days.first : nil
    case .within, .tags, .journal, .from, .since, .before, .not: return nil
    }
  }

  /// As SQL, for texts of these collections.
  func condition(in sources: [SearchSource], _ snapshot: Snapshot) throws -> SearchCondition {
    switch self {
    case .within(let names):
      return .within(sources.filter { names.contains($0.collection) }.flatMap(\.indexed))
    case .state(let name):
      return .any(
        try sources.compactMap { source in
          guard let state = source.states.first(where: { $0.name == name }) else { return nil }
          return .all([.within(source.indexed), try state.condition(snapshot)])
        })
    case .tags(let tags):
      return .any(
        sources.compactMap { source in source.tagged.map { .all([.within(source.indexed), .any(tags.map($0))]) } })
    case .journal(let name, let isPrefix):
      return .any(
        sources.compactMap { source in
          source.inJournal.map { .all([.within(source.indexed), $0(name, isPrefix)]) }
        })
    case .from(let name):
      return .any(
        try sources.compactMap { source in
          try source.from.map { .all([.within(source.indexed), try $0(name, snapshot)]) }
        })
    case .since(let day): return .any(sources.map { .all([.within($0.indexed), $0.condition(since: day)]) })
    case .before(let day): return .any(sources.map { .all([.within($0.indexed), !$0.condition(since: day)]) })
    case .dates(let field, let days):
      return .any(
        try sources.compactMap { source in
          try source.dates(of: field).map {
            .all([.within(source.indexed), try $0.condition(days.first, days.last, snapshot)])
          }
        })
    case .and(let all): return .all(try all.map { try $0.condition(in: sources, snapshot) })
    case .or(let some): return .any(try some.map { try $0.condition(in: sources, snapshot) })
    case .not(let condition): return !(try condition.condition(in: sources, snapshot))
    }
  }
}

extension SearchSource {
  /// The dates that a field queries; nil if items have none, or for other fields.
  fileprivate func dates(of field: QueryField) -> ItemDates? {
    switch field {
    case .due: due
    case .start: start
    case .title, .in, .is, .tag, .journal, .from, .before, .after: nil
    }
  }

  /// A text of this day or later.
  fileprivate func condition(since day: QueryDay) -> SearchCondition {
    if let since { return since(day.day) }
    func rows(_ items: String?) -> SearchRows? {
      items.map { .items(of: collection, $0, [.integer(day.start)]) + .all(of: aliases.keys.sorted()) }
    }
    return SearchCondition(
      "entry.at >= ?", [.integer(day.start)], rows: rows(moments?.since), others: rows(moments?.before))
  }
}

/// The day after `before:` or `after:`: `2026-11-21` or a word such as `yesterday`; for a month, `2026-11` or `March
/// 2026`, and for a year its first.
struct QueryDay {
  let day: CalendarDay
  /// When it begins for the client, UTC milliseconds.
  let start: Int64

  init(_ filter: QueryFilter, _ snapshot: Snapshot) throws {
    let (reader, services) = (snapshot.reader, snapshot.services)
    do {
      guard TextForm.givenDay.accepts(filter.value) else { throw InvalidValue(Text(TextForm.givenDay.textKey)) }
      let first = NaturalDate.firstDay(
        ofPeriod: filter.value, today: services.today(for: reader).yearMonthDay, locale: reader.locale)
      day =
        try first.map { CalendarDay($0) }
        ?? GivenDay(stringLiteral: filter.value).day("text", leaning: .back, in: snapshot)
    } catch {
      throw QueryProblem(unreadableDay: filter, for: reader)
    }
    start = services.instants(of: day, for: reader).lowerBound
  }
}
