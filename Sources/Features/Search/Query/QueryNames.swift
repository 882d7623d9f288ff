import Contract
import Display
import Store
import Wire

/// The words that a field of a question takes, such as `diary` behind `in:`, and what else they are called.
struct QueryNames {
  /// As they are listed.
  let choices: [String]
  /// Everything that may be written, with the word that it stands for.
  private let known: [(written: String, name: String)]

  /// What `in:` takes: collections, by their names and by what they are called in any language.
  init(collections services: Services) {
    let sources = services.library.searchSources
    choices = sources.map(\.collection)
    known = sources.flatMap { source in
      let labels = Language.allCases.map { services.catalogue.string(for: source.label, language: $0) }
      return ([source.collection] + labels).map { ($0, source.collection) }
    }
  }

  /// What `is:` takes.
  init(states services: Services) {
    choices = Set(services.library.searchSources.flatMap { $0.states.map(\.name) }).sorted()
    known = choices.map { ($0, $0) }
  }

  /// The word that is meant; nil where there is none.
  func meaning(of value: String) -> String? {
    let wanted = foldedText(value)
    return known.first { sameBytes(foldedText($0.written), wanted) }?.name
  }

  /// Those that begin so, each once, as somebody began to write them.
  func beginning(_ value: String) -> [String] {
    let wanted = Array(foldedText(value).utf8)
    var seen: Set<String> = []
    return known.filter { foldedText($0.written).utf8.starts(with: wanted) && seen.insert($0.name).inserted }
      .map(\.written)
  }

  /// What is wrong with a value that means nothing: several names are told from a misspelled one.
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

  /// What may have been meant, by a slip or by its beginning, as a word that needs no quotes.
  private func likely(_ value: String) -> String? {
    let written = likelyName(for: value.lowercased(), among: known.map(\.written)) ?? beginning(value).first
    guard let written else { return nil }
    return written.contains(where: \.isWhitespace) ? meaning(of: written) : written
  }
}
