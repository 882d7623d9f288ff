import Contract
import Wire

/// How an answer is printed.
struct Output {
  /// By default as the output is a terminal or not.
  var layout: Layout?
  /// JSON on a terminal too, instead of a table or a page.
  var isJSON = false
  /// One line of JSON for each item of a list; for other methods, one for each line of the input.
  var isLines = false
  /// The whole list, in as many requests as necessary.
  var isAll = false
  /// On a terminal, the heading of an item that is shown as one row instead of a page, such as “Added”.
  var brief: Text?

  enum Layout: String, CaseIterable {
    case pretty, compact
  }

  /// As a table on a terminal, else as JSON. `words` are those of the command line. The items of a displayed list get
  /// numbers, which the next command accepts.
  func show(_ reply: JSONValue, to method: MethodDescription?, asked words: [String] = [], in place: Place) {
    if isLines, let items = reply["items"]?.arrayValue {
      for item in items where !Terminal.write(json: item.description + "\n") { return }
      return
    }
    guard Terminal.isOutput, !isJSON, let method else { return print(reply) }
    var screen = place.screen
    let row = brief.flatMap { BriefItem(reply, heading: $0, say: screen.say) }
    let list = ListedItems(reply, of: method, place.voice.collections, isItem: row != nil)
    if let nothing = EmptyList.message(of: method, asked: words, place.voice.collections) { screen.nothing = nothing }
    if let file = TerminalList(place) {
      // An empty list replaces the one before: its numbers mean nothing any more.
      if list != nil || reply["items"]?.arrayValue?.isEmpty == true { file.write(list?.items ?? []) }
      screen.labels = list?.labels ?? [:]
    }
    if let row {
      Terminal.write(row.text(on: screen))
      return
    }
    guard let text = ShownReply.text(of: reply, to: method, asked: words, on: screen) else { return print(reply) }
    Terminal.write(text)
  }

  private func print(_ value: JSONValue) {
    let isPretty = layout.map { $0 == .pretty } ?? Terminal.isOutput
    Terminal.write(json: (isPretty ? PrettyJSON.text(of: value) : value.description) + "\n")
  }
}
