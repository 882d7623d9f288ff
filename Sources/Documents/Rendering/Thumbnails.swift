import Contract
import FoundationEssentials
import Glibc
import Kit
import PDF
import Store
import Synchronization
import Wire

/// Small pictures of first pages, as PNG files in the cache folder, named by the hash of the document's file.
///
/// They are rendered when a document's text is extracted for the first time, and again when one is missing. A new
/// daemon reuses those of an earlier one. ``PictureShelf`` bounds them: beyond 64 MiB the least recently used are
/// removed. Protected documents have none here: ``Pictures`` renders theirs.
final class Thumbnails: Sendable {
  /// The longer side, in pixels.
  static let side = 256
  private static let limits = {
    var limits = PictureShelf.Limits(limit: 64 << 20)
    // A picture in use can be drawn again; a client that lists a large library must not hold all of them.
    limits.hardLimit = limits.limit
    return limits
  }()

  private struct Drawings {
    /// How soon each that is being drawn is wanted.
    var urgencies: [String: Urgency] = [:]
    /// How many clients wait for each.
    var waiting: [String: Int] = [:]
  }

  private let folder: String
  private let shelf = PictureShelf()
  private let work = SharedWork<PictureFile>()
  private let drawings = Mutex(Drawings())
  /// Whether the files of an earlier daemon are already on the shelf.
  private let isRead = Mutex(false)
  private let reading = SharedWork<Void>()

  init(folder: String) { self.folder = folder }

  /// The request for a page of this size.
  static func request(for page: StoredPage) throws(WorkerFailure) -> PictureRequest {
    guard !page.isBroken, max(page.width, page.height) > 0 else { throw .pageUnavailable(page: page.page) }
    return PictureRequest(page: page.page, size: .scale(Double(side) / max(page.width, page.height)))
  }

  /// The thumbnail if it is on the shelf and its file exists. Scans no folder.
  func known(_ hash: String, by client: String, with services: Services) -> PictureFile? {
    shelf.use(hash, by: client, at: services.now().milliseconds)
  }

  /// The thumbnail for the requesting client, rendered if it is missing.
  ///
  /// - Throws: `WorkerFailure`, and `RPCError` if the cache folder cannot be written.
  func picture(
    of hash: String, _ request: PictureRequest, for client: String, with services: Services
  ) async throws -> PictureFile {
    try await readFolder(at: services.now())
    if let known = known(hash, by: client, with: services) { return known }
    let urgency = drawings.withLock { drawings in
      drawings.waiting[hash, default: 0] += 1
      return drawings.urgencies[hash]
    }
    defer { drawings.withLock { $0.waiting[hash] = $0.waiting[hash].flatMap { $0 > 1 ? $0 - 1 : nil } } }
    let isAhead = urgency.map { $0.rank != .asked } ?? false
    if isAhead, let urgency { services.workers.hurry(urgency) }
    let picture: PictureFile
    do {
      picture = try await value(of: hash, request, .asked, with: services)
    } catch  where isAhead && !Task.isCancelled {
      // It was cancelled for other work before its urgency was raised.
      picture = try await value(of: hash, request, .asked, with: services)
    }
    return known(hash, by: client, with: services) ?? picture
  }

  /// Renders the thumbnail of a document whose text was extracted, while no worker has anything else to do.
  func prepare(_ hash: String, with services: Services) {
    Task {
      let page = try await services.library.read(as: DaemonCaller()) { snapshot in
        let isOpen = try DocumentRecord.all(with: hash, in: snapshot).contains { !$0.isProtected }
        return isOpen ? try StoredPage.find(0, of: hash, in: snapshot.db) : nil
      }
      if let page { await prepare(hash, page, .ahead, with: services) }
    }
  }

  /// Renders the thumbnail of one of many files while a worker has it open: soon the workers have others.
  func prepare(_ incoming: Incoming, with services: Services) async {
    guard let info = incoming.info.pages.first else { return }
    let page = StoredPage(
      page: 0, width: info.width, height: info.height, rotation: info.rotation, label: nil, isBroken: info.isBroken)
    await prepare(incoming.blob.hash, page, .later, with: services)
  }

  /// A thumbnail that cannot be rendered now is rendered when it is requested.
  private func prepare(
    _ hash: String, _ page: StoredPage, _ rank: Urgency.Rank, with services: Services
  ) async {
    guard (try? await readFolder(at: services.now())) != nil, !shelf.isCached(hash) else { return }
    _ = try? await value(of: hash, Self.request(for: page), rank, with: services)
  }

  /// Removes the thumbnail of a document that was removed.
  func forget(_ hash: String, with services: Services) {
    Task {
      try await readFolder(at: services.now())
      shelf.remove(hash)
    }
  }

  private func value(
    of hash: String, _ request: PictureRequest, _ rank: Urgency.Rank, with services: Services
  ) async throws -> PictureFile {
    try await work.value(for: hash) { [self] _ in
      // A client that began to wait meanwhile has hurried nothing yet.
      let urgency = drawings.withLock { drawings in
        let urgency = Urgency(drawings.waiting[hash] == nil ? rank : .asked)
        drawings.urgencies[hash] = urgency
        return urgency
      }
      defer { drawings.withLock { $0.urgencies[hash] = nil } }
      let picture = try await draw(hash, request, urgency, with: services)
      let now = services.now().milliseconds
      shelf.remove(hash, keeping: picture.path)
      let cached = shelf.keep(picture, as: hash, for: nil, at: now)
      shelf.makeRoom(
        within: Self.limits, PictureShelf.Leases(now: now, isConnected: services.library.isConnected))
      return cached
    }
  }

  /// Renders into a new file, which gets its name when it is complete.
  private func draw(
    _ hash: String, _ request: PictureRequest, _ urgency: Urgency, with services: Services
  ) async throws -> PictureFile {
    try Pictures.make(folder: folder)
    let part = "\(folder)/\(services.newID()).part"
    let source = try await services.source(of: hash)
    let drawn: Picture
    do {
      drawn = try await services.workers.render(source, request, into: part, urgency: urgency)
    } catch {
      throw Pictures.named(error, folder)
    }
    let path = "\(folder)/\(hash)-\(drawn.width)-\(drawn.height).png"
    guard rename(part, path) == 0 else {
      unlink(part)
      throw RPCError(FileFailure(path: path, errno))
    }
    FileWrites.note()
    return PictureFile(path: path, width: drawn.width, height: drawn.height, size: Int64(drawn.bytes))
  }

  /// Puts the files of an earlier daemon on the shelf, once. Nothing is rendered before, as it would be removed with the
  /// parts.
  private func readFolder(at now: Instant) async throws {
    if isRead.withLock(\.self) { return }
    try await reading.value(for: "") { [self] _ in
      if !isRead.withLock(\.self) { try await readFiles(at: now) }
    }
  }

  private func readFiles(at now: Instant) async throws {
    let folder = folder
    let found = try await onThread { _ in
      // Parts that a killed daemon left.
      DaemonFiles.remove(in: folder) { $0.hasSuffix(".part") && UUID(uuidString: String($0.dropLast(5))) != nil }
      return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { name in
        Self.stored(name, in: folder)
      }
    }
    isRead.withLock { isRead in
      for (hash, picture, usedAt) in found where !shelf.isCached(hash) {
        _ = shelf.keep(picture, as: hash, for: nil, at: min(usedAt, now.milliseconds))
      }
      isRead = true
    }
  }

  /// The picture of a file `<hash>-<width>-<height>.png`; nil for any other file.
  private static func stored(
    _ name: String, in folder: String
  ) -> (hash: String, picture: PictureFile, usedAt: Int64)? {
    let path = "\(folder)/\(name)"
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    var information = stat()
    guard parts.count == 3, DaemonFiles.isHexadecimal(parts[0], count: 64), parts[2].hasSuffix(".png"),
      let width = Int(parts[1]), let height = Int(parts[2].dropLast(4)), (1...side).contains(width),
      (1...side).contains(height), name == "\(parts[0])-\(width)-\(height).png", lstat(path, &information) == 0,
      information.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return (
      String(parts[0]),
      PictureFile(path: path, width: width, height: height, size: Int64(information.st_size)),
      Int64(information.st_mtim.tv_sec) * 1_000
    )
  }
}

extension Services {
  /// A folder for each library: several may share the caches.
  var thumbnails: Thumbnails {
    memory.object(Thumbnails.self) { Thumbnails(folder: cacheFolder("thumbnails")) }
  }
}
