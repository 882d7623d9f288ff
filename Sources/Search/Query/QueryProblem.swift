import Display
import SearchEngine
import Store
import Wire

/// Why a query is invalid, and where.
struct QueryProblem: Error, Equatable {
  enum Reason: Equatable {
    case unclosedQuote, unclosedGroup, emptyGroup, groupsTooDeep
    /// An operator has no operand on one side.
    case nothingBefore(String)
    case nothingAfter(String)
    /// A field has no value.
    case nothingAsked(String)
    /// `nearest` is the likely value.
    case unknownCollection(String, nearest: String?, choices: [String])
    case unknownState(String, nearest: String?, choices: [String])
    /// A field that accepts one name was given several, which are these.
    case several(QueryField, String, names: [String])
    /// None of the searched collections has tags.
    case untagged(choices: [String])
    case neverInJournal(choices: [String])
    /// Nor deadlines.
    case neverDue(choices: [String])
    /// Nor starts.
    case neverStarts(choices: [String])
    /// Nor authors or sources.
    case fromNobody(choices: [String])
    /// No text of the only searched collection can match a filter.
    case neverHolds(String, collection: String)
    case unreadableDay(String, examples: String)
    /// A condition on a whole text is one alternative of an `OR`.
    case mixed(String)
    case tooManyTerms(limit: Int)
    case tooLong(limit: Int)
    case nothingToFind
  }

  var reason: Reason
  /// In UTF-8 bytes of the text.
  var place: Range<Int>

  init(_ reason: Reason, at place: Range<Int>) {
    self.reason = reason
    self.place = place
  }
}

extension QueryProblem {
  /// Where the invalid piece begins, if only blanks follow it, so that it may be unfinished. A query that is too long
  /// is not unfinished.
  func unfinished(in text: String) -> Int? {
    switch reason {
    case .tooManyTerms, .tooLong, .groupsTooDeep: return nil
    default: break
    }
    let rest = text.utf8.dropFirst(place.upperBound)
    guard rest.allSatisfy({ $0 <= 0x20 || $0 == 0x29 }) else { return nil }
    return place.lowerBound
  }

  /// A value that is not a day in this audience's languages.
  init(unreadableDay filter: QueryFilter, for reader: Reader) {
    let examples = ["2026-11-21", "2026-11", "2026"] + NaturalDate.examples(for: reader.locale)
    self.init(.unreadableDay(filter.value, examples: examples.joined(separator: ", ")), at: filter.place)
  }

  /// The most choices that a message lists.
  private static let namedChoices = 32

  /// The error for the client: `offset` and `length` are in its own position encoding, and the sentence counts
  /// characters.
  func refusal(of text: String, field: String, for reader: Reader) -> RPCError {
    let units = reader.positionEncoding
    let place = units.ranges([place.clamped(to: 0..<text.utf8.count)], in: text).first ?? 0..<0
    var sentence = sentence
    sentence.arguments["offset"] = String(Self.character(at: self.place.lowerBound, in: text))
    var refusal = RPCError.invalidParams(field: field, reason: sentence)
    refusal.data["offset"] = .integer(Int64(place.lowerBound))
    refusal.data["length"] = .integer(Int64(place.count))
    return refusal
  }

  /// The number of the character at a byte, as people count: from one, in grapheme clusters.
  private static func character(at byte: Int, in text: String) -> Int {
    var (number, end) = (1, 0)
    for character in text {
      end += character.utf8.count
      if end > byte { break }
      number += 1
    }
    return number
  }

  private var sentence: Text {
    func choices(_ names: [String]) -> String { names.prefix(Self.namedChoices).joined(separator: ", ") }
    return switch reason {
    case .unclosedQuote: Text("search.unclosedQuote")
    case .unclosedGroup: Text("search.unclosedGroup")
    case .emptyGroup: Text("search.emptyGroup")
    case .groupsTooDeep: Text("search.groupsTooDeep", ["limit": String(QueryParser.deepest)])
    case .nothingBefore(let word): Text("search.nothingBefore", ["operator": word])
    case .nothingAfter(let word): Text("search.nothingBehind", ["operator": word])
    case .nothingAsked(let name): Text("search.nothingAsked", ["name": name])
    case .unknownCollection(let name, let nearest?, let names):
      Text("search.unknownCollectionNearest", ["value": name, "nearest": nearest, "choices": choices(names)])
    case .unknownCollection(let name, nil, let names):
      Text("search.unknownCollection", ["value": name, "choices": choices(names)])
    case .unknownState(let name, let nearest?, let names):
      Text("search.unknownStateNearest", ["value": name, "nearest": nearest, "choices": choices(names)])
    case .unknownState(let name, nil, let names):
      Text("search.unknownState", ["value": name, "choices": choices(names)])
    case .several(let field, let value, let names):
      Text(
        "search.several",
        [
          "name": field.rawValue, "value": value,
          "example": "(" + names.map { "\(field.rawValue):\($0)" }.joined(separator: " OR ") + ")",
        ])
    case .untagged(let names): Text("search.untagged", ["choices": choices(names)])
    case .neverDue(let names): Text("search.neverDue", ["choices": choices(names)])
    case .neverInJournal(let names): Text("search.neverInJournal", ["choices": choices(names)])
    case .neverStarts(let names): Text("search.neverStarts", ["choices": choices(names)])
    case .fromNobody(let names): Text("search.fromNobody", ["choices": choices(names)])
    case .neverHolds(let filter, let collection):
      Text("search.neverHolds", ["filter": filter, "collection": collection])
    case .unreadableDay(let day, let examples): Text("search.unreadableDay", ["value": day, "examples": examples])
    case .mixed(let name): Text("search.mixed", ["name": name])
    case .tooManyTerms(let limit): Text("search.tooManyTerms", ["limit": String(limit)])
    case .tooLong(let limit): Text("search.tooLong", ["limit": String(limit)])
    case .nothingToFind: Text("search.nothingToFind")
    }
  }
}
