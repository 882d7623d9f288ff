import Contract
import Kit
import Store
import Wire

/// The result of setting marks.
struct MarkedPosts: Payload {
  var count: Int
  static let example = MarkedPosts(count: 3)
  static let fields = ["count": "The number of posts whose mark changed."]
}

extension MarkedPosts {
  /// Changes the marks of posts.
  ///
  /// - Throws: `notFound` for a post that does not exist.
  init(_ ids: [PostID], in transaction: Transaction, _ change: (inout PostMarkRecord) -> Void) throws {
    count = 0
    for id in ids {
      _ = try transaction.snapshot.get(PostSummary.self, id: id.text)
      if try PostMarks.set(id.text, in: transaction, change) { count += 1 }
    }
  }
}

enum MarkRead: LongWriteMethod {
  static let name = "boards/markRead"
  static let summary =
    "Marks posts as read or unread, on all boards that have them. A thread by its id is read with all its present "
    + "answers. One undo step. Works offline."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var ids: [PostID]?
    var board: BoardID?
    var folder: [String]?
    var all: Bool?
    var read: Bool
    var upTo: Instant?
    static let example = Params(ids: ["0193"], board: nil, folder: nil, all: nil, read: true, upTo: nil)
    static let fields = [
      "ids": "The posts.", "board": "All stored posts of this board.",
      "folder": "All stored posts of the sources in this folder and those below it, as in `boards/posts`.",
      "all": "`true`: all stored posts of all sources; kept pages stay as they are.",
      "read": "Whether to mark them as read.",
      "upTo": "Only posts that had arrived here by then; posts that arrived later stay unchanged.",
    ]
    static let limits: [String: FieldLimits] = ["ids": .length(1...1_000), "folder": SourceFolder.limits]
    static let exactlyOne = [["ids", "board", "folder", "all"]]
  }
  typealias Result = MarkedPosts

  /// Where a slice ended.
  struct Position: Sendable {
    var count = 0
    var board = ""
    var post = ""
  }

  static func run(
    _ params: Params, from position: Position?, in transaction: Transaction
  ) throws -> Sliced<Position, MarkedPosts> {
    var position = position ?? Position()
    if let ids = params.ids {
      for id in ids {
        let post = try transaction.snapshot.get(PostSummary.self, id: id.text)
        if let upTo = params.upTo, post.createdAt > upTo { continue }
        let newest = params.read ? try newestPart(of: id.text, in: transaction) : nil
        if try mark(id.text, params.read, newest, in: transaction) { position.count += 1 }
      }
      return .done(MarkedPosts(count: position.count))
    }
    let boards = try boards(of: params, in: transaction)
    let isDone = try mark(boards, params.read, upTo: params.upTo, from: &position, in: transaction)
    return isDone ? .done(MarkedPosts(count: position.count)) : .more(position)
  }

  /// Marks the posts of boards, each of which is walked through once, however many slices that takes.
  ///
  /// - Parameter boards: in order, so that a slice goes on after the board where the previous one ended.
  /// - Returns: whether all are marked.
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  static func mark(
    _ boards: [String], _ isRead: Bool, upTo: Instant?, from position: inout Position, in transaction: Transaction
  ) throws -> Bool {
    for board in boards where board >= position.board {
      if board != position.board { (position.board, position.post) = (board, "") }
      while true {
        guard transaction.hasRoom else { return false }
        let posts = try transaction.db.texts(
          """
          SELECT post FROM boardPost WHERE board = ?1 AND post > ?2 AND isRead = ?3
            AND (?4 IS NULL OR (SELECT createdAt FROM post WHERE id = boardPost.post) <= ?4)
          ORDER BY post LIMIT 100
          """, [.text(board), .text(position.post), .bool(!isRead), .integer(upTo?.milliseconds)])
        guard let last = posts.last else { break }
        for post in posts where try mark(post, isRead, in: transaction) { position.count += 1 }
        position.post = last
      }
    }
    return true
  }

  /// In order.
  private static func boards(of params: Params, in transaction: Transaction) throws -> [String] {
    let snapshot = transaction.snapshot
    if let board = params.board { return [try snapshot.get(BoardRecord.self, id: board.text).id] }
    if let folder = params.folder { return try SourceFolder(folder, in: snapshot).boards(in: snapshot.db) }
    return params.all == true ? try snapshot.db.texts("SELECT id FROM board ORDER BY id") : []
  }

  /// - Parameter newest: when the newest post of a thread arrived. A thread that was read before is read again.
  static func mark(
    _ post: String, _ isRead: Bool, _ newest: Instant? = nil, in transaction: Transaction
  ) throws -> Bool {
    try PostMarks.set(post, in: transaction) { mark in
      let isKnown = mark.readAt.map { $0 >= newest ?? $0 } ?? false
      if !isRead { mark.readAt = nil } else if !isKnown { mark.readAt = transaction.now }
    }
  }

  private static func newestPart(of post: String, in transaction: Transaction) throws -> Instant? {
    try transaction.db.first(
      """
      SELECT max(part.value ->> 'arrivedAt') FROM
        (SELECT thread FROM post WHERE id = ?1 UNION ALL SELECT thread FROM postAccount WHERE post = ?1) AS content,
        json_each(content.thread) AS part
      """, [.text(post)]
    ) { $0.isNull(0) ? nil : Instant(milliseconds: $0.integer(0)) }.flatMap(\.self)
  }
}

enum SavePosts: WriteMethod {
  static let name = "boards/save"
  static let summary = "Saves posts, or unsaves them. A saved post stays when its source is removed. Works offline."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var ids: [PostID]
    var saved: Bool
    static let example = Params(ids: ["0193"], saved: true)
    static let fields = ["ids": "The posts.", "saved": "Whether to save them."]
    static let limits: [String: FieldLimits] = ["ids": .length(1...1_000)]
  }
  typealias Result = MarkedPosts

  static func run(_ params: Params, in transaction: Transaction) throws -> MarkedPosts {
    try MarkedPosts(params.ids, in: transaction) { $0.savedAt = params.saved ? $0.savedAt ?? transaction.now : nil }
  }
}

enum HidePosts: WriteMethod {
  static let name = "boards/hide"
  static let summary =
    "Hides posts, as a rule does, or shows hidden ones again. A saved post is shown until it is unsaved. Works offline."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var ids: [PostID]
    var hidden: Bool
    static let example = Params(ids: ["0193"], hidden: true)
    static let fields = ["ids": "The posts.", "hidden": "Whether to hide them."]
    static let limits: [String: FieldLimits] = ["ids": .length(1...1_000)]
  }
  typealias Result = MarkedPosts

  static func run(_ params: Params, in transaction: Transaction) throws -> MarkedPosts {
    try MarkedPosts(params.ids, in: transaction) { $0.hiddenAt = params.hidden ? $0.hiddenAt ?? transaction.now : nil }
  }
}
