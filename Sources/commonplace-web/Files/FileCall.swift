import Client
import FoundationEssentials
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import Wire

/// One call of a method whose reply names or contains a file.
struct FileCall: Sendable {
  let query: FileQuery
  let site: Site

  /// The file of the reply, as an answer to GET or POST.
  func answer(isSafe: Bool, to head: HTTPRequestHead) async -> Answer {
    do throws(BridgeFailure) {
      var connection = try await site.fileClient.connection()
      guard let method = connection.methods[query.method] else {
        return .refusal(.notFound, "There is no such method.")
      }
      guard method.isSafe || !isSafe else {
        return .refusal(.methodNotAllowed, "This method may change something: POST it.")
      }
      // A path that is none of a file, such as that of a socket, is not even looked at.
      guard ["path", "file", "data"].contains(query.member.last), connection.methods.declares(query.member, of: method)
      else {
        return .refusal(.badRequest, "The reply of this method has no such member.")
      }
      let unavailable = Self.unavailable(site.voice.sentence(BridgeFailure.daemonEnded.words))
      // The daemon may end meanwhile.
      for isLast in [!isSafe, true] {
        do {
          return try await answer(by: connection, method, to: head)
        } catch let error as RemoteError {
          return Self.answer(to: error)
        } catch ClientError.closed {
          await site.fileClient.leave(connection)
          guard !isLast else { return unavailable }
          connection = try await site.fileClient.connection()
        } catch {
          return unavailable
        }
      }
      return unavailable
    } catch {
      return Self.unavailable(site.voice.sentence(error.words))
    }
  }

  /// - Throws: the errors of `Client.call`.
  private func answer(by connection: FileClient.Connection, _ method: FileMethods.Method, to head: HTTPRequestHead)
    async throws
    -> Answer
  {
    var params = query.params
    var folder: String?
    defer { if let folder { ScratchFolder.remove(folder) } }
    if method.params.contains("path"), params["inline"] != true {
      // Only a file of our own: the page names none that would be written or replaced.
      guard params["path"] == nil, let own = site.scratch.makeFolder() else {
        return .refusal(.badRequest, "Leave out “path”: the answer is the file.")
      }
      folder = own
      params["path"] = .string("\(own)/file")
    }
    let reply = try await site.fileClient.reply(
      of: query.method, .object(params), by: connection, sharedAs: folder == nil ? query.reply : nil)
    let value = query.member.reduce(Optional(reply)) { value, name in
      Int(name).flatMap { value?[$0] } ?? value?[name]
    }
    guard let text = value?.stringValue else {
      return .json(.notFound, Self.error("The reply contains no file.", ["reply": reply]))
    }
    if query.containsBytes {
      guard let bytes = Data(base64Encoded: text) else { return .refusal(.notFound, "The reply contains no file.") }
      return answer(bytes: ByteBuffer(bytes: bytes), to: head)
    }
    let folders = [site.scratch.path, connection.folders.caches, connection.folders.library]
    guard let file = await Self.open(text, below: folders) else {
      return .refusal(.notFound, "The file is not among those of the library.")
    }
    return answer(file: file, to: head)
  }

  private static func open(_ path: String, below folders: [String]) async -> OpenedFile? {
    (try? await NIOThreadPool.singleton.runIfActive { OpenedFile(StoredFile(at: path, below: folders)) }) ?? nil
  }

  private struct OpenedFile: Sendable {
    let file: StoredFile
    let type: MediaType

    init?(_ file: StoredFile?) {
      guard let file, let start = file.read(0..<min(file.size, MediaType.signatureLength)) else { return nil }
      (self.file, type) = (file, MediaType(of: Array(start.readableBytesView)))
    }
  }

  // MARK: - Answers

  private func answer(bytes: ByteBuffer, to head: HTTPRequestHead) -> Answer {
    let tag = EntityTag.of(bytes.readableBytesView)
    let type = MediaType(of: Array(bytes.readableBytesView.prefix(MediaType.signatureLength)))
    if EntityTag.matches(tag, head.headers["if-none-match"]) { return notModified(tag) }
    return Answer(status: .ok, headers: headers(type, tag), body: .bytes(bytes))
  }

  private func answer(file opened: OpenedFile, to head: HTTPRequestHead) -> Answer {
    let file = opened.file
    if EntityTag.matches(file.tag, head.headers["if-none-match"]) { return notModified(file.tag) }
    var answer = Answer(
      status: .ok, headers: headers(opened.type, file.tag) + [("Accept-Ranges", "bytes")],
      body: .file(file, 0..<file.size))
    // A range of a file that has changed since is answered with the whole.
    let condition = head.headers["if-range"]
    guard condition.isEmpty || condition == [file.tag] else { return answer }
    switch ByteRange(head.headers["range"], of: file.size) {
    case .whole: break
    case .part(let range):
      answer.status = .partialContent
      answer.headers.append(("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"))
      answer.body = .file(file, range)
    case .unsatisfiable:
      answer.status = .rangeNotSatisfiable
      answer.headers.append(("Content-Range", "bytes */\(file.size)"))
      answer.body = .bytes(ByteBuffer())
    }
    return answer
  }

  private func notModified(_ tag: String) -> Answer {
    Answer(status: .notModified, headers: [("ETag", tag), ("Cache-Control", cacheControl)])
  }

  private var cacheControl: String { query.isImmutable ? "private, max-age=31536000, immutable" : "private, no-cache" }

  private func headers(_ type: MediaType, _ tag: String) -> [(name: String, value: String)] {
    var headers = [("Content-Type", type.name), ("ETag", tag), ("Cache-Control", cacheControl)]
    if let name = query.name {
      headers.append(("Content-Disposition", "attachment; filename*=UTF-8''\(PercentEncoding.encoded(name))"))
    } else if !type.isShown {
      headers.append(("Content-Disposition", "attachment"))
    }
    return headers
  }

  /// The error of the daemon, as it is in a reply.
  ///
  /// - Parameter folder: The folder of an uploaded file with its slash: the reader knows the file by its name alone.
  static func answer(to error: RemoteError, leavingOut folder: String? = nil) -> Answer {
    let status: HTTPResponseStatus = error.kind == "notFound" ? .notFound : .unprocessableEntity
    let text = Self.error(error.message, ["code": .integer(Int64(error.code)), "data": error.data ?? .null])
    return .json(status, folder.map { text.replacing($0, with: "") } ?? text)
  }

  static func unavailable(_ sentence: String) -> Answer { .json(.serviceUnavailable, error(sentence, [:])) }

  private static func error(_ message: String, _ more: JSONObject) -> String {
    var error: JSONObject = ["message": .string(message)]
    for member in more.members { error[member.key] = member.value }
    let whole: JSONValue = ["error": .object(error)]
    return whole.description
  }
}
