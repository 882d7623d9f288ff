import Client
import FoundationEssentials
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import Wire

/// A file that the page sends, on its way into a method: written as it comes, so that it is never whole in memory.
final class Upload: Sendable {
  /// The most bytes that are sent to the daemon in a message, for a method that takes no path.
  static let mostBytesInMessage = 8 << 20

  private let query: FileQuery
  private let site: Site
  private let folder: String
  private let path: String
  private let descriptor: Int32

  /// Nil if no file can be created.
  init?(_ query: FileQuery, site: Site) {
    guard let folder = site.scratch.makeFolder() else { return nil }
    let path = "\(folder)/\(Self.fileName(query.name))"
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      ScratchFolder.remove(folder)
      return nil
    }
    (self.query, self.site, self.folder, self.path, self.descriptor) = (query, site, folder, path, descriptor)
  }

  deinit {
    close(descriptor)
    ScratchFolder.remove(folder)
  }

  /// The last component of the given name, without control characters, and short enough for every file system.
  private static func fileName(_ name: String?) -> String {
    let last = name?.split(separator: "/").last ?? ""
    var scalars = String.UnicodeScalarView()
    for scalar in last.unicodeScalars where scalar.properties.generalCategory != .control {
      guard String(scalars).utf8.count < 200 else { break }
      scalars.append(scalar)
    }
    let clean = String(scalars)
    return ["", ".", ".."].contains(clean) ? "file" : clean
  }

  /// Appends bytes; false if the disk is full. Blocks its thread.
  func write(_ bytes: ByteBuffer) -> Bool {
    bytes.withUnsafeReadableBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        let count = Glibc.write(descriptor, bytes.baseAddress! + offset, bytes.count - offset)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        offset += count
      }
      return true
    }
  }

  /// Calls the method with the file, and answers its reply.
  func finish() async -> Answer {
    // Before the answer, after which nobody expects it to be there.
    defer { ScratchFolder.remove(folder) }
    do throws(BridgeFailure) {
      let connection = try await site.fileClient.connection()
      guard let method = connection.methods[query.method] else {
        return .refusal(.notFound, "There is no such method.")
      }
      var params = query.params
      if method.params.contains("path") {
        params["path"] = .string(path)
      } else if method.params.contains(query.field) {
        guard let bytes = await bytes() else { return .tooLarge(Self.mostBytesInMessage) }
        params[query.field] = .string(bytes.base64EncodedString())
      } else {
        return .refusal(.badRequest, "This method takes no file.")
      }
      do {
        let reply = try await connection.client.call(query.method, .object(params))
        return .json(.ok, reply.description)
      } catch let error as RemoteError {
        return FileCall.answer(to: error, leavingOut: folder + "/")
      } catch {
        if case ClientError.closed = error { await site.fileClient.leave(connection) }
        return FileCall.unavailable(site.voice.sentence(BridgeFailure.daemonEnded.words))
      }
    } catch {
      return FileCall.unavailable(site.voice.sentence(error.words))
    }
  }

  /// The whole file; nil if it is too large for a message.
  private func bytes() async -> Data? {
    let read = try? await NIOThreadPool.singleton.runIfActive { [self] () -> Data? in
      let size = Int(lseek(descriptor, 0, SEEK_END))
      guard size <= Self.mostBytesInMessage else { return nil }
      var bytes = Data(count: size)
      let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, size, 0) }
      return count == size ? bytes : nil
    }
    return read ?? nil
  }
}
