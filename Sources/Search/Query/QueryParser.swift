import SearchEngine
import Store
import Wire

/// A parsed query, before the library's names are resolved.
indirect enum QueryNode {
  case term(MatchQuery.Term)
  case filter(QueryFilter)
  case and([QueryNode])
  case or([QueryNode])
  case not(QueryNode)
  /// A word without searchable characters, such as `++`: it is ignored, whatever surrounds it.
  case nothing
}

/// A filter: a field other than `title`, with its value.
struct QueryFilter {
  var field: QueryField
  var value: String
  /// Whether the value may be a prefix, as for a tag.
  var isPrefix: Bool
  var place: Range<Int>
}

/// Parses a query.
///
///     either  =  all ("OR" all)*
///     all     =  part ("AND"? part)*
///     part    =  "NOT"* (word | "phrase" | field:value | "(" either ")" | field:"(" either ")")
///
/// A field before a group applies to each word in it that has none of its own.
struct QueryParser {
  /// The maximum nesting of groups. FTS5's own parser allows a hundred open pieces, of which a group may take nine.
  static let deepest = 8

  private var lexer: QueryLexer
  private var token: QueryToken?
  private var depth = 0
  /// The field of the group that is being parsed.
  private var groupField: QueryField?
  private var terms = 0
  private var units = 0
  /// Whether the end may be unfinished.
  private let isTyping: Bool
  private let typedEnd: Int?

  /// The parsed query, nil for blanks alone. With `isTyping` the last word may be a prefix.
  static func parse(_ text: String, isTyping: Bool = false) throws(QueryProblem) -> QueryNode? {
    var parser = QueryParser(text, isTyping: isTyping, typedEnd: isTyping ? try typedEnd(of: text) : nil)
    try parser.advance()
    if parser.token == nil { return nil }
    return try parser.either()
  }

  private init(_ text: String, isTyping: Bool, typedEnd: Int?) {
    lexer = QueryLexer(text, isTyping: isTyping)
    self.isTyping = isTyping
    self.typedEnd = typedEnd
  }

  private mutating func advance() throws(QueryProblem) {
    token = try lexer.next()
  }

  private mutating func either() throws(QueryProblem) -> QueryNode {
    var nodes = [try all()]
    while let token, token.kind == .or {
      try advance()
      try require(after: "OR", at: token.place)
      nodes.append(try all())
    }
    return nodes.count == 1 ? nodes[0] : .or(nodes)
  }

  private mutating func all() throws(QueryProblem) -> QueryNode {
    if let token, let word = Self.connective(token.kind) {
      throw QueryProblem(.nothingBefore(word), at: token.place)
    }
    var nodes: [QueryNode] = []
    while let token {
      if token.kind == .close || token.kind == .or { break }
      if token.kind == .and {
        try advance()
        try require(after: "AND", at: token.place)
      }
      nodes.append(try part())
    }
    return nodes.count == 1 ? nodes[0] : .and(nodes)
  }

  /// An operator must be followed by an operand.
  private func require(after word: String, at place: Range<Int>) throws(QueryProblem) {
    guard let token, token.kind != .close, Self.connective(token.kind) == nil else {
      throw QueryProblem(.nothingAfter(word), at: place)
    }
  }

  private static func connective(_ kind: QueryToken.Kind) -> String? {
    switch kind {
    case .and: "AND"
    case .or: "OR"
    default: nil
    }
  }

  private mutating func part() throws(QueryProblem) -> QueryNode {
    var isWanted = true
    while let token, token.kind == .not {
      try advance()
      try require(after: "NOT", at: token.place)
      isWanted.toggle()
    }
    guard let token else { return .nothing }
    try advance()
    let node: QueryNode =
      switch token.kind {
      case .open: try group(from: token.place)
      case .openField(let field): try group(of: field, from: token.place)
      case .phrase(let text, let isPrefix): try words(text, isPrefix, isQuoted: true, of: groupField, at: token.place)
      case .word(let text, let isPrefix): try words(text, isPrefix, isQuoted: false, of: groupField, at: token.place)
      case .field(let field, let value, let isQuoted, let isPrefix):
        try words(value, isPrefix, isQuoted: isQuoted, of: field, at: token.place)
      case .close, .and, .or, .not: .nothing
      }
    return isWanted ? node : .not(node)
  }

  private mutating func group(from place: Range<Int>) throws(QueryProblem) -> QueryNode {
    if token?.kind == .close { throw QueryProblem(.emptyGroup, at: place.lowerBound..<token!.place.upperBound) }
    if token == nil, isTyping { return .nothing }
    guard token != nil else { throw QueryProblem(.unclosedGroup, at: place) }
    if depth == Self.deepest { throw QueryProblem(.groupsTooDeep, at: place) }
    depth += 1
    let node = try either()
    depth -= 1
    if token == nil, isTyping { return node }
    guard token?.kind == .close else { throw QueryProblem(.unclosedGroup, at: place) }
    try advance()
    return node
  }

  private mutating func group(of field: QueryField, from place: Range<Int>) throws(QueryProblem) -> QueryNode {
    let outer = groupField
    groupField = field
    defer { groupField = outer }
    return try group(from: place)
  }

  private mutating func words(
    _ text: String, _ isPrefix: Bool, isQuoted: Bool, of field: QueryField?, at place: Range<Int>
  ) throws(QueryProblem) -> QueryNode {
    let isTyped = !isQuoted && goesOn(place)
    guard let field else { return try term(text, isPrefix, isTyped: isTyped, isQuoted: isQuoted, at: place) }
    return try self.field(field, text, isPrefix, isTyped: isTyped, isQuoted: isQuoted, at: place)
  }

  private func goesOn(_ place: Range<Int>) -> Bool { place.upperBound == typedEnd }

  /// Where the word ends that is being typed: the last word, unless only a blank follows it. Filters may follow, as
  /// when the user goes back to it.
  private static func typedEnd(of text: String) throws(QueryProblem) -> Int? {
    var lexer = QueryLexer(text, isTyping: true)
    var end: Int?
    var isFollowed = false
    while let token = try lexer.next() {
      switch token.kind {
      case .word, .field(.title, _, _, _): (end, isFollowed) = (token.place.upperBound, false)
      case .field: isFollowed = true
      default: end = nil
      }
    }
    return isFollowed || end == text.utf8.count ? end : nil
  }

  private mutating func field(
    _ field: QueryField, _ value: String, _ isPrefix: Bool, isTyped: Bool, isQuoted: Bool, at place: Range<Int>
  ) throws(QueryProblem) -> QueryNode {
    if value.isBlank {
      throw QueryProblem(.nothingAsked(field.rawValue), at: place)
    }
    if field == .title {
      return try term(value, isPrefix, inTitle: true, isTyped: isTyped, isQuoted: isQuoted, at: place)
    }
    try count(1, at: place)
    return .filter(QueryFilter(field: field, value: value, isPrefix: isPrefix, place: place))
  }

  private mutating func term(
    _ text: String, _ isPrefix: Bool, inTitle: Bool = false, isTyped: Bool, isQuoted: Bool, at place: Range<Int>
  ) throws(QueryProblem) -> QueryNode {
    // Initials without vowels are typed deliberately: they do not occur in texts.
    let term = MatchQuery.Term(
      text, isPrefix: isPrefix || isTyped, inTitle: inTitle,
      isTyped: isTyped || HangulTyping.hasInitial(text), mayBeSpaced: !isQuoted)
    guard let term else { return .nothing }
    try count(term.units, at: place)
    return .term(term)
  }

  private mutating func count(_ more: Int, at place: Range<Int>) throws(QueryProblem) {
    (terms, units) = (terms + 1, units + more)
    if terms > MatchQuery.maximumTerms { throw QueryProblem(.tooManyTerms(limit: MatchQuery.maximumTerms), at: place) }
    if units > MatchQuery.maximumUnits { throw QueryProblem(.tooLong(limit: MatchQuery.maximumUnits), at: place) }
  }
}
