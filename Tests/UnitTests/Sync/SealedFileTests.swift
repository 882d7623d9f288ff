import Crypto
import Foundation
import TestSupport
import Testing

@testable import Sync

@Suite("Sealed files") struct SealedFileTests {
  /// `SYNC_FILES=1000000` for a long run.
  private static let count = ProcessInfo.processInfo.environment["SYNC_FILES"].flatMap { Int($0) } ?? 2_000
  private static let secret = SpaceSecret(bytes: (0..<16).map { UInt8($0) })!
  private static let id = (100..<116).map { UInt8($0) }
  private static let salt = (0..<32).map { UInt8($0) }
  private static let log = file()
  private static let first = FileID(WriterID(7), 1)

  private static func file(
    _ kind: SealedFile.Kind = .log, id: [UInt8] = id, generation: Int = 1, secret: SpaceSecret = secret
  ) -> SealedFile { SealedFile(kind: kind, space: id, generation: generation, secret: secret) }

  private static func sample(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) } }

  @Test("a file has the bytes that the format states, over a chunk too")
  func bytes() {
    // Both by Python's cryptography.
    #expect(
      hexadecimal(Self.log.seal(Array("Tea".utf8), salt: Self.salt))
        == "4350535901010001000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1fbd46acbe96b283206a47bc9e"
        + "bb8fb8102fb3ecfd519861")
    let two = Self.log.seal(Self.sample(70_000), salt: Self.salt)
    #expect(two.count == 71_752)
    #expect(
      SHA256.hexadecimal(of: two) == "1c2e0722d5c13fdc8d35274eb4d324671070e55a571b1cb5cd0c4be8653853bb")
  }

  @Test(
    "contents of every size around a chunk come back, and sizes say little of them",
    arguments: [0, 1, 100, 65_531, 65_532, 65_533, 131_067, 131_068, 131_069, 300_000])
  func sizes(count: Int) throws {
    let sealed = Self.log.seal(Self.sample(count))
    #expect(try Self.log.open(sealed) == Self.sample(count))
    #expect(sealed.count == SealedFile.sealedBytes(count))
    #expect(SealedFile.padded(4 + count) <= (4 + count) * 112 / 100 + 1)
  }

  @Test("padding is that of Padmé")
  func padding() {
    #expect(
      (1...20).map { SealedFile.padded($0) } == [
        1, 2, 3, 4, 5, 6, 7, 8, 10, 10, 12, 12, 14, 14, 16, 16, 18, 18, 20, 20,
      ])
    #expect(SealedFile.padded(1_000) == 1_024 && SealedFile.padded(100_000) == 100_352)
    #expect(Set((60_000..<70_000).map { SealedFile.padded($0) }).count < 12)
  }

  @Test("the same content is sealed to other bytes each time")
  func fresh() { #expect(Self.log.seal([1, 2, 3]) != Self.log.seal([1, 2, 3])) }

  @Test("every single flipped, missing or added byte is refused")
  func everyByte() {
    let sealed = Self.log.seal(Array("Tea and biscuits".utf8), salt: Self.salt)
    for place in sealed.indices {
      for bit in 0..<8 {
        var changed = sealed
        changed[place] ^= 1 << bit
        // Another format is not read, and not taken for damage.
        let isNewer = place == 4 && changed[4] > 1
        #expect(throws: isNewer ? LogFileError.newerFormat : .damaged, "\(place)") { try Self.log.open(changed) }
      }
      #expect(throws: LogFileError.damaged) { try Self.log.open(Array(sealed[..<place])) }
      var shorter = sealed
      shorter.remove(at: place)
      #expect(throws: LogFileError.self) { try Self.log.open(shorter) }
    }
    #expect(throws: LogFileError.damaged) { try Self.log.open(sealed + [0]) }
  }

  @Test("chunks that are missing, doubled, exchanged or of another file are refused")
  func chunks() {
    let step = 65_536 + 16
    let sealed = Self.log.seal(Self.sample(200_000))
    let other = Self.log.seal(Self.sample(200_000))
    let head = Array(sealed[..<40])
    let chunks = stride(from: 40, to: sealed.count, by: step).map { Array(sealed[$0..<min(sealed.count, $0 + step)]) }
    #expect(chunks.count == 4)
    let orders = [[0, 1, 2], [0], [0, 1, 3], [1, 0, 2, 3], [0, 1, 1, 2, 3], [3], [0, 1, 2, 3, 3], []]
    for order in orders {
      #expect(throws: LogFileError.damaged, "\(order)") { try Self.log.open(head + order.flatMap { chunks[$0] }) }
    }
    #expect(throws: LogFileError.damaged) { try Self.log.open(Array(other[..<(40 + step)] + sealed[(40 + step)...])) }
  }

  @Test("a file of another secret, space, generation or kind is refused")
  func others() throws {
    let sealed = Self.log.seal([1, 2, 3])
    let others = [
      Self.file(secret: .make()), Self.file(id: Self.id.reversed()), Self.file(generation: 2), Self.file(.piece),
    ]
    for other in others {
      // A later key leaves the files of an earlier one alone.
      let error = other.generation > Self.log.generation ? LogFileError.olderKey : .damaged
      #expect(throws: error) { try other.open(sealed) }
      #expect(throws: LogFileError.damaged) { try Self.log.open(other.seal([1, 2, 3])) }
    }
    // With a head that claims to be of ours.
    for (place, other) in [(7, others[2]), (5, others[3])] {
      var claimed = other.seal([1, 2, 3])
      claimed[place] = sealed[place]
      #expect(throws: LogFileError.damaged) { try Self.log.open(claimed) }
    }
  }

  @Test("random files are refused, and changed ones give no content that was not sealed")
  func fuzz() {
    var random = SeededGenerator(seed: 11)
    let sealed = [0, 30, 70_000].map { Self.log.seal(Self.sample($0)) }
    for number in 0..<Self.count {
      // Large ones now and then: they take a hundred times as long.
      var bytes = number % 100 == 0 ? sealed[2] : sealed[number % 2]
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0...4, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
        case 2: bytes.insert(contentsOf: bytes[..<min(40, place)], at: place)
        case 3: bytes = Array(bytes[..<place])
        default: bytes[place] = .random(in: .min ... .max, using: &random)
        }
        if bytes.isEmpty { bytes = [0] }
      }
      if sealed.contains(bytes) { continue }
      #expect(throws: LogFileError.self) { try Self.log.open(bytes) }
    }
  }

  @Test("a log file is opened under its own name only")
  func place() throws {
    let sealing = Space(id: Self.id, secret: Self.secret).sealing(Self.secret)
    let sealed = sealing.seal([1, 2, 3], as: Self.first)
    #expect(try sealing.open(sealed, as: Self.first) == [1, 2, 3])
    for other in [FileID(WriterID(7), 2), FileID(WriterID(8), 1), FileID(WriterID(1), 7)] {
      #expect(throws: LogFileError.damaged) { try sealing.open(sealed, as: other) }
    }
  }

  @Test("a log file is compressed, sealed, and no larger than is fetched; one that expands too far is damaged")
  func logFile() throws {
    let sealing = Space(id: Self.id, secret: Self.secret).sealing(Self.secret)
    let text = Array(String(repeating: "Return the book. ", count: 10_000).utf8)
    let sealed = sealing.seal(text, as: Self.first)
    #expect(try sealing.open(sealed, as: Self.first) == text && sealed.count < 2_000)
    var random = SeededGenerator(seed: 3)
    let noise = (0..<LogFile.maximumBytes).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    let largest = sealing.seal(noise, as: Self.first)
    #expect(largest.count <= sealing.maximumBytes)
    #expect(try sealing.open(largest, as: Self.first) == noise)
    let bomb = sealing.seal([UInt8](repeating: 0, count: LogFile.maximumBytes + 1), as: Self.first)
    #expect(throws: LogFileError.damaged) { try sealing.open(bomb, as: Self.first) }
    #expect(throws: LogFileError.damaged) { try sealing.open(Self.log.seal([1, 2, 3]), as: Self.first) }
  }

  @Test("nothing of a content is to be seen in its file")
  func secrecy() {
    let sealed = Space(id: Self.id, secret: Self.secret).sealing(Self.secret).seal(
      Array("Return the book".utf8), as: Self.first)
    #expect(sealed.firstRange(of: Array("book".utf8)) == nil && sealed.firstRange(of: Self.secret.bytes) == nil)
  }
}
