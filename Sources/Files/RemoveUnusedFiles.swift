import Contract
import Exchange
import Kit
import Store
import Wire

enum RemoveUnusedFiles: LongWriteMethod {
  static let name = "files/removeUnused"
  static let summary =
    "Removes the files that no text shows, in one undo step. Their bytes stay as long as an undo can restore them."
  static let since = 1
  static let effects: Effects = [.writes, .destroys]

  struct Params: Payload {
    var dryRun: Bool?
    static let example = Params(dryRun: true)
    static let fields = ["dryRun": "Only report how many would be removed."]
  }

  struct Result: Payload {
    var removed: Int?
    var count: Int?
    var size: Int64
    static let example = Result(removed: nil, count: 3, size: 7_200_000)
    static let fields = [
      "removed": "The number of files removed.", "count": "In a dry run: the number of files that would be removed.",
      "size": "Their total size in bytes.",
    ]
  }

  struct Position: Sendable {
    var last = ""
    var removed = 0
    var size: Int64 = 0
  }

  static func run(
    _ params: Params, from position: Position?, in transaction: Transaction
  ) throws -> Sliced<Position, Result> {
    let unused = "NOT \(FileUses.isUsed)"
    if params.dryRun == true {
      let (count, size) =
        try transaction.db.first("SELECT count(*), ifnull(sum(size), 0) FROM file WHERE \(unused)") {
          (Int($0.integer(0)), $0.integer(1))
        } ?? (0, 0)
      return .done(Result(removed: nil, count: count, size: size))
    }
    var position = position ?? Position()
    while let file = try FileRecord.first(
      in: transaction.db, "WHERE id > ? AND \(unused) ORDER BY id LIMIT 1", [.text(position.last)])
    {
      guard transaction.hasRoom else { return .more(position) }
      try transaction.remove(file)
      (position.last, position.removed, position.size) = (file.id, position.removed + 1, position.size + file.size)
    }
    return .done(Result(removed: position.removed, count: nil, size: position.size))
  }
}
