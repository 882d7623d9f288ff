import Contract
import Exchange
import Kit
import Store
import Wire

enum RemoveUnusedFiles: LongWriteMethod {
  static let name = "files/removeUnused"
  static let summary =
    "Removes the files that no text shows, in one undo step. Their bytes stay as long as an undo can restore them."
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
    var position = position ?? Position()
    while true {
      let files = try FileRecord.all(
        in: transaction.db, "WHERE id > ? AND NOT \(FileUses.isUsed) ORDER BY id LIMIT 100", [.text(position.last)])
      if files.isEmpty { break }
      // Those that no text shows, but that a draft, a download or the like needs.
      let ids = Set(files.map(\.id))
      var needed: Set<String> = []
      for retained in transaction.snapshot.services.library.retainedFiles {
        needed.formUnion(try retained(ids, .min, transaction.snapshot))
      }
      for file in files {
        guard transaction.hasRoom else { return .more(position) }
        position.last = file.id
        if needed.contains(file.id) { continue }
        if params.dryRun != true { try transaction.remove(file) }
        (position.removed, position.size) = (position.removed + 1, position.size + file.size)
      }
    }
    return .done(
      params.dryRun == true
        ? Result(removed: nil, count: position.removed, size: position.size)
        : Result(removed: position.removed, count: nil, size: position.size))
  }
}
