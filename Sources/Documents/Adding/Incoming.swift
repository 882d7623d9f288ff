import HTTP
import Kit
import PDF
import Store
import Wire

/// A document being added: its bytes are stored and inspected, its row is not yet written.
struct Incoming: Sendable {
  var blob: Blobs.Blob
  var info: DocumentInfo
  /// The text of its first pages, so that reading can begin at once.
  var texts: [PageText]
  /// The text of the pages after the first, if a worker is free for it and the indexer is to receive it.
  var ahead: ReadAhead?
  var isProtected: Bool
  var password: String?
  /// The file's name without its extension.
  var fileName: String
  /// The file is damaged, and was read as far as possible: its object table is wrong, so that the objects were found
  /// without it, or fewer pages can be loaded than it declares.
  var isRepaired: Bool
  /// The server's validators for the next conditional request.
  var validators: Validators?
  /// The file with these bytes, if they stay in it.
  var link: LinkedFile?

  /// The pages whose text is extracted before the reply: some 30 ms of one worker, while the other two extract the
  /// rest.
  static let firstPages = 12

  static func take(
    _ source: GivenSource, password: String?, with services: Services, progress: Progress
  ) async throws -> Incoming {
    let incoming = try await takeIfChanged(
      source, since: nil, password: password, readsAhead: true, with: services, progress: progress)
    // No condition was sent, so the answer cannot be “unchanged”.
    guard let incoming else { throw RPCError.internalError }
    return incoming
  }

  /// Nil if the server answers that nothing has changed since `bytes`.
  ///
  /// - Parameter readsAhead: whether the indexer is to receive the pages after the first ones.
  static func takeIfChanged(
    _ source: GivenSource, since bytes: KnownBytes?, password: String?, readsAhead: Bool,
    with services: Services, progress: Progress
  ) async throws -> Incoming? {
    // A worker starts while the file is copied and hashed; not while it is downloaded, which takes long and may fail.
    if !source.isAway { services.workers.expect() }
    guard let file = try await ReceivedFile.receive(source, since: bytes, with: services, progress: progress) else {
      return nil
    }
    if source.isAway { services.workers.expect() }
    do {
      try Task.checkCancellation()
      progress.report(message: Text("progress.checking"))
      let incoming = try await inspect(
        file, source: source, password: password, readsAhead: readsAhead, with: services)
      progress.report(message: Text("progress.reading"), percentage: 100)
      file.finish()
      return incoming
    } catch {
      file.abandon(after: error)
      throw error
    }
  }

  /// Inspects the file before it becomes a blob, so that a file that is not a PDF leaves nothing on disk.
  static func inspect(
    _ file: ReceivedFile, source: GivenSource, password: String?, readsAhead: Bool, with services: Services
  ) async throws -> Incoming {
    let name = source.name
    let path = file.path
    let bytes = try await onThread { _ in try Blobs.hash(path: path) }
    do {
      let (source, info) = try await open(path, hash: bytes.hash, password: password, services: services)
      guard !info.pages.isEmpty else { throw WorkerFailure.corrupt(reason: "noPages") }
      let (texts, ahead) = await read(source, info, readsAhead: readsAhead, with: services)
      try Task.checkCancellation()
      let (blobs, link) = (services.blobs, file.link)
      let (isSound, blob) = try await onThread { _ in
        (ObjectTable.isSound(inFile: path), try link == nil ? blobs.adopt(file: path) : bytes)
      }
      return Incoming(
        blob: blob, info: info, texts: texts, ahead: ahead, isProtected: source.password != nil,
        password: source.password, fileName: file.name,
        isRepaired: !isSound || info.pages.contains(where: \.isBroken), validators: file.validators, link: link)
    } catch let failure as WorkerFailure {
      throw RPCError(failure, source: name)
    } catch let failure as FileFailure {
      throw RPCError(failure)
    }
  }

  /// The text of the first pages. With `readsAhead`, the extraction of the following pages is started.
  private static func read(
    _ source: DocumentSource, _ info: DocumentInfo, readsAhead: Bool, with services: Services
  ) async -> (texts: [PageText], ahead: ReadAhead?) {
    let count = min(firstPages, info.pages.count)
    // Requested at once, so that text that no client waits for queues after it. Text that cannot be extracted is no
    // reason to refuse a file that can be rendered: the indexer tries again.
    let first = Task.immediate { (try? await services.workers.extract(source, pages: 0..<count)) ?? [] }
    // Whether the text of a password-protected file may be stored depends on its document's settings, which are not
    // available here.
    let rest = readsAhead && source.password == nil ? count..<info.pages.count : 0..<0
    let ahead = services.indexer.readAhead(of: source, rest, with: services)
    let texts = await withTaskCancellationHandler {
      await first.value
    } onCancel: {
      first.cancel()
    }
    return (texts, ahead)
  }

  /// Opens the file without a password first: an encrypted file may be readable without one.
  private static func open(
    _ path: String, hash: String, password: String?, services: Services
  ) async throws -> (DocumentSource, DocumentInfo) {
    let plain = DocumentSource(key: hash, path: path)
    do {
      let info = try await services.workers.inspect(plain)
      return (plain, info)
    } catch .passwordRequired where password != nil {
      let locked = DocumentSource(key: hash, path: path, password: password)
      let info = try await services.workers.inspect(locked)
      return (locked, info)
    }
  }
}
