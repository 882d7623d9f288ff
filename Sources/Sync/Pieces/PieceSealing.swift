import Crypto
import Store

/// Names and encryption of the pieces of files, by the secret of a space.
///
///     pieces/3f/3f9c…    HMAC-SHA256(HKDF(secret, salt: space, info: names), SHA-256 of the file ‖ u32 index)
///
/// Each piece has 8 MiB of its file, the last one less, maybe nothing: so the end is known without the size. A place
/// that does not know the secret learns neither hashes nor which pieces belong together.
///
/// A device that cannot read a piece puts `3f9c….damaged` beside it; who has the file overwrites the piece, and removes
/// the report.
package struct PieceSealing: Sendable {
  package static let pieceBytes = 8 << 20
  /// The most pieces of a file: 32 GiB.
  package static let maximumPieces = 4_096

  /// The largest sealed piece.
  static var maximumBytes: Int { SealedFile.sealedBytes(pieceBytes) }

  private let file: SealedFile
  private let namesKey: [UInt8]

  package init(_ space: Space, _ secret: SpaceSecret) {
    file = SealedFile(kind: .piece, space: space.id, generation: space.generation, secret: secret)
    namesKey = derivedKey(from: secret.bytes, salt: space.id, info: "names")
  }

  package func name(of hash: BlobHash, _ index: Int) -> String {
    hexadecimal(hmacSHA256(Self.place(hash, index), key: namesKey))
  }

  package func seal(_ content: [UInt8], of hash: BlobHash, _ index: Int) -> [UInt8] {
    file.seal(content, as: Self.place(hash, index))
  }

  /// - Throws: `LogFileError` for bytes that this space did not seal as this piece.
  package func open(_ bytes: [UInt8], of hash: BlobHash, _ index: Int) throws(LogFileError) -> [UInt8] {
    let content = try file.open(bytes, as: Self.place(hash, index))
    guard content.count <= Self.pieceBytes else { throw .damaged }
    return content
  }

  /// The number of pieces of a file of this size.
  static func count(ofBytes size: Int) -> Int { size / pieceBytes + 1 }

  /// The sealed size of a piece of a file of this size.
  static func sealedBytes(_ index: Int, ofBytes size: Int) -> Int {
    SealedFile.sealedBytes(min(pieceBytes, size - index * pieceBytes))
  }

  /// The name beside a piece of the file that reports it as damaged.
  static func report(of name: String) -> String { name + ".damaged" }

  /// The folder at the target in which a piece lies.
  static func folder(of name: String) -> String { "pieces/\(name.prefix(2))" }

  private static func place(_ hash: BlobHash, _ index: Int) -> [UInt8] {
    let digits = Array(hash.text.utf8).map { UInt8($0 < UInt8(ascii: "a") ? $0 - 48 : $0 - 87) }
    let bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    return bytes + SealedFile.bigEndian(UInt64(index), count: 4)
  }
}
