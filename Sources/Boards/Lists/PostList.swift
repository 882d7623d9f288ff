import Contract
import Kit
import Store
import Wire

/// A part of a list of posts, with the board that was selected.
struct PostList: Payload {
  /// A board in the reply of a list.
  struct MeantBoard: Payload {
    var id: BoardID
    var title: String
    var source: SourceID
    var sourceTitle: String
    static let example = MeantBoard(id: "0192", title: "Notices", source: "0191", sourceTitle: "The groupware")
    static let fields = [
      "id": "The board.", "title": "Its name for people, or a placeholder.", "source": "The source of the board.",
      "sourceTitle": "The title of that source.",
    ]
  }

  var page: RemotePage<Post>
  var board: MeantBoard?

  init(_ page: RemotePage<Post>, board: MeantBoard?) {
    self.page = page
    self.board = board
  }

  private enum Key: String, CodingKey {
    case board
  }

  init(from decoder: any Decoder) throws {
    page = try RemotePage(from: decoder)
    board = try decoder.container(keyedBy: Key.self).decodeIfPresent(MeantBoard.self, forKey: .board)
  }

  func encode(to encoder: any Encoder) throws { try JSONEncoding.encode(written: json(), to: encoder) }

  func write(to json: inout JSONWriter) throws {
    json.beginObject()
    try page.writeMembers(to: &json)
    if let board { try json.member("board", board) }
    json.endObject()
  }

  static let example = PostList(.example, board: .example)
  static let fields = RemotePage<Post>.fields.merging(
    ["board": "The board of the posts; absent with `all` and `saved`."]) { $1 }
}

extension PostList.MeantBoard {
  init(_ board: BoardRecord, of source: SourceRecord?, in snapshot: Snapshot) {
    self.init(
      id: BoardID(unchecked: board.id), title: BoardView.title(of: board, in: snapshot),
      source: SourceID(unchecked: board.source), sourceTitle: source?.shownTitle ?? "")
  }
}
