import Foundation
import PDF
import Store
import Synchronization
import Wire

/// A picture that lies in a file.
struct KeptPicture: Sendable {
  var path: String
  /// In pixels.
  var width: Int
  var height: Int
  /// In bytes.
  var size: Int64
}

/// The pictures that were drawn, by everything that changes them.
///
/// Pages of ordinary documents lie in the cache folder. What a password protects, and what a client wants to map, lies
/// in memory-backed storage only. A picture that was handed out stays for a minute and while its client is connected;
/// beyond the limit the others go, the least lately used first.
final class Pictures: Sendable {
  private struct Entry {
    var picture: KeptPicture
    var lastUse: Int64
    var clients: Set<String>
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var size: Int64 = 0
    /// A picture that several ask for at once is drawn once.
    var underWay: [String: Task<KeptPicture, any Error>] = [:]
  }

  static let limit: Int64 = 256 << 20
  static let minimumAge: Int64 = 60_000

  private let folder: String
  private let memoryFolder: String
  private let state = Mutex(State())

  /// What an earlier daemon left is thrown away: nothing tells what it shows.
  init(caches: String, process: Int32 = getpid()) {
    folder = caches + "/pictures"
    memoryFolder = "/dev/shm/commonplace-\(getuid())-\(process)"
    for folder in [folder, memoryFolder] {
      try? FileManager.default.removeItem(atPath: folder)
      try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    Self.removeLeftovers()
  }

  func picture(_ plan: RenderPage.Plan, with services: Services) async throws -> KeptPicture {
    let key = Self.key(of: plan)
    if let known = use(key, by: plan.client, at: services.now().milliseconds) { return known }
    let task = state.withLock { state in
      if let task = state.underWay[key] { return task }
      let task = Task { try await draw(plan, key: key, with: services) }
      state.underWay[key] = task
      return task
    }
    // Whoever is cancelled leaves; the picture is finished for the others, within its deadline.
    let picture = try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      leave(key, task)
    }
    try Task.checkCancellation()
    _ = use(key, by: plan.client, at: services.now().milliseconds)
    makeRoom(with: services)
    return picture
  }

  private func draw(_ plan: RenderPage.Plan, key: String, with services: Services) async throws -> KeptPicture {
    defer { state.withLock { $0.underWay[key] = nil } }
    let isPrivate = plan.document.isProtected && !plan.document.keepsText
    let inMemory = isPrivate || plan.picture.format == .raw
    let ending = plan.picture.format == .raw ? "raw" : "png"
    let path = "\(inMemory ? memoryFolder : folder)/\(key)-\(services.newID().suffix(12)).\(ending)"
    let source = DocumentSource(
      key: plan.document.hash, path: services.blobs.path(plan.document.hash), password: plan.password)
    let drawn = try await services.workers.render(source, plan.picture, into: path)
    let picture = KeptPicture(path: path, width: drawn.width, height: drawn.height, size: Int64(drawn.bytes))
    state.withLock { state in
      state.entries[key] = Entry(
        picture: picture, lastUse: services.now().milliseconds, clients: [plan.client])
      state.size += picture.size
    }
    return picture
  }

  /// The last one who waits for a picture takes its task with him.
  private func leave(_ key: String, _ task: Task<KeptPicture, any Error>) {
    task.cancel()
    state.withLock { state in
      if state.underWay[key] == task { state.underWay[key] = nil }
    }
  }

  private func use(_ key: String, by client: String, at now: Int64) -> KeptPicture? {
    state.withLock { state in
      guard var entry = state.entries[key] else { return nil }
      // The cache folder is the user's to empty.
      guard access(entry.picture.path, R_OK) == 0 else {
        state.size -= entry.picture.size
        state.entries[key] = nil
        return nil
      }
      entry.lastUse = now
      entry.clients.insert(client)
      state.entries[key] = entry
      return entry.picture
    }
  }

  private func makeRoom(with services: Services) {
    let now = services.now().milliseconds
    let removed = state.withLock { state -> [String] in
      guard state.size > Self.limit else { return [] }
      var removed: [String] = []
      for (key, entry) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
        guard state.size > Self.limit else { break }
        guard now - entry.lastUse > Self.minimumAge, !entry.clients.contains(where: services.library.isConnected)
        else { continue }
        state.entries[key] = nil
        state.size -= entry.picture.size
        removed.append(entry.picture.path)
      }
      return removed
    }
    for path in removed { unlink(path) }
  }

  /// Folders of daemons that were killed.
  private static func removeLeftovers() {
    let prefix = "commonplace-\(getuid())-"
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? [] where name.hasPrefix(prefix) {
      guard let process = Int32(name.dropFirst(prefix.count)), kill(process, 0) != 0, errno == ESRCH else { continue }
      try? FileManager.default.removeItem(atPath: "/dev/shm/" + name)
    }
  }

  private static func key(of plan: RenderPage.Plan) -> String {
    let picture = plan.picture
    let parts = [
      plan.document.hash, "\(picture.page)", "\(picture.size)", "\(picture.region as Any)", "\(picture.format)",
      "\(picture.marks)",
    ]
    return String(Blobs.hash(of: Array(parts.joined(separator: "\u{0}").utf8)).prefix(32))
  }
}

extension Services {
  var pictures: Pictures { memory.object(Pictures.self) { Pictures(caches: caches) } }
}
