import Contract
import SQLite
import Store
import Wire

/// Work that runs in rounds (`DueLoop`) for as long as the daemon runs.
package protocol DueWork: AnyObject, Sendable {
  var loop: DueLoop { get }
  /// Does what is due. Returns the time until the next round.
  func round(with services: Services) async -> Duration
}

extension DueWork {
  package func begin(with services: Services) { loop.begin(of: self, with: services) { await $0.round(with: $1) } }

  package func end() { loop.end() }

  /// Something may be due sooner than was thought.
  package func wake() { loop.wake() }

  package var isEnded: Bool { loop.isEnded }

  /// A round that fetches the due ones of some rows. Returns the time until the next of them is due by its `nextAt`.
  ///
  /// - Parameters:
  ///   - name: what a failure delays, for the log.
  ///   - rows: the rows in SQL, after `FROM`.
  package func round(
    _ name: String, of rows: String, with services: Services, _ fetch: (_ now: Instant) async throws -> Void
  ) async -> Duration {
    do {
      try await fetch(services.now())
      let next = try await services.library.read(as: DaemonCaller()) { snapshot in
        try snapshot.db.first("SELECT min(ifnull(nextAt, 0)) FROM \(rows)") { $0.isNull(0) ? nil : $0.integer(0) }
          ?? nil
      }
      guard let next else { return .seconds(300) }
      // What could not even be noted after its fetch must not be fetched in a loop.
      return .milliseconds(max(next - services.now().milliseconds, 60_000))
    } catch {
      if !isEnded { services.log("the refresh of \(name) is delayed: \(error)", as: .warning) }
      return .seconds(300)
    }
  }
}
