import Contract
import Crypto
import Kit
import Store
import Wire

enum AddApp: WriteMethod {
  static let name = "boards/addApp"
  static let summary =
    "Lets a feed reader on another device read the posts of this library and mark them, by the Google Reader API of "
    + "`commonplace web`, or KOReader on an e-reader share how far a book is read. The reply has the app's token, which "
    + "is not stored and never shown again. Not undoable: `boards/removeApp` locks the app out."
  /// Those of `boards/answerApp`: whoever has the token may do as much.
  static let effects = AnswerApp.effects
  static let errors: [ErrorKind] = [.notAllowed]

  struct Params: Payload {
    var title: String
    static let example = Params(title: "Phone")
    static let fields = ["title": "A title for it, such as that of the device."]
    static let limits: [String: FieldLimits] = [
      "title": FieldLimits(minimumLength: 1, maximumLength: 200, notBlank: true)
    ]
  }

  struct Result: Payload {
    var id: ReaderAppID
    var title: String
    var token: String
    static let example = Result(
      id: "0198", title: "Phone", token: "8f14e45fceea167a5a36dedd4bea2543f3c9f0b5c0c3ab1f")
    static let fields = [
      "id": "The app.", "title": "Its title.", "token": "Its password; the user name may be anything.",
    ]
  }

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    guard try ReaderApp.all(in: transaction.db).count < ReaderApp.most else {
      throw RPCError(.notAllowed, text: Text("boards.tooManyApps", ["most": String(ReaderApp.most)]))
    }
    let (id, token) = (transaction.services.newID(), token())
    transaction.changeSetting()
    try transaction.db.run(
      "INSERT INTO readerApp VALUES (?, ?, ?, ?, NULL, ?)",
      [
        .text(id), .text(params.title), .text(ReaderApp.hash(of: token)), .integer(transaction.now.milliseconds),
        .text(ReaderApp.hash(of: MD5.hexadecimal(of: Array(token.utf8)))),
      ])
    return Result(id: ReaderAppID(unchecked: id), title: params.title, token: token)
  }

  /// 24 random bytes as hexadecimal digits, which a person can type on a phone if need be.
  private static func token() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<24).map { _ in
      let digits = String(generator.next() as UInt8, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}

enum ListApps: ReadMethod {
  static let name = "boards/apps"
  static let summary = "The apps that read along, at most 100, in the order of their addition. Tokens are not shown."
  static let effects: Effects = .reads
  typealias Params = Empty
  typealias Result = Page<ReaderApp>

  static func run(_ params: Empty, in snapshot: Snapshot) throws -> Page<ReaderApp> {
    let apps = try ReaderApp.all(in: snapshot.db)
    return Page(items: apps, offset: 0, limit: ReaderApp.most, total: apps.count, next: nil)
  }
}

enum RemoveApp: WriteMethod {
  static let name = "boards/removeApp"
  static let summary = "Locks an app out: its token is invalid from now on. What it marked stays. Not undoable."
  static let effects: Effects = [.writes, .destroys]
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var id: ReaderAppID
    static let example = Params(id: "0198")
    static let fields = ["id": "The app."]
  }

  struct Result: Payload {
    var removed: ReaderAppID
    static let example = Result(removed: "0198")
    static let fields = ["removed": "The removed app."]
  }

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    transaction.changeSetting()
    try transaction.db.run("DELETE FROM readerApp WHERE id = ?", [.text(params.id.text)])
    guard transaction.db.changesCount > 0 else {
      throw RPCError(
        .notFound, text: Text("boards.noApp", ["id": params.id.text]),
        data: ["collection": "readerApps", "id": .string(params.id.text)])
    }
    return Result(removed: params.id)
  }
}
