import Kit
import Store
import Synchronization
import Wire

/// The virtual texts that clients show for reading: each client is asked to read a text again after a change, as LSP's
/// `workspace/textDocumentContent/refresh` says.
final class ShownContents: Sendable {
  private struct Key: Hashable {
    var connection: String
    var uri: String
  }

  private struct State {
    /// The clock of the text that the client has. One that was asked for a text again is no longer here until it has it.
    var clocks: [Key: Int64] = [:]
    var isScheduled = false
  }

  private let state = Mutex(State())
  /// The most texts of all clients; any more are not followed.
  private static let most = 1_024
  /// Changes of a moment are one.
  private static let settling = Duration.milliseconds(100)

  /// A client has been given a text.
  func shown(_ uri: String, in connection: String, at clock: Int64) {
    state.withLock { state in
      let key = Key(connection: connection, uri: uri)
      if state.clocks.count < Self.most || state.clocks[key] != nil { state.clocks[key] = clock }
    }
  }

  func left(_ connection: String) {
    state.withLock { state in state.clocks = state.clocks.filter { $0.key.connection != connection } }
  }

  /// The library has changed. Only schedules, since it is called on the writer's thread.
  func libraryChanged(with services: Services) {
    let isNew = state.withLock { state in
      if state.clocks.isEmpty || state.isScheduled { return false }
      state.isScheduled = true
      return true
    }
    guard isNew else { return }
    let pause = services.pause
    // A weak reference during the wait, so that the daemon can exit.
    Task { [self, weak services] in
      await pause(Self.settling)
      let clocks = state.withLock { state in
        state.isScheduled = false
        return state.clocks
      }
      guard let services else { return }
      let outdated = try? await services.library.read(as: FeatureCaller.daemon(services)) { snapshot in
        try clocks.filter { key, clock in
          try TextPath(uri: key.uri).map { try TextPlaces(snapshot).hasChanged($0, since: clock) } ?? false
        }
      }
      for key in (outdated ?? [:]).keys {
        state.withLock { _ = $0.clocks.removeValue(forKey: key) }
        Task { [weak services] in
          let params: JSONValue = ["uri": .string(key.uri)]
          _ = await services?.library.ask("workspace/textDocumentContent/refresh", params, of: key.connection)
        }
      }
    }
  }
}

extension Services {
  var shownContents: ShownContents { memory.object(ShownContents.self) { ShownContents() } }
}
