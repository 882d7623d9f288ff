import Contract
import Display
import Kit
import SearchEngine
import Store
import Wire

/// The values that a field of a query accepts, such as `diary` after `in:`, with their alternative names.
struct QueryNames {
  /// As they are listed.
  let choices: [String]
  /// Every accepted spelling, with its value.
  private let known: [(written: String, name: String)]

  /// The values of `in:`: collections, by their names and by their labels in any language. They are listed for an
  /// audience of `language`.
  init(collections services: Services, for language: Language = .english) {
    self.init(
      services.library.searchSources.map { source in
        (source.collection, { services.catalogue.string(for: source.label, language: $0) })
      }, for: language)
  }

  /// The values of `is:`, for the same audience.
  init(states services: Services, for language: Language = .english) {
    let names = Set(services.library.searchSources.flatMap { $0.states.map(\.name) }).sorted()
    self.init(names.map { name in (name, { Self.label(of: name, services, $0) }) }, for: language)
  }

  private init(_ names: [(name: String, label: (Language) -> String?)], for language: Language) {
    // In English the names are the words.
    choices = names.map { name, label in (language == .english ? nil : label(language)).map(Self.joined) ?? name }
    known = names.flatMap { name, label in
      let labels = Language.allCases.compactMap(label)
      return ([name] + labels.map(Self.joined) + labels).map { ($0, name) }
    }
  }

  /// The label of a state.
  static func label(of state: String, _ services: Services, _ language: Language) -> String? {
    services.catalogue.word("search.state.\(state)", in: language)
  }

  /// A spelling that needs no quotes: 기한 지남 is 기한지남.
  private static func joined(_ label: String) -> String { label.filter { !$0.isWhitespace } }

  /// The value for a spelling; nil if there is none.
  func meaning(of value: String) -> String? {
    let wanted = foldedText(value)
    return known.first { sameBytes(foldedText($0.written), wanted) }?.name
  }

  /// The values with this prefix, each once, in the spelling that matches the prefix.
  func beginning(_ value: String) -> [String] {
    let wanted = Array(foldedText(value).utf8)
    var seen: Set<String> = []
    return known.filter { foldedText($0.written).utf8.starts(with: wanted) && seen.insert($0.name).inserted }
      .map(\.written)
  }

  /// The problem with an unknown value: several names are distinguished from a misspelled one.
  func problem(
    with filter: QueryFilter,
    _ unknown: (_ value: String, _ nearest: String?, _ choices: [String]) -> QueryProblem.Reason
  ) -> QueryProblem {
    let parts = filter.value.split { $0 == "," || $0 == ";" || $0 == "|" || $0 == "、" }
    let names = parts.compactMap { likely(String($0)) }
    let reason: QueryProblem.Reason =
      parts.count > 1 && names.count == parts.count
      ? .several(filter.field, filter.value, names: names)
      : unknown(filter.value, likely(filter.value), choices)
    return QueryProblem(reason, at: filter.place)
  }

  /// The likely value, by a misspelling or by its prefix, as a word that needs no quotes.
  private func likely(_ value: String) -> String? {
    let written = likelyName(for: value.lowercased(), among: known.map(\.written)) ?? beginning(value).first
    guard let written else { return nil }
    return written.contains(where: \.isWhitespace) ? meaning(of: written) : written
  }
}
