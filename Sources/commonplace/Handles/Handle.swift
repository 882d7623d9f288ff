import Contract
import Wire

/// The forms of text that users may write in the place of an id.
///
///     %3                  the third item of the last list of this terminal
///     9f3a                the beginning or the end of an id
///     "A paper"           a title
///     commonplace:/documents/019a…    a stable link
enum Handle: Equatable {
  case number(Int)
  case title(String)
  /// An id, a part of one, or a title of one word.
  case maybeID(String)

  static let linkScheme = "commonplace:/"
  private static let quotes: [(Character, Character)] = [("\"", "\""), ("“", "”"), ("「", "」"), ("『", "』")]

  init(_ text: String) {
    if text.first == "%", let number = Int(text.dropFirst()), number > 0 {
      self = .number(number)
    } else if text.count > 2, let first = text.first, let last = text.last,
      Self.quotes.contains(where: { $0 == (first, last) })
    {
      self = .title(String(text.dropFirst().dropLast()))
    } else {
      self = TextForm.id.accepts(text) ? .maybeID(text) : .title(text)
    }
  }

  var isNumber: Bool {
    if case .number = self { true } else { false }
  }

  /// Without quotation marks.
  var text: String {
    switch self {
    case .number(let number): "%\(number)"
    case .title(let text), .maybeID(let text): text
    }
  }

  /// The title that it may be.
  var title: String? {
    switch self {
    case .number: nil
    case .title(let title), .maybeID(let title): title
    }
  }
}

extension Place {
  /// The error that several items match, each on a line of its own with a unique handle.
  func ambiguous(_ handle: String, _ items: [ListedItem]) -> Failure {
    var failure = voice.failure(.conflict, Text("command.handleAmbiguous", ["handle": handle]))
    failure.kind = ErrorKind.ambiguous.rawValue
    failure.details = rows(items)
    return failure
  }

  private func rows(_ items: [ListedItem]) -> [String] {
    let labels = ShortIDs.labels(of: items.map(\.id))
    return items.prefix(ItemLookup.mostCandidates).map { item in
      let kind = item.collection.flatMap { voice.catalogue.word("item.\($0)", in: voice.reader.language) } ?? ""
      return "  "
        + [labels[item.id] ?? item.id, kind, "“\(item.title)”"].filter { !$0.isEmpty }.joined(separator: "  ")
    }
  }

  func notListed(_ number: Int) -> Failure {
    voice.failure(.notFound, Text("command.notListed", ["number": String(number)]))
  }

  /// - Parameter similar: items whose titles have its words.
  func noItem(_ handle: String, similar: [ListedItem] = []) -> Failure {
    let key = similar.isEmpty ? "command.noItem" : "command.noItemButSimilar"
    var failure = voice.failure(.notFound, Text(key, ["handle": handle]))
    failure.kind = ErrorKind.notFound.rawValue
    failure.details = rows(similar)
    return failure
  }
}
