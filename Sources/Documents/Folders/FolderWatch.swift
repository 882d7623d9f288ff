import Contract
import Kit
import Store
import Synchronization
import Wire

/// Scans the watched folders at intervals, for as long as the daemon runs.
///
///     a new file       is added
///     a changed file   refreshes its document, whose marks are placed again
///     a missing file   is reported, and its document stays
///     a missing folder pauses until it is back
///
/// Scans work on any file system and need no handle for each folder, unlike inotify; a scan of 1,000 files takes some
/// milliseconds. They run one after another.
final class FolderWatch: Sendable {
  static let interval = Duration.seconds(30)
  static let label = "documents/watch"

  /// The result of the last scan of a folder.
  struct Status: Sendable {
    var scannedAt: Instant?
    /// Why it is paused.
    var paused: Text?
    /// Files that are not documents, by path. A file is tried again when it has changed, and by the next daemon.
    var refused: [PathKey: FileIntake.Entry] = [:] {
      didSet { firstRefused = Array(refused.values.sorted { $0.path < $1.path }.prefix(Self.most)) }
    }
    /// Those that a report lists, by path. Sorted once for each scan and not on the writer's thread.
    private(set) var firstRefused: [FileIntake.Entry] = []

    /// The most files that a report lists.
    static let most = 100
  }

  private struct State {
    var loop: Task<Void, Never>?
    var isEnded = false
    var statuses: [PathKey: Status] = [:]
  }

  private let state = Mutex(State())
  private let scans = ScanQueue()

  /// Nil before the first scan.
  func status(of path: String) -> Status? { state.withLock { $0.statuses[PathKey(path)] } }

  /// Cancels the scans of a folder that is not watched any more.
  func forget(_ path: String) {
    scans.cancel(path)
    state.withLock { $0.statuses[PathKey(path)] = nil }
  }

  /// Scans the folders that an earlier daemon watched, if there are any.
  func begin(with services: Services) async {
    let folders = try? await services.library.read(as: DaemonCaller()) { try WatchedFolder.all(in: $0.db) }
    if folders?.isEmpty == false { start(with: services) }
  }

  func start(with services: Services) {
    state.withLock { state in
      guard state.loop == nil, !state.isEnded else { return }
      let pause = services.pause
      // Detached: nothing of the request that has started it applies to later scans.
      state.loop = Task.detached { [weak self, weak services] in
        while !Task.isCancelled {
          await self?.round(services)
          await pause(Self.interval)
        }
      }
    }
  }

  func end() {
    state.withLock { state in
      state.isEnded = true
      state.loop?.cancel()
    }
    scans.end()
  }

  private func round(_ services: Services?) async {
    guard let services else { return }
    let folders = try? await services.library.read(as: DaemonCaller()) { try WatchedFolder.all(in: $0.db) }
    for folder in folders ?? [] where !Task.isCancelled { await scan(folder.path, with: services) }
  }

  /// Scans a folder, after the scans that were requested before.
  func scan(_ path: String, progress: Progress = .none, with services: Services) async {
    await scans.request(path) { [self] number in await run(path, number, progress, services) }?.value
  }

  private func run(_ path: String, _ number: Int, _ progress: Progress, _ services: Services) async {
    var status = status(of: path) ?? Status()
    do {
      let scan = FolderUpdate(path: path, refused: status.refused, services: services)
      guard let refused = try await scan.run(progress) else { return }
      (status.refused, status.paused) = (refused, nil)
    } catch let error as RPCError {
      if error.isOfEnd || error == .cancelled { return }
      status.paused = error.text
    } catch is CancellationError {
      return
    } catch {
      status.paused = Text("error.internal")
    }
    status.scannedAt = services.now()
    scans.unlessCancelled(number) { state.withLock { $0.statuses[PathKey(path)] = status } }
  }
}

extension Services {
  var folderWatch: FolderWatch { memory.object(FolderWatch.self) { FolderWatch() } }
}
