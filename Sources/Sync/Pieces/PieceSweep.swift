import Contract
import Kit
import SQLite
import Store
import Wire

/// Removes pieces that no state has named for a month, by this device's own watch. If one is removed wrongly, whoever has
/// its file puts it again. While states have items or fields of a newer version, none is removed.
struct PieceSweep: Sendable {
  let services: Services
  let target: any SyncTarget
  let sealing: PieceSealing
  let caller: FeatureCaller

  /// How long a piece has to be without a name before it is removed, and how often this is looked at, in milliseconds.
  private static let patience = 30 * SyncPolicy.day
  private static let interval = 7 * SyncPolicy.day
  /// The most pieces that are removed at once.
  private static let mostRemoved = 1_000

  /// Looks at all pieces, if that is due and this device has read everything that lies at the target.
  ///
  /// - Throws: `TargetError`, `CancellationError`, `StoreError`, `DatabaseError`.
  func run() async throws {
    let now = services.now().milliseconds
    let collections = SharedCollections(services.library)
    let (isFirst, named) = try await services.library.read(as: caller) { snapshot -> (Bool, Set<String>?) in
      let last = try snapshot.db.first("SELECT sweptAt FROM syncSpace") { $0.integer(0) } ?? now
      // The first time there is nothing to look at.
      if last == 0 { return (true, []) }
      // A clock that was ahead must not stop it.
      guard last > now || now - last >= Self.interval, let stored = try StoredLedger.read(in: snapshot.db),
        // Nobody reads the files of a replaced key, and their pieces have other names.
        stored.ledger.records.values.allSatisfy({ [.read, .outdated].contains($0.reading) || $0.includedSince != nil })
      else { return (false, nil) }
      let states = LibraryStates(snapshot.db, collections.schema)
      // They may name files that nothing else does.
      if try states.hasUnknown() { return (false, nil) }
      return (false, try SharedFileRows(collections).named(by: states))
    }
    guard let named else { return }
    var unnamed = isFirst ? [] : try await pieces()
    for hash in named.compactMap({ BlobHash($0) }) {
      for index in 0..<PieceSealing.maximumPieces {
        guard unnamed.remove(sealing.name(of: hash, index)) != nil else { break }
      }
    }
    for name in try await note(unnamed, at: now) {
      try Task.checkCancellation()
      let folder = PieceSealing.folder(of: name)
      for name in [name, PieceSealing.report(of: name)] { try await target.remove(at: "\(folder)/\(name)") }
    }
  }

  private func pieces() async throws -> Set<String> {
    var pieces: Set<String> = []
    for number in 0..<256 {
      try Task.checkCancellation()
      let digits = String(number, radix: 16)
      let folder = digits.utf8.count == 1 ? "0" + digits : digits
      for file in try await target.files(in: "pieces/\(folder)")
      where BlobHash(file.name) != nil && file.name.hasPrefix(folder) {
        pieces.insert(file.name)
      }
    }
    return pieces
  }

  /// Notes since when pieces have no name.
  ///
  /// - Returns: those that have had none for long enough and are to be removed; sorted. They are noted no more: one that
  ///   is put there again waits as long again.
  private func note(_ unnamed: Set<String>, at now: Int64) async throws -> [String] {
    try await services.library.write(as: caller, label: FileExchange.label) { transaction in
      let db = transaction.db
      transaction.keepSilent()
      for name in try db.texts("SELECT name FROM syncUnnamed") where !unnamed.contains(name) {
        try db.run("DELETE FROM syncUnnamed WHERE name = ?", [.text(name)])
      }
      try db.run("UPDATE syncUnnamed SET since = ?1 WHERE since > ?1", [.integer(now)])
      for name in unnamed.sorted() {
        try db.run("INSERT OR IGNORE INTO syncUnnamed (name, since) VALUES (?, ?)", [.text(name), .integer(now)])
      }
      try db.run("UPDATE syncSpace SET sweptAt = ?", [.integer(now)])
      let removed = try db.texts(
        "SELECT name FROM syncUnnamed WHERE since <= ? ORDER BY name LIMIT \(Self.mostRemoved)",
        [.integer(now - Self.patience)])
      for name in removed { try db.run("DELETE FROM syncUnnamed WHERE name = ?", [.text(name)]) }
      return removed
    }
  }
}
