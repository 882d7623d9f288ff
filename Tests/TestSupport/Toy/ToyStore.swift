import Contract
import Foundation
import Kit
import Store
import Synchronization

extension Store {
  /// A store of toys without a daemon around it: in a folder of the test, at one moment, with ids that count up.
  ///
  /// - Parameters:
  ///   - others: features whose items are in the library too.
  ///   - log: what is told.
  package static func toys(
    in folder: TemporaryFolder, beside others: [Feature] = [], sliceRows: Int? = nil, groupDuration: Duration? = nil,
    limits: WALLimits = WALLimits(), turnClock: (@Sendable () -> ContinuousClock.Instant)? = nil,
    answerTogether: (@Sendable (() -> Void) -> Void)? = nil,
    freeBytes: (@Sendable (String) -> Int64?)? = nil, log: Log = Log { _, _ in }
  ) throws -> Store {
    Migrations.keepNewLibraries()
    let library = LibraryFolder(folder.file("library"))
    try library.prepare()
    let features = others + [ToyFeature.feature]
    let ids = Mutex(0)
    let newID: @Sendable () -> String = {
      ids.withLock {
        $0 += 1
        return "id-\($0)"
      }
    }
    var surroundings = Store.Surroundings(now: { Instant(milliseconds: 1_000) }, newID: newID, log: log)
    surroundings.limits = limits
    if let turnClock { surroundings.turnClock = turnClock }
    if let freeBytes { surroundings.freeBytes = freeBytes }
    if let groupDuration { surroundings.groupDuration = groupDuration }
    if let sliceRows { surroundings.sliceRows = sliceRows }
    if let answerTogether { surroundings.answerTogether = answerTogether }
    return try Store(
      folder: library,
      parts: Store.Parts(
        migrations: features.flatMap(\.migrations), collections: features.flatMap(\.collections)),
      machineState: try MachineState(folder: folder.file("state"), newID: newID),
      surroundings: surroundings)
  }
  /// Writes in a commit of its own, and returns after that.
  @discardableResult
  package func write<Value: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let value = Mutex<Value?>(nil)
      writes.add(
        WriteJob(caller: DaemonCaller(), label: "test") { transaction in
          let result = try body(transaction)
          value.withLock { $0 = result }
          return []
        } completion: { result in
          continuation.resume(with: result.map { _ in value.withLock { $0! } })
        })
    }
  }

  /// Closes it as a daemon that ends does, and waits longer for who is still in it: the machine may be busy.
  package func close() { close(deadline: .now + .seconds(60)) }
}
