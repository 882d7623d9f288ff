import Contract
import Kit
import Store
import Wire

enum GetProject: ReadMethod, ManyItemsMethod {
  static let name = "projects/get"
  static let summary = "One card with its body."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.notFound]
  static let isQuick = true

  struct Params: Payload {
    var id: ProjectID
    var preview: ProjectPreview?
    static let example = Params(id: "0192", preview: .example)
    static let fields = ["id": "The card.", "preview": "The part of the body that `preview` has."]
  }
  typealias Result = Project

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Project {
    let record = try snapshot.get(ProjectRecord.self, id: params.id.text)
    return try ProjectView(params.preview, in: snapshot).project(record)
  }
}

enum ListProjectActions: ReadMethod {
  static let name = "projects/actions"
  static let summary = "The columns that a card can be moved to: all others."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.notFound]
  static let isQuick = true

  struct Params: Payload {
    var id: ProjectID
    static let example = Params(id: "0192")
    static let fields = ["id": "The card."]
  }

  struct Result: Payload {
    var actions: [MoveAction]
    static let example = Result(actions: [.example])
    static let fields = ["actions": "One for each other column, from left to right."]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let record = try snapshot.get(ProjectRecord.self, id: params.id.text)
    let view = try ProjectView(in: snapshot)
    return Result(
      actions: view.boards.columns(of: record.board).all.filter { !sameBytes($0.state, record.state) }.map {
        MoveAction(state: ColumnID(unchecked: $0.state), display: view.actionWords($0))
      })
  }
}

/// A move that a client can offer for a card.
struct MoveAction: Payload {
  var state: ColumnID
  var display: String
  static let example = MoveAction(state: "doing", display: "Move To DOING")
  static let fields = ["state": "The column, for `projects/move`.", "display": "Its label."]
}
