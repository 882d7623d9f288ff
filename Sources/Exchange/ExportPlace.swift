import FoundationEssentials
import Kit
import Store
import Wire

/// Where an export that is made in memory goes: into a file at `path`, or with the reply, where `inline` is `true`.
package struct ExportPlace: Sendable {
  /// What was written, and where: one of `path` and `data` (base64).
  package struct Written: Sendable {
    package var path: String?
    package var data: String?
    /// How many items are in it.
    package var count: Int
  }

  private let file: FileExport?

  /// What every export says of its parameter `overwrite`.
  package static let overwriteNote = "Replace the file that is at `path`: by a whole new one, or not at all."

  package init(path: String?, overwrite: Bool? = nil, services: Services) {
    file = path.map { FileExport(to: $0, overwrite: overwrite ?? false, services: services) }
  }

  /// Refuses params that name neither; both together are refused by their shape.
  package static func require(path: String?, inline: Bool?) throws(RPCError) {
    guard path != nil || inline == true else {
      throw .invalidParams(field: "inline", reason: Text("param.invalid"))
    }
  }

  /// Writes what a spool has, part by part: all of it together may be more than the memory holds.
  ///
  /// - Parameters:
  ///   - head: what stands before the first part.
  ///   - form: a part as it is to stand there.
  package func write(
    _ spool: ExportSpool, _ progress: Progress, behind head: [UInt8] = [],
    _ form: @escaping @Sendable ([UInt8]) throws -> [UInt8] = { $0 }
  ) async throws -> Written {
    guard let file else {
      return try await write(progress) {
        var bytes = head
        try spool.each { _, _, part in
          bytes += try form(part)
          guard bytes.count <= InlineBytes.limit else { throw GivenFile.tooLarge(InlineBytes.limit) }
        }
        return (bytes, spool.parts.count)
      }
    }
    do {
      return try await onThread { checkCancelled in
        try file.writeFile(checkCancelled: checkCancelled) { written in
          try written.write(head)
          try spool.each(progress, checkCancelled: checkCancelled) { _, part in try written.write(form(part)) }
        }
        return Written(path: file.path, data: nil, count: spool.parts.count)
      }
    } catch let failure as FileFailure {
      throw RPCError(writing: failure, replaceable: true)
    }
  }

  /// Makes the bytes and writes them, on a thread of its own.
  package func write(
    _ progress: Progress, _ make: @escaping @Sendable () throws -> (bytes: [UInt8], count: Int)
  ) async throws -> Written {
    if file == nil { try await progress.room() }
    do {
      return try await onThread { checkCancelled in
        let (bytes, count) = try make()
        try checkCancelled()
        if let file {
          try file.writeFile(checkCancelled: checkCancelled) { try $0.write(bytes) }
          return Written(path: file.path, data: nil, count: count)
        }
        guard bytes.count <= InlineBytes.limit else { throw GivenFile.tooLarge(InlineBytes.limit) }
        return Written(path: nil, data: Data(bytes).base64EncodedString(), count: count)
      }
    } catch let failure as FileFailure {
      throw RPCError(writing: failure, replaceable: true)
    }
  }
}
