import Contract
import Display
import Exchange
import FoundationEssentials
import Glibc
import HTTP
import Kit
import Store
import Wire

/// The bytes that a document has, for a conditional request to its server.
struct KnownBytes: Sendable {
  var hash: String
  var validators: Validators?
}

/// A file received from any source, in the library's own folder.
struct ReceivedFile: Sendable {
  var path: String
  /// The file's name without its extension: a title if there is no better one.
  var name: String
  /// The server's validators for the next conditional request.
  var validators: Validators?
  /// The file of which this is a copy, to be read and dropped: the bytes stay there.
  var link: LinkedFile?
  private var part: String?
  /// Prevents another download of the same URL from emptying the file that is being inspected, or the blob that it
  /// has become.
  private var lock: PartLock?

  /// The maximum size of a document in bytes.
  static let limit = 2 << 30

  /// A file that is there already, of another device.
  init(fetched path: String) { (self.path, name) = (path, "") }

  private init(
    path: String, name: String, validators: Validators? = nil, part: String? = nil, lock: PartLock? = nil
  ) {
    (self.path, self.name, self.validators, self.part, self.lock) = (path, name, validators, part, lock)
  }

  /// Nil if the server answers that nothing has changed since `bytes`.
  static func receive(
    _ source: GivenSource, since bytes: KnownBytes? = nil, with services: Services, progress: Progress
  ) async throws -> ReceivedFile? {
    switch source {
    case .web(let url): return try await download(url, since: bytes, with: services, progress: progress)
    case .unconfirmed(let url):
      return try await download(url, isTyped: false, since: bytes, with: services, progress: progress)
    case .file(let path, _), .temporary(let path), .linked(let path, _):
      let target = services.temporaryFile()
      var link: LinkedFile?
      do {
        if case .linked = source {
          link = try await onThread { _ in try LinkedBytes.copy(path, to: target, with: services) }
        } else {
          try await onThread { _ in try FileCopy.copy(from: path, to: target, limit: limit) }
        }
      } catch let failure as FileFailure {
        unlink(target)
        throw RPCError(failure)
      } catch {
        unlink(target)
        if (error as? RPCError)?.kind == .notAllowed, (try? FoundFiles.requireFolder(path)) != nil {
          throw RPCError(.notAllowed, text: Text("documents.isFolder", ["path": path]))
        }
        throw error
      }
      var file = ReceivedFile(path: target, name: baseName(path))
      file.link = link
      return file
    case .bytes(let text):
      guard let data = Data(base64Encoded: text) else {
        throw RPCError.invalidParams(field: "data", reason: Text("param.base64"))
      }
      try checkBeginning(of: data.prefix(1_024), size: data.count, name: "data")
      let target = services.temporaryFile()
      do {
        try await onThread { _ in try FileCopy.write(data, to: target) }
      } catch let failure as FileFailure {
        unlink(target)
        throw RPCError(failure)
      }
      return ReceivedFile(path: target, name: "")
    }
  }

  /// Called when the file has become a blob, or was read: removes the files that the download stored beside it.
  func finish() {
    if link != nil { unlink(path) }
    if let part { Download.discard(part: part) }
    lock?.giveUp()
  }

  /// Called when the file did not become a blob. A copy is deleted. A download that may yet be of use stays for the
  /// next try, such as one with a password.
  func abandon(after error: any Error) {
    switch (error as? RPCError)?.kind {
    case .notPDF, .corrupt, .workerCrashed, .tooLarge: break
    default:
      if let part, Download.isResumable(part: part) {
        lock?.giveUp()
        return
      }
    }
    unlink(path)
    finish()
  }

  /// How long an interrupted download may wait to be resumed.
  private static let partAge = 7 * 24 * 3_600

  /// Removes copies that a killed daemon left, and downloads that cannot or will not be resumed.
  static func removeLeftovers(in folder: LibraryFolder, now: Instant) {
    for name in Leftovers.names(ending: ".tmp", in: folder) { unlink(folder.parts + "/" + name) }
    let time = Date(timeIntervalSince1970: Double(now.milliseconds / 1_000 - Int64(partAge)))
    for name in Leftovers.names(ending: ".part", in: folder) {
      Download.discardAbandoned(part: folder.parts + "/" + name, untouchedSince: time)
    }
    // Descriptions of a part that no longer exists.
    for ending in [".part.json", ".part.json.new"] {
      for name in Leftovers.names(ending: ending, in: folder) {
        let part = folder.parts + "/" + name.dropLast(ending.count - ".part".count)
        if access(part, F_OK) != 0 { unlink(folder.parts + "/" + name) }
      }
    }
  }

  private static func download(
    _ url: String, isTyped: Bool = true, since bytes: KnownBytes?, with services: Services, progress: Progress
  ) async throws -> ReceivedFile? {
    // A download conditional on known bytes has a part of its own, so that an add and a refresh of one URL do not
    // interfere.
    let part = services.partFile(of: bytes.map { "\(url)\u{0}\($0.hash)" } ?? url)
    var request = DownloadRequest(url: url, part: part, limit: limit, validators: bytes?.validators) { head, isWhole in
      if isPDF(head) { return .accepted }
      return head.count >= 1_024 || isWhole ? .refused("no %PDF-") : .undecided
    }
    request.isNamedByContent = !isTyped
    do throws(HTTPFailure) {
      let download = try await services.http.downloadIfChanged(request) { progress.report($0) }
      guard let download else { return nil }
      FileWrites.note()
      return ReceivedFile(
        path: download.file, name: baseName(of: download.finalURL), validators: download.validators, part: part,
        lock: download.lock)
    } catch {
      if case .refusedAddress = error, !isTyped {
        throw RPCError(.refusedAddress, text: Text("documents.unconfirmed", ["url": WebURL.masked(url)]))
      }
      throw RPCError(error, url: url, isResumable: Download.isResumable(part: part))
    }
  }

  static func checkBeginning(of bytes: some Collection<UInt8>, size: Int, name: String) throws(RPCError) {
    if size == 0 { throw RPCError(.notPDF, text: Text("documents.empty", ["source": name])) }
    guard isPDF(bytes) else { throw RPCError(.notPDF, text: Text("documents.notPDF", ["source": name])) }
  }

  /// `%PDF-` within the first 1,024 bytes: PDF viewers accept other bytes before it.
  static func isPDF(_ bytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(bytes.prefix(1_024))
    let mark = Array("%PDF-".utf8)
    guard bytes.count >= mark.count else { return false }
    return (0...bytes.count - mark.count).contains { bytes[$0..<$0 + mark.count].elementsEqual(mark) }
  }

  private static func baseName(of url: WebURL) -> String {
    let path = String(url.target.prefix { $0 != "?" })
    return baseName(PercentEncoding.decoded(path) ?? path)
  }

  private static func baseName(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return name.lowercased().hasSuffix(".pdf") ? String(name.dropLast(4)) : name
  }
}

extension Services {
  fileprivate func temporaryFile() -> String {
    folder.parts + "/" + newID() + ".tmp"
  }
}
