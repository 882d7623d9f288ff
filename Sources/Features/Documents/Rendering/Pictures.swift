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
/// beyond `limit` the others go, the least lately used first. A client that stays connected and turns page after page
/// must not fill the disk: beyond `hardLimit` only the minute counts.
final class Pictures: Sendable {
  private struct Entry {
    var picture: KeptPicture
    var lastUse: Int64
    var clients: Set<String>
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var size: Int64 = 0
    /// Made with the first picture that needs it.
    var memoryFolder: String?
  }

  /// In bytes and milliseconds; tests have others.
  struct Limits: Sendable {
    var limit: Int64 = 256 << 20
    var hardLimit: Int64 = 1 << 30
    var minimumAge: Int64 = 60_000
  }

  private let limits: Limits
  private let folder: String
  private let state = Mutex(State())
  private let drawing = SharedWork<KeptPicture>()

  /// What an earlier daemon left of this library is thrown away: nothing tells what it shows.
  init(folder: String, limits: Limits = Limits()) {
    self.folder = folder
    self.limits = limits
    try? FileManager.default.removeItem(atPath: folder)
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    Self.removeLeftovers()
  }

  func picture(_ plan: RenderPage.Plan, with services: Services) async throws -> KeptPicture {
    let key = Self.key(of: plan)
    if plan.password.isProven, let known = use(key, by: plan.client, at: services.now().milliseconds) { return known }
    let work = plan.password.isProven ? key : "\(key)\u{0}\(plan.password.text ?? "")"
    let picture = try await drawing.value(for: work) { [self] _ in
      try await draw(plan, key: key, with: services)
    }
    let isKept = use(key, by: plan.client, at: services.now().milliseconds)
    makeRoom(with: services)
    return isKept ?? picture
  }

  /// Removes all that lies in memory-backed storage. The daemon ends; the cache folder is cleared by the next one.
  func removeFromMemory() {
    let folder = state.withLock { state in
      defer { state.memoryFolder = nil }
      return state.memoryFolder
    }
    if let folder { try? FileManager.default.removeItem(atPath: folder) }
  }

  private func draw(_ plan: RenderPage.Plan, key: String, with services: Services) async throws -> KeptPicture {
    let isPrivate = plan.document.isProtected && !plan.document.keepsText
    let isRaw = plan.picture.format == .raw
    let folder = isPrivate || isRaw ? try memoryFolder() : folder
    let path = "\(folder)/\(key)-\(services.newID().suffix(12)).\(isRaw ? "raw" : "png")"
    let source = DocumentSource(
      key: plan.document.hash, path: services.blobs.path(plan.document.hash), password: plan.password.text)
    let drawn = try await services.workers.render(source, plan.picture, into: path)
    let picture = KeptPicture(path: path, width: drawn.width, height: drawn.height, size: Int64(drawn.bytes))
    let known = state.withLock { state -> KeptPicture? in
      if let known = state.entries[key] { return known.picture }
      state.entries[key] = Entry(picture: picture, lastUse: services.now().milliseconds, clients: [plan.client])
      state.size += picture.size
      return nil
    }
    if known != nil { unlink(path) }
    return known ?? picture
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
      guard state.size > limits.limit else { return [] }
      var removed: [String] = []
      for (key, entry) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
        guard state.size > limits.limit else { break }
        guard now - entry.lastUse > limits.minimumAge else { break }
        let isLeased = entry.clients.contains(where: services.library.isConnected)
        if isLeased, state.size <= limits.hardLimit { continue }
        state.entries[key] = nil
        state.size -= entry.picture.size
        removed.append(entry.picture.path)
      }
      return removed
    }
    for path in removed { unlink(path) }
  }

  /// A folder of our own with a name that nobody could take before us: `/dev/shm` is everybody's.
  private func memoryFolder() throws -> String {
    try state.withLock { state in
      if let folder = state.memoryFolder { return folder }
      var template = Array("/dev/shm/\(Self.memoryPrefix)\(getpid())-XXXXXX".utf8CString)
      guard let made = template.withUnsafeMutableBufferPointer({ mkdtemp($0.baseAddress!) }) else {
        throw RPCError(FileFailure(path: "/dev/shm", errno))
      }
      let folder = String(cString: made)
      state.memoryFolder = folder
      return folder
    }
  }

  private static let memoryPrefix = "commonplace-\(getuid())-"

  /// Folders of daemons that were killed.
  private static func removeLeftovers() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? []
    where name.hasPrefix(memoryPrefix) {
      let digits = name.dropFirst(memoryPrefix.count).prefix { $0 != "-" }
      guard let process = Int32(digits), kill(process, 0) != 0, errno == ESRCH else { continue }
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
  /// A folder for each library: several may share the caches.
  var pictures: Pictures {
    memory.object(Pictures.self) { Pictures(folder: "\(caches)/pictures/\(library.identity.id)") }
  }
}
