import Contract
import Kit
import Store
import Wire

enum ChangeSteps: WriteMethod {
  static let name = "projects/steps"
  static let summary =
    "Ticks, adds or removes one step of a card. `projects/update` sets all of them. A step is named by its index, so send "
    + "`ifRevision` if another client may have changed the steps."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound, .conflict]

  struct Params: Payload {
    var id: ProjectID
    var toggle: Int?
    var add: String?
    var remove: Int?
    var ifRevision: Int64?
    static let example = Params(id: "0192", toggle: 1, add: nil, remove: nil, ifRevision: 42)
    static let fields = [
      "id": "The card.", "toggle": "The index of the step to tick, or to untick if it is done. The first is 0.",
      "add": "The text of a step to add at the end.", "remove": "The index of the step to remove.",
      "ifRevision": "Fails with `conflict` if the card has another revision.",
    ]
    static let limits: [String: FieldLimits] = [
      "toggle": .atLeast(0), "remove": .atLeast(0), "add": .length(1...ProjectStep.longestText, notBlank: true),
    ]
    static let exactlyOne = [["toggle", "add", "remove"]]
  }
  typealias Result = Project

  static func run(_ params: Params, in transaction: Transaction) throws -> Project {
    let record = try transaction.snapshot.get(ProjectRecord.self, id: params.id.text)
    try transaction.require(record, at: params.ifRevision)
    var steps = record.steps
    if let place = params.toggle {
      try require(place, "toggle", in: steps)
      steps[place] = ProjectStep(text: steps[place].text, done: !steps[place].isDone)
    }
    if let place = params.remove {
      try require(place, "remove", in: steps)
      steps.remove(at: place)
    }
    if let text = params.add {
      guard steps.count < ProjectStep.most else {
        throw RPCError.invalidParams(
          field: "add", reason: Text("projects.tooManySteps", ["most": String(ProjectStep.most)]))
      }
      try ProjectText.requireOneLine(.string(text), field: "add")
      steps.append(ProjectStep(text: ProjectText.trimmed(text), done: nil))
    }
    let changed = try transaction.change(record) { $0.steps = steps }
    try ProjectDraft.settle(saving: changed, over: record.revision, setting: { $0 == "steps" }, in: transaction)
    return try ProjectView(in: transaction.snapshot).project(changed)
  }

  private static func require(_ place: Int, _ field: String, in steps: [ProjectStep]) throws(RPCError) {
    if steps.indices.contains(place) { return }
    throw .invalidParams(field: field, reason: Text("projects.noStep", ["count": String(steps.count)]))
  }
}
