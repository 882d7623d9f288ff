import FoundationEssentials
import Kit
import Store
import Wire

/// The destination of an export that is built in memory: a file at `path`, or the reply if `inline` is `true`.
package struct ExportPlace: Sendable {
  /// The result: one of `path` and `data` (base64).
  package struct Written: Sendable {
    package var path: String?
    package var data: String?
    /// The number of exported items.
    package var count: Int
  }

  private let file: FileExport?

  /// The note on the parameter `overwrite` of all exports.
  package static let overwriteNote = "Replaces an existing file at `path`, atomically."

  package init(_ params: some ExportParams, services: Services) {
    file = params.path.map { FileExport(to: $0, overwrite: params.overwrite ?? false, services: services) }
  }

  /// - Throws: `invalidParams` if neither is given; both together are refused by the params' shape.
  package static func require(_ params: some ExportParams) throws(RPCError) {
    guard params.path != nil || params.inline == true else {
      throw .invalidParams(field: "inline", reason: Text("param.invalid"))
    }
  }

  /// Writes the parts of a spool one by one: all of them together may exceed the memory.
  ///
  /// - Parameters:
  ///   - head: the bytes before the first part.
  ///   - form: converts a part to its form in the export.
  /// - Throws: an `RPCError` if the file cannot be written, or if inline bytes exceed `InlineBytes.limit`.
  package func write(
    _ spool: ExportSpool, _ progress: Progress, after head: [UInt8] = [],
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

  /// Builds the bytes and writes them, on a thread of its own.
  ///
  /// - Throws: an `RPCError` if the file cannot be written, or if inline bytes exceed `InlineBytes.limit`.
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
