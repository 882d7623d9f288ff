import Crypto
import Zip

/// Compression and encryption of log files by the secret of a space.
package struct SpaceSealing: LogFileSealing {
  private let file: SealedFile

  init(_ space: Space, _ secret: SpaceSecret) {
    file = SealedFile(kind: .log, space: space.id, generation: space.generation, secret: secret)
  }

  /// Deflate makes what it cannot compress longer, by 5 bytes in 16 KiB.
  package var maximumBytes: Int { SealedFile.sealedBytes(LogFile.maximumBytes + LogFile.maximumBytes >> 8) }

  package func seal(_ content: [UInt8], as id: FileID) -> [UInt8] {
    file.seal(Deflate.compressed(content), as: Self.place(id))
  }

  package func open(_ bytes: [UInt8], as id: FileID) throws(LogFileError) -> [UInt8] {
    guard let content = Deflate.expanded(try file.open(bytes, as: Self.place(id)), limit: LogFile.maximumBytes) else {
      throw .damaged
    }
    return content
  }

  /// Writer and number: else an old file under a later number would be taken for the one that the writer writes then.
  private static func place(_ id: FileID) -> [UInt8] {
    SealedFile.bigEndian(id.writer.number, count: 8) + SealedFile.bigEndian(UInt64(id.number), count: 8)
  }
}
