import Contract
import FoundationEssentials
import Glibc
import HTTP
import Kit
import Store
import Synchronization
import Wire

/// A cache of cover pictures on disk, limited by the age that the services allow and by size.
///
/// A file name states the URLs of the picture and when it was fetched, so that the cache survives a restart. A missing
/// picture is cached too, as an empty file.
final class CoverCache: Sendable {
  struct Picture: Sendable {
    /// nil if the services have only a placeholder.
    var path: String?
    var form: CoverPicture.Form?
    var fetchedAt: Instant
  }

  private struct Entry {
    var path: String
    var form: CoverPicture.Form?
    var fetchedAt: Int64
    var size: Int
    var lastUse: Int64
    var clients: Set<String> = []
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var size = 0
    var isRead = false
  }

  /// Google's terms: no longer than its `Cache-Control` allows, which is a day.
  static let longestAge: Int64 = 86_400_000

  /// In bytes and milliseconds; tests use others.
  struct Limits: Sendable {
    var limit = 64 << 20
    /// Pictures that were returned to connected clients are retained up to this size.
    var hardLimit = 256 << 20
    /// A returned picture is retained at least this long.
    var minimumAge: Int64 = 60_000
    var longestPicture = CoverPicture.longest
  }

  private let folder: String
  private let limits: Limits
  private let state = Mutex(State())
  private let work = SharedWork<Picture>()

  init(folder: String, limits: Limits = Limits()) {
    self.folder = folder
    self.limits = limits
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// The first of these URLs with a real cover.
  func picture(
    _ candidates: [String], in catalogue: any BookCatalogue, for client: String, with services: Services
  ) async throws -> Picture {
    let key = String(Blobs.hash(of: Array(candidates.joined(separator: "\n").utf8)).prefix(40))
    let now = services.now().milliseconds
    if let known = use(key, by: client, at: now) { return known }
    let picture = try await work.value(for: key) { [self] _ in
      if let known = use(key, by: client, at: now) { return known }
      return try await fetch(candidates, key, catalogue, services)
    }
    let known = use(key, by: client, at: now)
    makeRoom(with: services)
    return known ?? picture
  }

  private func fetch(
    _ candidates: [String], _ key: String, _ catalogue: any BookCatalogue, _ services: Services
  ) async throws -> Picture {
    var failure: (any Error)?
    for candidate in candidates {
      do {
        guard let picture = try await get(candidate, catalogue, services) else { continue }
        return try keep(picture, key, at: services.now(), part: services.newID())
      } catch {
        if Task.isCancelled { throw error }
        failure = error
      }
    }
    // Only if every service answered that there is none.
    if let failure { throw RPCError(catalogue: failure, named: type(of: catalogue).title) }
    return try keep(nil, key, at: services.now(), part: services.newID())
  }

  /// The picture at a URL; `nil` if there is none, or only a placeholder.
  private func get(_ url: String, _ catalogue: any BookCatalogue, _ services: Services) async throws -> CoverPicture? {
    let response = try await services.http.get(
      HTTPRequest(
        url: CoverAddress.secure(url, in: services.settings().books), headers: ["Accept": "image/*"],
        limit: limits.longestPicture,
        budget: RequestBudget(service: "\(catalogue.name).covers", tokens: 40, refill: .milliseconds(300), atOnce: 4),
        // The URL comes from the catalogue.
        isNamedByContent: true))
    if response.status == 404 || response.status == 410 { return nil }
    try response.requireSuccess()
    guard let picture = CoverPicture(response.body) else { throw HTTPFailure.badResponse(reason: "notPicture") }
    return picture.isDot || catalogue.isPlaceholder(picture, from: url) ? nil : picture
  }

  private func keep(_ picture: CoverPicture?, _ key: String, at now: Instant, part: String) throws -> Picture {
    let path = "\(folder)/\(key)-\(now.milliseconds).\(picture?.form.rawValue ?? "none")"
    let partPath = "\(folder)/\(part).part"
    do {
      let file = try NewFile(at: partPath)
      try file.write(picture?.bytes ?? [])
    } catch let failure as FileFailure {
      unlink(partPath)
      throw RPCError(failure)
    }
    guard rename(partPath, path) == 0 else {
      unlink(partPath)
      throw RPCError(FileFailure(path: path, errno))
    }
    let entry = Entry(
      path: path, form: picture?.form, fetchedAt: now.milliseconds, size: picture?.bytes.count ?? 0,
      lastUse: now.milliseconds)
    let old = state.withLock { state in
      state.size += entry.size - (state.entries[key]?.size ?? 0)
      return state.entries.updateValue(entry, forKey: key)
    }
    if let old, old.path != path { unlink(old.path) }
    return Picture(path: picture == nil ? nil : path, form: picture?.form, fetchedAt: now)
  }

  private func use(_ key: String, by client: String, at now: Int64) -> Picture? {
    state.withLock { state in
      if !state.isRead { read(into: &state) }
      guard var entry = state.entries[key], abs(now - entry.fetchedAt) < Self.longestAge,
        // The user may empty the cache folder.
        access(entry.path, R_OK) == 0
      else { return nil }
      entry.lastUse = now
      entry.clients.insert(client)
      state.entries[key] = entry
      return Picture(
        path: entry.form == nil ? nil : entry.path, form: entry.form,
        fetchedAt: Instant(milliseconds: entry.fetchedAt))
    }
  }

  /// Loads the files of an earlier daemon.
  private func read(into state: inout State) {
    state.isRead = true
    // Unfinished files of a daemon that was killed.
    DaemonFiles.remove(in: folder) { $0.hasSuffix(".part") && UUID(uuidString: String($0.dropLast(5))) != nil }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      let path = "\(folder)/\(name)"
      var information = stat()
      guard let (key, fetchedAt, form) = Self.parts(of: name), lstat(path, &information) == 0,
        information.st_mode & S_IFMT == S_IFREG
      else { continue }
      let entry = Entry(
        path: path, form: form, fetchedAt: fetchedAt, size: Int(information.st_size), lastUse: fetchedAt)
      if let other = state.entries[key], other.fetchedAt >= fetchedAt {
        unlink(path)
        continue
      }
      state.size += entry.size
      if let old = state.entries.updateValue(entry, forKey: key) {
        state.size -= old.size
        unlink(old.path)
      }
    }
  }

  /// The key, time and form in a file name, `<key>-<milliseconds>.<form>`; nil for other files.
  private static func parts(of name: String) -> (key: String, fetchedAt: Int64, form: CoverPicture.Form?)? {
    let parts = name.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "." }.map(String.init)
    guard parts.count == 3, DaemonFiles.isHexadecimal(parts[0], count: 40),
      let fetchedAt = Int64(parts[1]), fetchedAt >= 0, name == "\(parts[0])-\(fetchedAt).\(parts[2])"
    else { return nil }
    let form = CoverPicture.Form(rawValue: parts[2])
    return form != nil || parts[2] == "none" ? (parts[0], fetchedAt, form) : nil
  }

  /// Removes files that are too old, and beyond the size limit the least recently used ones. Files that were just
  /// returned are retained, and up to the hard limit those that a connected client may still show.
  private func makeRoom(with services: Services) {
    let now = services.now().milliseconds
    let removed = state.withLock { state -> [String] in
      var removed: [String] = []
      for (key, entry) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
        let isOld = abs(now - entry.fetchedAt) >= Self.longestAge
        guard isOld || state.size > limits.limit else { continue }
        guard abs(now - entry.lastUse) > limits.minimumAge else { continue }
        if entry.clients.contains(where: services.library.isConnected), state.size <= limits.hardLimit, !isOld {
          continue
        }
        state.entries[key] = nil
        state.size -= entry.size
        removed.append(entry.path)
      }
      return removed
    }
    for path in removed { unlink(path) }
  }
}

/// Corrects the URLs of pictures in catalogues.
enum CoverAddress {
  /// Changes http to https, since all of Google's links are http. URLs of the configuration's own origins stay as they
  /// are.
  static func secure(_ url: String, in configuration: BooksConfiguration) -> String {
    guard url.lowercased().hasPrefix("http://") else { return url }
    let own = [configuration.google.url, configuration.openLibrary.url, configuration.openLibrary.covers]
    if let origin = Origin(url), own.contains(where: { Origin($0) == origin }) { return url }
    return "https://" + url.dropFirst("http://".count)
  }
}

extension Services {
  /// One folder per library: several may share the cache directory.
  var covers: CoverCache {
    memory.object(CoverCache.self) { CoverCache(folder: cacheFolder("covers")) }
  }
}
