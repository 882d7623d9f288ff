import Contract
import FoundationEssentials
import Glibc
import HTTP
import Kit
import Store
import Synchronization
import Wire

/// Pictures of covers on the disk, no longer than the services allow and no more than fits.
///
/// A file's name says for which addresses it is and when it was fetched, so a daemon that starts finds what the one
/// before had. That there is no picture is kept too, as an empty file.
final class CoverCache: Sendable {
  struct Picture: Sendable {
    /// nil where the services have only a placeholder.
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

  /// Google's terms: no longer than its `Cache-Control` says, which is a day.
  static let longestAge: Int64 = 86_400_000

  /// In bytes and milliseconds; tests have others.
  struct Limits: Sendable {
    var limit = 64 << 20
    /// What was handed to clients that are still there stays, up to here.
    var hardLimit = 256 << 20
    /// What was handed out stays so long.
    var minimumAge: Int64 = 60_000
    var longestPicture = 4 << 20
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

  /// The first of these addresses that has a picture which is a cover.
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
    // Only where every service has said so there is none.
    if let failure { throw RPCError(catalogue: failure, named: type(of: catalogue).title) }
    return try keep(nil, key, at: services.now(), part: services.newID())
  }

  /// The picture of an address; `nil` where there is none, or only what stands for none.
  private func get(_ url: String, _ catalogue: any BookCatalogue, _ services: Services) async throws -> CoverPicture? {
    let response = try await services.http.get(
      HTTPRequest(
        url: CoverAddress.secure(url, in: services.books()), headers: ["Accept": "image/*"],
        limit: limits.longestPicture,
        budget: RequestBudget(service: "\(catalogue.name).covers", tokens: 40, refill: .milliseconds(300), atOnce: 4),
        // The catalogue has written it.
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
        // The cache folder is the user's to empty.
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

  /// What an earlier daemon left.
  private func read(into state: inout State) {
    state.isRead = true
    // What a daemon that was killed had not named yet.
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

  /// The key, the time and the form of a file's name, `<key>-<milliseconds>.<form>`; nil for a name that is none of ours.
  private static func parts(of name: String) -> (key: String, fetchedAt: Int64, form: CoverPicture.Form?)? {
    let parts = name.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "." }.map(String.init)
    guard parts.count == 3, DaemonFiles.isHexadecimal(parts[0], count: 40),
      let fetchedAt = Int64(parts[1]), fetchedAt >= 0, name == "\(parts[0])-\(fetchedAt).\(parts[2])"
    else { return nil }
    let form = CoverPicture.Form(rawValue: parts[2])
    return form != nil || parts[2] == "none" ? (parts[0], fetchedAt, form) : nil
  }

  /// What is too old goes, and beyond the limit what was not looked at for longest. What was just handed out stays, and
  /// what a client that is still there may look at, up to the hard limit.
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

/// Where a picture is fetched from, as against what a catalogue wrote.
enum CoverAddress {
  /// Over https: all of Google's links are written http. An address of the configuration's own origins stays as it is.
  static func secure(_ url: String, in configuration: BooksConfiguration) -> String {
    guard url.lowercased().hasPrefix("http://") else { return url }
    let own = [configuration.google.url, configuration.openLibrary.url, configuration.openLibrary.covers]
    if let origin = Origin(url), own.contains(where: { Origin($0) == origin }) { return url }
    return "https://" + url.dropFirst("http://".count)
  }
}

extension Services {
  /// A folder for each library: several may share the caches.
  var covers: CoverCache {
    memory.object(CoverCache.self) { CoverCache(folder: cacheFolder("covers")) }
  }
}
