/// A phrase in a table: `in <n> <u>`, `(the)? end of (the)? (<t>)? <u>`.
///
/// `(a|b)` is a choice of words, `?` after it makes it optional, and `<n>` is a place for the language's words. Spaces
/// in the pattern and in the text are ignored, except that they separate numbers.
struct DayPattern: Sendable {
  indirect enum Node: Sendable {
    case letter(Unicode.Scalar)
    case place(DayPlace)
    case choice([[Node]], isOptional: Bool)
  }

  let nodes: [Node]

  /// A row of a table may have several phrases: `today|now`.
  static func each(_ source: String) -> [DayPattern] {
    var rest = Array(source.unicodeScalars)[...]
    let all = alternatives(&rest).map(DayPattern.init(nodes:))
    precondition(rest.isEmpty, "\(source) has a bracket too many")
    return all
  }

  /// Sequences separated by `|`, up to the end or the closing bracket.
  private static func alternatives(_ rest: inout ArraySlice<Unicode.Scalar>) -> [[Node]] {
    var all: [[Node]] = [[]]
    while let scalar = rest.first, scalar != ")" {
      rest.removeFirst()
      switch scalar {
      case " ": continue
      case "|": all.append([])
      case "(":
        let choice = alternatives(&rest)
        precondition(rest.popFirst() == ")", "a bracket is not closed")
        let isOptional = rest.first == "?"
        if isOptional { rest.removeFirst() }
        all[all.count - 1].append(.choice(choice, isOptional: isOptional))
      case "<":
        let name = String(String.UnicodeScalarView(rest.prefix { $0 != ">" }))
        rest = rest.dropFirst(name.unicodeScalars.count + 1)
        guard let place = DayPlace(rawValue: name) else { preconditionFailure("<\(name)> is no place") }
        all[all.count - 1].append(.place(place))
      default: all[all.count - 1].append(.letter(scalar))
      }
    }
    return all
  }

  /// The first result of `accept` for a way to match the whole text; nil if there is none.
  func match(
    _ text: [Unicode.Scalar], in language: DayLanguage, accept: @escaping (DayParts) -> Int?
  ) -> Int? {
    Matcher(text: text, language: language, accept: accept).match(nodes[...], at: 0, DayParts())
  }

  private struct Matcher {
    let text: [Unicode.Scalar]
    let language: DayLanguage
    let accept: (DayParts) -> Int?

    func match(_ nodes: ArraySlice<Node>, at start: Int, _ parts: DayParts) -> Int? {
      let index = skippingSpaces(start)
      guard let node = nodes.first else { return index == text.count ? accept(parts) : nil }
      let rest = nodes.dropFirst()
      switch node {
      case .letter(let letter):
        return index < text.count && text[index] == letter ? match(rest, at: index + 1, parts) : nil
      case .choice(let choices, let isOptional):
        for choice in choices {
          if let day = match((choice + rest)[...], at: index, parts) { return day }
        }
        return isOptional ? match(rest, at: index, parts) : nil
      case .place(let place):
        for (value, end) in language.values(of: place, in: text, at: index) {
          var parts = parts
          parts[place] = value
          if let day = match(rest, at: end, parts) { return day }
        }
        return nil
      }
    }

    private func skippingSpaces(_ index: Int) -> Int {
      var index = index
      while index < text.count, text[index] == " " { index += 1 }
      return index
    }
  }
}

/// The places in phrases, by their names in tables.
enum DayPlace: String, Sendable {
  /// A count of units.
  case count = "n"
  /// 1 day, 7 week, 30 month, 365 year: the units by their lengths.
  case unit = "u"
  /// A span with a word of its own, in days: 사흘, fortnight.
  case span = "s"
  /// 1 Monday to 7 Sunday, by unambiguous words.
  case weekday = "w"
  /// The same with the short words after dates: (목).
  case weekdayMark = "wd"
  /// -1 last, 0 this, 1 next, for the following unit.
  case turn = "t"
  case weekTurn = "tw"
  case monthTurn = "tm"
  case yearTurn = "ty"
  case year = "y"
  /// Its last two digits alone.
  case shortYear = "yy"
  case month = "m"
  /// The same by name, not by number.
  case monthName = "mn"
  /// The day of a month.
  case day = "d"
  /// The same as a word: first.
  case ordinal = "o"
}

/// The values of the places of a phrase.
struct DayParts {
  private var values: [DayPlace: Int] = [:]

  subscript(place: DayPlace) -> Int? {
    get { values[place] }
    set { values[place] = newValue }
  }

  var dayOfMonth: Int? { self[.day] ?? self[.ordinal] }
  var weekday: Int? { self[.weekday] ?? self[.weekdayMark] }
}
