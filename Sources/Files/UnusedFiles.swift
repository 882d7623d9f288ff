import Contract
import Exchange
import Kit
import SQLite
import Store
import Synchronization
import Wire

/// Removes files to which nothing has referred for a term, in the background.
///
///     no text shows it, unchanged for 90 days ──► no old version and no feature needs it ──► removed
///                                                   │
///                                                   └► one does: inspected again after 30 days
///
/// Until its old row is pruned (`Store.fetchedMilliseconds`) `changes/restore` brings a file back; then its bytes are
/// swept.
final class UnusedFiles: DueWork {
  /// How long a file without a use stays, in milliseconds: as long as the log retains what a client may undo.
  static let term = ChangeLog.retentionMilliseconds
  /// After how long a file that was still needed is inspected again, in milliseconds.
  static let recheck: Int64 = 30 * 86_400_000
  /// The most files of one step.
  private static let most = 500
  /// The most files of one write: other writes wait for it.
  private static let few = 10
  /// The number of commits whose old versions one read inspects: other reads wait for it.
  private static let span: Int64 = 20_000
  private static let day = Duration.seconds(86_400)

  let loop: DueLoop

  init() {
    var pace = DueLoop.Pace()
    pace.longest = Self.day
    loop = DueLoop(pace)
  }

  /// Removes all unused files. Returns the time until the next round.
  func round(with services: Services) async -> Duration {
    do {
      while !loop.isEnded, try await step(with: services) {}
    } catch {
      if !loop.isEnded { services.log("unused files are not removed: \(error)", as: .warning) }
    }
    return Self.day
  }

  /// Removes some. Returns whether more may be left.
  ///
  /// A file that was restored has the time of its last update, but the revision of its return.
  private func step(with services: Services) async throws -> Bool {
    let now = services.now().milliseconds
    let (unused, head) = try await services.library.read(as: DaemonCaller()) { snapshot in
      (
        try snapshot.db.texts(
          """
          SELECT id FROM file WHERE updatedAt < ?1 AND NOT \(FileUses.isUsed)
            AND NOT EXISTS (SELECT 1 FROM commits WHERE clock = file.revision AND at >= ?1)
            AND id NOT IN (SELECT file FROM fileNeed WHERE until > ?2) ORDER BY updatedAt, id LIMIT \(Self.most)
          """, [.integer(now - Self.term), .integer(now)]), snapshot.clock
      )
    }
    if unused.isEmpty { return false }
    let ids = Set(unused)
    var needed: Set<String> = []
    for start in stride(from: 0, to: head, by: Int(Self.span)) {
      needed.formUnion(
        try await services.library.read(as: DaemonCaller()) {
          try FileUses.versions(showing: ids, after: start, through: min(start + Self.span, head), in: $0)
        })
    }
    for retained in services.library.retainedFiles {
      needed.formUnion(try await services.library.read(as: DaemonCaller()) { try retained(ids, .min, $0) })
    }
    let before = needed
    for start in stride(from: 0, to: unused.count, by: Self.few) where !loop.isEnded {
      let some = Set(unused[start..<min(start + Self.few, unused.count)])
      try await services.library.write(as: FeatureCaller.daemon(services), label: RemoveUnusedFiles.name) {
        try Self.remove(some, unlessNeeded: before, orSince: (head, now), in: $0)
      }
    }
    return unused.count == Self.most
  }

  /// Removes files that no text shows, and that nothing needed before a clock and a moment, nor what was stored since.
  static func remove(
    _ ids: Set<String>, unlessNeeded before: Set<String>, orSince since: (clock: Int64, moment: Int64),
    in transaction: Transaction
  ) throws {
    let snapshot = transaction.snapshot
    var needed = before.union(try FileUses.versions(showing: ids, after: since.clock, through: .max, in: snapshot))
    for retained in snapshot.services.library.retainedFiles {
      needed.formUnion(try retained(ids, since.moment, snapshot))
    }
    transaction.keepSilent()
    try transaction.db.run(
      "DELETE FROM fileNeed WHERE until <= ? OR file NOT IN (SELECT id FROM file)", [.integer(since.moment)])
    for id in ids.sorted() {
      guard let file = try snapshot.find(FileRecord.self, id: id), try FileUses.count(of: id, in: snapshot) == 0
      else { continue }
      if needed.contains(id) {
        try transaction.db.run(
          "INSERT OR REPLACE INTO fileNeed (file, until) VALUES (?, ?)",
          [.text(id), .integer(since.moment + recheck)])
      } else {
        try transaction.remove(file)
      }
    }
  }
}

extension Services {
  var unusedFiles: UnusedFiles { memory.object(UnusedFiles.self) { UnusedFiles() } }
}
