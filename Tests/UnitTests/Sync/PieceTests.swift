import Crypto
import Foundation
import Store
import TestSupport
import Testing

@testable import Sync

@Suite("Pieces of files") struct PieceTests {
  private static let secret = SpaceSecret(bytes: (0..<16).map { UInt8($0) })!
  private static let space = Space(id: (100..<116).map { UInt8($0) }, secret: secret)
  private static let sealing = PieceSealing(space, secret)
  private static let hash = BlobHash(SHA256.hexadecimal(of: Array("Tea".utf8)))!
  private static let other = BlobHash(SHA256.hexadecimal(of: Array("Coffee".utf8)))!

  @Test("a piece has the name that the format states")
  func names() {
    // By Python's hmac.
    #expect(Self.sealing.name(of: Self.hash, 0) == "ed1c1ffd9093f91d4180f4f5e5af6e9d467f6e53282b0266a46bd47917ce3aad")
    #expect(Self.sealing.name(of: Self.hash, 1) == "c06ce6f20e776bb37297986a4415f0640fbf8e5bf4f91eaa1cee450da7fc3964")
    let own = Self.sealing.name(of: Self.hash, 0)
    #expect(PieceSealing.folder(of: own) == "pieces/\(own.prefix(2))")
    #expect(Self.sealing.name(of: Self.other, 0) != own)
    #expect(
      PieceSealing(Space(id: (0..<16).map { UInt8($0) }, secret: Self.secret), Self.secret).name(of: Self.hash, 0)
        != own)
    #expect(PieceSealing(Self.space, SpaceSecret.make()).name(of: Self.hash, 0) != own)
  }

  @Test("a piece is opened as itself only: not as another one of its file, of another file, space or generation")
  func places() throws {
    let sealed = Self.sealing.seal([1, 2, 3], of: Self.hash, 1)
    #expect(try Self.sealing.open(sealed, of: Self.hash, 1) == [1, 2, 3])
    #expect(throws: LogFileError.damaged) { try Self.sealing.open(sealed, of: Self.hash, 0) }
    #expect(throws: LogFileError.damaged) { try Self.sealing.open(sealed, of: Self.other, 1) }
    let renewed = Space(id: Self.space.id, generation: 2, secret: Self.secret)
    #expect(throws: LogFileError.olderKey) { try PieceSealing(renewed, Self.secret).open(sealed, of: Self.hash, 1) }
    #expect(throws: LogFileError.damaged) {
      try PieceSealing(Self.space, SpaceSecret.make()).open(sealed, of: Self.hash, 1)
    }
    #expect(throws: LogFileError.damaged) {
      // A log file of the same space.
      let log = SpaceSealing(Self.space, Self.secret).seal([1], as: FileID(WriterID(7), 1))
      return try Self.sealing.open(log, of: Self.hash, 1)
    }
    var newer = sealed
    newer[4] = 2
    #expect(throws: LogFileError.newerFormat) { try Self.sealing.open(newer, of: Self.hash, 1) }
  }

  @Test(
    "sizes of pieces are known before they are sealed, and the last one is shorter than the others, maybe empty",
    arguments: [0, 1, PieceSealing.pieceBytes - 1, PieceSealing.pieceBytes, PieceSealing.pieceBytes + 1])
  func sizes(bytes: Int) throws {
    let count = PieceSealing.count(ofBytes: bytes)
    #expect(count == (bytes < PieceSealing.pieceBytes ? 1 : 2))
    let last = [UInt8](repeating: 7, count: bytes - (count - 1) * PieceSealing.pieceBytes)
    #expect(last.count < PieceSealing.pieceBytes)
    let sealed = Self.sealing.seal(last, of: Self.hash, count - 1)
    #expect(sealed.count == PieceSealing.sealedBytes(count - 1, ofBytes: bytes))
    #expect(sealed.count <= PieceSealing.maximumBytes)
    #expect(try Self.sealing.open(sealed, of: Self.hash, count - 1) == last)
  }

  @Test("a file goes on behind its last whole piece, whatever a crash has left of the next one")
  func continued() throws {
    let place = TemporaryFolder()
    let folder = LibraryFolder(place.file("library"))
    try folder.prepare()
    let file = PieceFile(of: Self.hash, in: folder)
    #expect(try file.pieces() == 0)
    let whole = [UInt8](repeating: 1, count: PieceSealing.pieceBytes)
    try file.write(whole, 0)
    try file.write([2, 2, 2], 1)
    #expect(try file.pieces() == 1)
    try file.write([3, 3], 1)
    #expect(try Data(contentsOf: URL(filePath: file.path)) == Data(whole + [3, 3]))
    #expect(try readPiece(0, ofFileAt: file.path) == whole)
    #expect(try readPiece(1, ofFileAt: file.path) == [3, 3])
    #expect(try readPiece(2, ofFileAt: file.path) == [])
    // A week without a piece, and it is given up.
    let now = Int64(Date().timeIntervalSince1970) * 1_000
    PieceFile.removeLeftovers(in: folder, now: now)
    #expect(FileManager.default.fileExists(atPath: file.path))
    PieceFile.removeLeftovers(in: folder, now: now + 8 * SyncPolicy.day)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }
}
