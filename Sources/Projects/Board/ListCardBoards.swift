import Contract
import Kit
import Store
import Wire

enum ListCardBoards: ReadMethod {
  static let name = "projects/boards"
  static let summary = "The boards of cards in their order, with the numbers of their cards."
  static let effects: Effects = .reads

  struct Params: Payload {
    var archived: Bool?
    static let example = Params(archived: true)
    static let fields = ["archived": "List the archived boards too."]
  }

  struct Result: Payload {
    var items: [CardBoard]
    var defaultBoard: CardBoardID
    static let example = Result(items: [.example], defaultBoard: "default")
    static let fields = [
      "items": "The boards.", "defaultBoard": "The board that is meant when a method is called without `board`.",
    ]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let boards = try CardBoards(in: snapshot)
    let listed = params.archived == true ? boards.all : boards.current
    return Result(
      items: try ShownCardBoard.list(listed, of: boards, in: snapshot),
      defaultBoard: CardBoardID(unchecked: CardBoardRecord.defaultID))
  }
}
