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

  package func seal(_ content: [UInt8]) -> [UInt8] { file.seal(Deflate.compressed(content)) }

  package func open(_ bytes: [UInt8]) throws(LogFileError) -> [UInt8] {
    guard let content = Deflate.expanded(try file.open(bytes), limit: LogFile.maximumBytes) else { throw .damaged }
    return content
  }
}
