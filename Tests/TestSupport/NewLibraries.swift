import Contract
import Daemon
import Features
import Store

extension Migrations {
  /// From now on new libraries of the same features are copies of the first one in this process.
  package static func keepNewLibraries() {
    kept.withLock { $0 = $0 ?? [:] }
  }
}

extension Store {
  /// Makes a library as a daemon leaves it that has ended, with nothing in it.
  static func makeEmpty(in library: LibraryFolder, state: String) throws {
    Migrations.keepNewLibraries()
    try library.prepare()
    let ids = Identifiers { Instant(milliseconds: 0) }
    let store = try Store(
      folder: library,
      parts: Store.Parts(
        migrations: AllFeatures.features.flatMap(\.migrations), collections: AllFeatures.features.flatMap(\.collections)
      ),
      machineState: try MachineState(folder: state) { ids.next() },
      surroundings: Store.Surroundings(now: { Instant(milliseconds: 0) }, newID: { ids.next() }, log: Log { _, _ in }))
    store.close()
  }
}
