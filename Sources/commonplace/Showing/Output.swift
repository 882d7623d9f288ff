import Contract
import Wire

/// How an answer is printed.
struct Output {
  /// By default as the output is a terminal or not.
  var layout: Layout?
  /// JSON on a terminal too, where there would be a table or a page.
  var isJSON = false

  enum Layout: String, CaseIterable {
    case pretty, compact
  }

  /// For people where people read it, else as JSON. `words` are those of the command line that asked.
  func show(_ reply: JSONValue, to method: MethodDescription?, asked words: [String] = [], on screen: Screen) {
    guard Terminal.isOutput, !isJSON, let method,
      let text = ShownReply.text(of: reply, to: method, asked: words, on: screen)
    else { return print(reply) }
    Terminal.write(text)
  }

  private func print(_ value: JSONValue) {
    let isPretty = layout.map { $0 == .pretty } ?? Terminal.isOutput
    Terminal.write(json: (isPretty ? PrettyJSON.text(of: value) : value.description) + "\n")
  }
}
