import Kit
import Store
import Wire

/// A mirror, as stored in the library.
package struct MirrorSetting: Sendable, Equatable {
  package var path: String
  /// The confinement of the client that named the path; nil for a client without one.
  package var confinement: FileConfinement?

  static func stored<Item: MirroredItem>(of type: Item.Type, in snapshot: Snapshot) throws -> MirrorSetting? {
    try snapshot.db.first("SELECT path, confinement FROM \(Item.mirrorTable)") { row in
      MirrorSetting(path: row.text(0), confinement: row.isNull(1) ? nil : FileConfinement(json: row.text(1)))
    }
  }

  static func set<Item: MirroredItem>(
    _ setting: MirrorSetting?, of type: Item.Type, in transaction: Transaction
  ) throws {
    transaction.changeSetting()
    if let setting {
      try transaction.db.run(
        "INSERT OR REPLACE INTO \(Item.mirrorTable) (one, path, confinement) VALUES (1, ?, ?)",
        [.text(setting.path), setting.confinement.map { .text($0.json) } ?? .null])
    } else {
      try transaction.db.run("DELETE FROM \(Item.mirrorTable)")
    }
  }

  /// Identifies the library: a copy of it is another library, which must not write into the mirror of the first.
  static func marker<Item: MirroredItem>(of type: Item.Type, in library: LibraryIdentity) -> String {
    "A mirror of a Commonplace \(Item.mirrorName), written only by its library.\nlibrary: \(library.id)\n"
      + "epoch: \(library.epoch)\n"
  }
}
