import FoundationEssentials
import Glibc
import Kit
import PDF
import Store
import Synchronization
import Wire

/// The rendered pictures, by everything that changes them: the file's bytes, page, size, part, format and marks.
///
/// Pages of ordinary documents are in the cache folder. Pages of protected documents, and pictures that a client
/// wants to map, are in memory-backed storage only. ``PictureShelf`` determines how long.
///
/// Pictures of an earlier daemon are deleted. A page whose fonts are not embedded depends on the fonts of this
/// machine, and every page on its poppler and cairo. Whether any of these have changed cannot be checked cheaply, and
/// a page is rendered in 2 to 10 ms.
final class Pictures: Sendable {
  private struct Drawings {
    /// The urgency of each picture that is being rendered.
    var urgencies: [String: Urgency] = [:]
    /// How many clients wait for each.
    var waiting: [String: Int] = [:]
    /// Pages that could not be rendered ahead, which is not tried again.
    var hopeless: Set<String> = []
  }

  private let folder: String
  private let memory = MemoryFolder()
  private let shelf = PictureShelf()
  private let drawing = SharedWork<PictureFile>()
  private let drawings = Mutex(Drawings())
  private let turns = PageTurns()

  init(folder: String) {
    self.folder = folder
    Self.removeFiles(in: folder)
    try? Self.make(folder: folder)
  }

  /// The picture for the requesting client.
  func picture(_ plan: RenderPage.Plan, with services: Services) async throws -> PictureFile {
    let settings = services.settings().pictures
    let key = Self.key(of: plan, isCached: settings.limit > 0, services)
    turns.leave(plan.client, for: key)
    if plan.password.isProven, let known = shelf.use(key, by: plan.client, at: services.now().milliseconds) {
      return known
    }
    let work = Self.work(key, plan)
    // Rendering ahead is waited for, and repeated only if it fails: it may have been cancelled for other work.
    let isAhead = wait(for: work, with: services)
    defer { stopWaiting(for: work) }
    let picture: PictureFile
    do {
      picture = try await value(of: work, key, plan, settings, with: services)
    } catch  where isAhead && !Task.isCancelled {
      picture = try await value(of: work, key, plan, settings, with: services)
    }
    let cached = shelf.use(key, by: plan.client, at: services.now().milliseconds)
    shelf.makeRoom(within: .init(limit: settings.limit), services.leases)
    return cached ?? picture
  }

  /// Renders the pages beside the last handed-out one, if no client requests anything meanwhile. A part of a page is
  /// rarely requested of the next page too, and pictures as large as for paper would displace the others.
  func drawAhead(of plan: RenderPage.Plan, with services: Services) {
    let settings = services.settings().pictures
    guard settings.drawsAhead, settings.limit > 0, plan.picture.region == nil else { return }
    turns.turn(
      plan.client, to: plan.picture.page, of: plan.document.id, isConnected: services.library.isConnected
    ) { [self] turn in
      for page in turn.pages {
        guard let next = try? await plan.turned(to: page, with: services) else { continue }
        await draw(ahead: next, in: turn, settings, with: services)
      }
    }
  }

  private func draw(
    ahead plan: RenderPage.Plan, in turn: PageTurns.Turn, _ settings: PictureSettings, with services: Services
  ) async {
    let key = Self.key(of: plan, isCached: true, services)
    let name = "\(plan.document.hash) \(plan.picture.page)"
    guard turn.begin(key), !shelf.isCached(key), !drawings.withLock({ $0.hopeless.contains(name) }) else { return }
    do {
      _ = try await value(of: Self.work(key, plan), key, plan, settings, isAhead: true, with: services)
      shelf.makeRoom(within: .init(limit: settings.limit), services.leases)
    } catch WorkerFailure.cancelled, WorkerFailure.busy, WorkerFailure.shutDown {
    } catch is CancellationError {
    } catch {
      drawings.withLock { drawings in
        if drawings.hopeless.count >= Self.mostHopeless { drawings.hopeless = [] }
        drawings.hopeless.insert(name)
      }
    }
  }

  /// Removes everything from memory-backed storage when the daemon shuts down; the next daemon clears the cache
  /// folder.
  func removeFromMemory() {
    memory.remove()
  }

  // MARK: Drawing

  private func value(
    of work: String, _ key: String, _ plan: RenderPage.Plan, _ settings: PictureSettings, isAhead: Bool = false,
    with services: Services
  ) async throws -> PictureFile {
    try await drawing.value(for: work) { [self] _ in
      // A client that began to wait meanwhile has not raised the urgency yet.
      let urgency = drawings.withLock { drawings in
        let urgency = Urgency(isAhead && drawings.waiting[work] == nil ? .ahead : .asked)
        drawings.urgencies[work] = urgency
        return urgency
      }
      defer { drawings.withLock { $0.urgencies[work] = nil } }
      return try await draw(plan, key: key, urgency, isAhead: isAhead, settings, with: services)
    }
  }

  /// Returns true if the picture is being rendered ahead; from now on it counts as requested.
  private func wait(for work: String, with services: Services) -> Bool {
    let urgency = drawings.withLock { drawings in
      drawings.waiting[work, default: 0] += 1
      return drawings.urgencies[work]
    }
    guard let urgency, urgency.rank == .ahead else { return false }
    services.workers.hurry(urgency)
    return true
  }

  private func stopWaiting(for work: String) {
    drawings.withLock { drawings in
      guard let count = drawings.waiting[work] else { return }
      drawings.waiting[work] = count > 1 ? count - 1 : nil
    }
  }

  private func draw(
    _ plan: RenderPage.Plan, key: String, _ urgency: Urgency, isAhead: Bool, _ settings: PictureSettings,
    with services: Services
  ) async throws -> PictureFile {
    let limits = PictureShelf.Limits(limit: settings.limit)
    // A PNG of a page takes a twelfth to one byte per pixel.
    let expected = Int64(plan.pixels) * (plan.picture.format == .raw ? 4 : 1)
    try shelf.reserve(expected, within: limits, services.leases)
    defer { shelf.release(expected) }
    let picture: PictureFile
    do {
      picture = try await file(of: plan, key, urgency, with: services)
    } catch let failure as WorkerFailure where failure.mayPass && urgency.rank == .asked {
      // The disk may be full, or the folder gone: only this process removes our pictures, and anyone may empty the
      // cache. So room is made, and the folder.
      shelf.makeRoom(for: limits.ceiling, within: limits, services.leases)
      try Self.make(folder: folder)
      picture = try await file(of: plan, key, urgency, with: services)
    }
    return shelf.keep(
      picture, as: key, for: isAhead ? nil : plan.client, at: services.now().milliseconds)
  }

  /// Renders into a new file. If it fails, no file remains.
  private func file(
    of plan: RenderPage.Plan, _ key: String, _ urgency: Urgency, with services: Services
  ) async throws -> PictureFile {
    let isRaw = plan.picture.format == .raw
    let isPrivate = plan.document.isProtected && !plan.document.keepsText
    let folder = isPrivate || isRaw ? try memory.path() : folder
    let path = "\(folder)/\(key)-\(services.newID().suffix(12)).\(isRaw ? "raw" : "png")"
    let source = try await services.source(of: plan.document.hash, password: plan.password.text)
    let drawn: Picture
    do {
      drawn = try await services.workers.render(
        source, plan.picture, into: path, expected: isRaw ? 4 * plan.pixels : nil, urgency: urgency)
    } catch {
      throw Self.named(error, folder)
    }
    FileWrites.note()
    return PictureFile(path: path, width: drawn.width, height: drawn.height, size: Int64(drawn.bytes))
  }

  /// - Throws: `readOnly` with the folder that cannot be created.
  static func make(folder: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw unusable(folder, errorSentence(error))
    }
  }

  /// The failure, with the folder if it is the cause.
  static func named(_ failure: any Error, _ folder: String) -> any Error {
    guard case .outputError(let errno)? = failure as? WorkerFailure,
      [EACCES, ENOTDIR, EROFS, EPERM].contains(errno)
    else { return failure }
    return unusable(folder, String(cString: strerror(errno)))
  }

  private static func unusable(_ folder: String, _ reason: String) -> RPCError {
    RPCError(.readOnly, text: Text("documents.pictureFolder", ["path": folder, "reason": reason]))
  }

  // MARK: Names

  private static let mostHopeless = 256

  /// Removes pictures, and nothing else, from a folder.
  static func removeFiles(in folder: String) {
    DaemonFiles.remove(in: folder) { name in
      // `<key>-<end of an id>.png`, as `file` names them.
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      let names = parts[0].split(separator: "-", omittingEmptySubsequences: false)
      return parts.count == 2 && ["png", "raw"].contains(parts[1]) && names.count == 2
        && DaemonFiles.isHexadecimal(names[0], count: 32) && DaemonFiles.isHexadecimal(names[1], count: 12)
    }
  }

  private static func key(of plan: RenderPage.Plan, isCached: Bool, _ services: Services) -> String {
    let picture = plan.picture
    var parts = [
      plan.document.hash, "\(picture.page)", "\(picture.size)", "\(picture.region as Any)", "\(picture.format)",
      "\(picture.marks)",
    ]
    // Without a cache each picture has a name of its own.
    if !isCached { parts.append(services.newID()) }
    return String(Blobs.hash(of: Array(parts.joined(separator: "\u{0}").utf8)).prefix(32))
  }

  /// The key of work that two requests may share: a request with another password waits alone until a worker confirms
  /// it.
  private static func work(_ key: String, _ plan: RenderPage.Plan) -> String {
    plan.password.isProven ? key : "\(key)\u{0}\(plan.password.text ?? "")"
  }
}

extension WorkerFailure {
  /// Whether the file could not be written for a reason that may be repaired.
  fileprivate var mayPass: Bool {
    guard case .outputError(let errno) = self else { return false }
    return [ENOSPC, EDQUOT, ENOENT].contains(errno)
  }
}

extension Services {
  /// A folder for each library: several may share the caches.
  var pictures: Pictures {
    memory.object(Pictures.self) { Pictures(folder: cacheFolder("pictures")) }
  }

  fileprivate var leases: PictureShelf.Leases {
    PictureShelf.Leases(now: now().milliseconds, isConnected: library.isConnected)
  }
}
