import Exchange
import FoundationEssentials
import Glibc
import Kit
import PDF
import Store
import Synchronization
import Wire

/// Small pictures of files, in the cache folder, named by the file's hash. Only a worker decodes a file.
final class FilePictures: Sendable {
  /// Files up to this size whose format no worker decodes are their own thumbnails, in bytes.
  private static let smallFile: Int64 = 2 << 20
  private static let limits = {
    var limits = PictureShelf.Limits(limit: 64 << 20)
    // A picture in use can be drawn again; a client that lists a large library must not hold all of them.
    limits.hardLimit = limits.limit
    return limits
  }()

  private let folder: String
  private let shelf = PictureShelf()
  private let work = SharedWork<PictureFile?>()
  /// Whether the files of an earlier daemon are removed.
  private let isCleared = Mutex(false)
  /// Files that no worker could draw, by key: each costs a worker.
  private let undrawable = Mutex<Set<String>>([])
  private static let mostUndrawable = 10_000

  init(folder: String) { self.folder = folder }

  /// - Parameter side: the longer side, in pixels.
  /// - Returns: nil for a file without a picture, and for one that cannot be drawn.
  /// - Throws: `FileFailure` or `RPCError` if the cache folder cannot be written, `busy`, `CancellationError`.
  func picture(
    of file: FileRecord, side: Int, for client: String, with services: Services
  ) async throws -> PictureFile? {
    let type = FileType(mediaType: file.mediaType)
    switch type {
    case .gif, .webp, .avif:
      guard file.size <= Self.smallFile else { return nil }
      return PictureFile(
        path: try services.blobs.path(named: file.hash), width: file.width ?? 0, height: file.height ?? 0,
        size: file.size)
    case .jpg, .png, .pdf: break
    default: return nil
    }
    let key = "\(file.hash)-\(side)"
    if let known = shelf.use(key, by: client, at: services.now().milliseconds) { return known }
    if undrawable.withLock({ $0.contains(key) }) { return nil }
    let drawn = try await work.value(for: key) { [self] _ in
      try await draw(file, isPDF: type == .pdf, side: side, as: key, with: services)
    }
    guard let drawn else {
      undrawable.withLock { undrawable in
        if undrawable.count >= Self.mostUndrawable { undrawable = [] }
        undrawable.insert(key)
      }
      return nil
    }
    return shelf.use(key, by: client, at: services.now().milliseconds) ?? drawn
  }

  private func draw(
    _ file: FileRecord, isPDF: Bool, side: Int, as key: String, with services: Services
  ) async throws -> PictureFile? {
    try prepareFolder()
    let path = try services.blobs.path(named: file.hash)
    if isPDF {
      let source = DocumentSource(key: file.hash, path: path)
      return try await render(source, side: side, as: key, with: services) {
        let page = try await services.workers.inspect(source).pages.first
        return page.map { max($0.width, $0.height) } ?? 0
      }
    }
    let page = "\(folder)/\(services.newID()).pdf"
    defer { unlink(page) }
    let isWritten = try await onThread { _ in try Self.write(page, ofPictureAt: path, named: file) }
    guard isWritten else { return nil }
    let source = DocumentSource(key: Blobs.hash(of: Array("picture/\(file.hash)".utf8)), path: page)
    return try await render(source, side: side, as: key, with: services) { Double(PicturePDF.side) }
  }

  /// False for a file that no worker could decode.
  private static func write(_ page: String, ofPictureAt path: String, named record: FileRecord) throws -> Bool {
    guard record.size <= PicturePDF.largestFile, let type = FileType(mediaType: record.mediaType) else { return false }
    let file = try GivenFile(opening: path, limit: Int(PicturePDF.largestFile))
    var start = [UInt8](repeating: 0, count: min(file.size, PictureHeader.length))
    let count = start.withUnsafeMutableBytes { pread(file.descriptor, $0.baseAddress, $0.count, 0) }
    guard count == start.count, let picture = PictureHeader(start, of: type).flatMap({ PicturePDF($0) }) else {
      return false
    }
    do {
      try picture.write(file, to: page)
      return true
    } catch is NoPicture {
      return false
    }
  }

  /// Renders the first page.
  ///
  /// - Parameter length: its longer side in points.
  private func render(
    _ source: DocumentSource, side: Int, as key: String, with services: Services,
    length: () async throws -> Double
  ) async throws -> PictureFile? {
    let part = "\(folder)/\(services.newID()).part"
    do {
      let length = try await length()
      guard length > 0 else { return nil }
      let request = PictureRequest(page: 0, size: .scale(Double(side) / length))
      let drawn = try await services.workers.render(source, request, into: part)
      let path = "\(folder)/\(key).png"
      guard rename(part, path) == 0 else {
        unlink(part)
        throw FileFailure(path: path, errno)
      }
      FileWrites.note()
      let picture = PictureFile(path: path, width: drawn.width, height: drawn.height, size: Int64(drawn.bytes))
      let now = services.now().milliseconds
      shelf.remove(key, keeping: path)
      let cached = shelf.keep(picture, as: key, for: nil, at: now)
      shelf.makeRoom(
        within: Self.limits, PictureShelf.Leases(now: now, isConnected: services.library.isConnected))
      return cached
    } catch let failure as WorkerFailure {
      switch failure {
      case .cancelled, .shutDown: throw CancellationError()
      case .busy: throw RPCError(code: RPCError.Code.busy, kind: .busy, text: Text("documents.workersBusy"))
      case .outputError(let errno): throw FileFailure(path: folder, errno)
      default: return nil
      }
    }
  }

  /// Creates the folder; pictures of an earlier daemon are drawn again.
  private func prepareFolder() throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    isCleared.withLock { isCleared in
      if !isCleared {
        DaemonFiles.remove(in: folder) { name in [".png", ".part", ".pdf"].contains { name.hasSuffix($0) } }
      }
      isCleared = true
    }
  }
}

extension Services {
  /// A folder for each library: several may share the caches.
  var filePictures: FilePictures {
    memory.object(FilePictures.self) { FilePictures(folder: cacheFolder("files")) }
  }
}
