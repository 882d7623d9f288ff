import Kit
import Store
import Synchronization
import Wire

/// Keeps the mirror folder in sync with the library while the daemon runs.
///
///     commit ──► wake ──► pass ──► commit during the pass ──► wake ──► one more pass after it
///
/// Passes run one after another; however many commits are made meanwhile, at most one pass is queued.
package final class LibraryMirror<Item: MirroredItem>: Sendable {
  private struct State {
    var isOn = false
    /// Whether it follows commits; once it does, it does until the daemon ends.
    var isFollowing = false
    /// Whether a queued pass has not begun yet.
    var isWoken = false
    /// The state of the folder after the last pass.
    var folder: MirroredState?
    var last: Task<MirrorOutcome?, Never>?
  }

  private let state = Mutex(State())

  fileprivate init() {}

  /// Resumes the mirror of an earlier daemon, if there is one.
  package func begin(with services: Services) async {
    let setting = try? await services.library.read(as: DaemonCaller()) {
      try MirrorSetting.stored(of: Item.self, in: $0)
    }
    guard setting ?? nil != nil else { return }
    start(with: services)
    wake(services)
  }

  /// Follows commits from now on.
  private func start(with services: Services) {
    let isFirst = state.withLock { state in
      defer { (state.isOn, state.isFollowing) = (true, true) }
      return !state.isFollowing
    }
    guard isFirst else { return }
    services.library.follow { [weak services] in
      guard let services else { return }
      services.mirror(of: Item.self).wake(services)
    }
  }

  package func end() { state.withLock { $0.isOn = false } }

  /// Only queues a pass, since it is called on the writer's thread.
  func wake(_ services: Services) {
    state.withLock { state in
      guard state.isOn, !state.isWoken else { return }
      state.isWoken = true
      queue(nil, lookingAnew: false, with: services, in: &state)
    }
  }

  /// Updates the folder to the library's state, after all queued passes.
  func pass(_ setting: MirrorSetting, with services: Services) async -> MirrorOutcome? {
    start(with: services)
    return await state.withLock { queue(setting, lookingAnew: true, with: services, in: &$0) }.value
  }

  /// Waits for all queued passes.
  func settle() async {
    _ = await state.withLock(\.last)?.value
  }

  @discardableResult
  private func queue(
    _ setting: MirrorSetting?, lookingAnew: Bool, with services: Services, in state: inout State
  ) -> Task<MirrorOutcome?, Never> {
    let previous = state.last
    let task = Task { [self] in
      _ = await previous?.value
      return await run(setting, lookingAnew: lookingAnew, with: services)
    }
    state.last = task
    return task
  }

  /// Nil without a mirror.
  private func run(_ setting: MirrorSetting?, lookingAnew: Bool, with services: Services) async -> MirrorOutcome? {
    // A commit from here on may be invisible to this pass, and queues the next.
    let known = state.withLock { state in
      if setting == nil { state.isWoken = false }
      return lookingAnew ? nil : state.folder
    }
    let stored = try? await services.library.read(as: DaemonCaller()) {
      try MirrorSetting.stored(of: Item.self, in: $0)
    }
    guard let setting = setting ?? stored ?? nil else { return nil }
    let path = setting.path
    do {
      let marker = MirrorSetting.marker(of: Item.self, in: services.library.identity)
      let pass = MirrorPass<Item>(path: path, marker: marker, services: services)
      // The confinement of the client that made the setting, also if another requested this pass.
      return try await FileConfinement.$current.withValue(setting.confinement) {
        let (folder, edited) = try await pass.run(known: known)
        state.withLock { $0.folder = folder }
        let setAside = lookingAnew ? try await pass.setAside() : []
        return .current(files: folder.files.count, edited: edited, setAside: setAside)
      }
    } catch {
      // The folder is read again when it is back.
      state.withLock { $0.folder = nil }
      switch error {
      case is MirrorFolder.Unmarked: return .paused(Text("diary.mirror.noMarker", ["path": path]))
      case let failure as FileFailure:
        return .paused(Text("file.unwritten", ["path": failure.path, "reason": failure.reason]))
      default: return .paused(Text("error.internal"))
      }
    }
  }
}

/// The result of a pass.
enum MirrorOutcome: Sendable {
  /// `edited` are the names of files that somebody edited, `setAside` of edited files that were renamed for a newer
  /// version.
  case current(files: Int, edited: [String], setAside: [String])
  case paused(Text)
}

extension Services {
  package func mirror<Item: MirroredItem>(of type: Item.Type) -> LibraryMirror<Item> {
    memory.object(LibraryMirror<Item>.self) { LibraryMirror() }
  }
}
