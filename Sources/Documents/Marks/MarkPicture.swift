import Contract
import Exchange
import Glibc
import Kit
import PDF
import Store
import Wire

/// The picture of a marked area as it was when it was marked: it stays when the document gets other bytes, in which the
/// area may not be found.
enum MarkPicture {
  /// Pixels per point, unless the picture would have more than `mostPixels`.
  private static let scale = 2.0
  private static let mostPixels = 4_000_000.0

  static func request(of box: Box, on page: StoredPage) -> PictureRequest {
    let scale = min(scale, (mostPixels / max(1, box.area)).squareRoot())
    return PictureRequest(
      page: page.page, size: .scale(scale),
      region: Region(x: box.left, y: box.top, width: box.width, height: box.height))
  }

  /// Renders it into a blob.
  ///
  /// - Throws: `RPCError`.
  static func draw(
    _ request: PictureRequest, of document: DocumentRecord, opening password: Password, with services: Services
  ) async throws -> Blobs.Blob {
    let part = services.folder.parts + "/" + services.newID() + ".tmp"
    defer { unlink(part) }
    do {
      let (source, password) = try await services.source(of: document, opening: password)
      _ = try await services.workers.render(source, request, into: part)
      services.unlock(document, with: password)
      let blobs = services.blobs
      return try await onThread { _ in try blobs.adopt(file: part) }
    } catch let failure as WorkerFailure {
      throw RPCError(failure, source: document.title)
    } catch let failure as FileFailure {
      throw RPCError(failure)
    }
  }
}

enum ShowMarkPicture: ExternalReadMethod {
  static let name = "documents/markPicture"
  static let summary = "The picture of a marked area: a PNG of that part of the page, as it was when it was marked."
  static let effects: Effects = [.reads, .files]
  static let errors: [ErrorKind] = [.elsewhere, .noFile, .notFound]
  static let doing = Text("doing.drawPage")

  struct Params: Payload {
    var id: HighlightID
    var inline: Bool?
    static let example = Params(id: "0193", inline: nil)
    static let fields = [
      "id": "The mark.", "inline": "Also returns the bytes in base64, for clients without a common file system.",
    ]
  }

  struct Result: Payload {
    var path: String
    var hash: String
    var size: Int64
    var data: String?
    static let example = Result(
      path: "/home/ann/.local/share/commonplace/blobs/00/00", hash: String(repeating: "0", count: 64), size: 14_000,
      data: nil)
    static let fields = [
      "path": "The image file, which must not be changed.", "hash": "Its SHA-256.", "size": "Its size in bytes.",
      "data": "The file in base64, with `inline`.",
    ]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  struct Plan: Sendable {
    var path: String
    var hash: String
    var size: Int64
    var inline: Bool
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    let record = try snapshot.get(HighlightRecord.self, id: params.id.text)
    if let hash = record.picture { try snapshot.requireFile(hash) }
    guard let hash = record.picture,
      let size = try snapshot.db.first("SELECT size FROM blob WHERE hash = ?", [.text(hash)], { $0.integer(0) })
    else { throw RPCError(.notFound, text: Text("documents.noMarkPicture", ["id": record.id])) }
    return Plan(
      path: try snapshot.services.blobs.path(named: hash), hash: hash, size: size, inline: params.inline ?? false)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> String? {
    plan.inline ? try await InlineBytes.base64(of: plan.path, progress) : nil
  }

  static func finish(_ data: String?, of plan: Plan, in snapshot: Snapshot) throws -> Result {
    Result(path: plan.path, hash: plan.hash, size: plan.size, data: data)
  }
}
