import Contract
import Kit
import Store
import Wire

/// A step of a card: a line of its checklist, for what needs no card of its own.
struct ProjectStep: Payload, Equatable {
  var text: String
  var done: Bool?

  static let example = ProjectStep(text: "Find the receipt", done: true)
  static let fields = ["text": "What to do, in one line.", "done": "True if it is done. Default: false."]
  static let limits: [String: FieldLimits] = ["text": .length(1...longestText, notBlank: true)]

  static let longestText = 1_000
  /// The most steps of a card.
  static let most = 200

  var isDone: Bool { done == true }

  init(text: String, done: Bool?) {
    self.text = text
    // One stored form for each meaning.
    self.done = done == true ? true : nil
  }

  /// The step to store, without white space around its text.
  ///
  /// - Parameter field: the name of the param that contains it.
  /// - Throws: `invalidParams` for a text with a line end or a control character.
  func checked(field: String) throws(RPCError) -> ProjectStep {
    try ProjectText.requireOneLine(.string(text), field: field + ".text")
    return ProjectStep(text: ProjectText.trimmed(text), done: done)
  }
}

extension [ProjectStep] {
  /// How many are done; nil without steps.
  var count: DoneCount? {
    isEmpty ? nil : DoneCount(done: lazy.filter(\.isDone).count, of: self.lazy.count)
  }

  var unticked: [ProjectStep] { map { ProjectStep(text: $0.text, done: nil) } }
}
