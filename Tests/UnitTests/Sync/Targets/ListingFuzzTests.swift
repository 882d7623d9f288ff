import Foundation
import TestSupport
import Testing

@testable import Sync

/// What servers answer is as hostile as files are.
@Suite("Listings and spaces from hostile servers") struct ListingFuzzTests {
  /// `SYNC_FILES=1000000` for a long run.
  private static let count = ProcessInfo.processInfo.environment["SYNC_FILES"].flatMap { Int($0) } ?? 2_000

  private static let webDAV = """
    <?xml version="1.0"?><d:multistatus xmlns:d="DAV:"><d:response><d:href>/c/log/a-1</d:href><d:propstat><d:prop>
    <d:getcontentlength>12</d:getcontentlength><d:resourcetype/></d:prop></d:propstat></d:response><d:response>
    <d:href>/c/log/b%20c</d:href><d:prop><d:getcontentlength>7</d:getcontentlength></d:prop></d:response></d:multistatus>
    """
  private static let s3 = """
    <ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>
    <Contents><Key>p/a</Key><Size>12</Size></Contents><Contents><Key>p/e&amp;f</Key><Size>3</Size></Contents>
    </ListBucketResult>
    """

  /// Removes, repeats, exchanges and invents bytes.
  private static func changed(_ bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 1...60, using: &random))
      switch Int.random(in: 0...4, using: &random) {
      case 0: bytes.removeSubrange(place..<end)
      case 1: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
      case 2: bytes = Array(bytes[..<place])
      case 3: bytes[place] = Array("<>/\"'&;=-09 ".utf8).randomElement(using: &random)!
      default: bytes[place] = .random(in: .min ... .max, using: &random)
      }
    }
    return bytes
  }

  @Test("a changed listing is none, or has names and sizes that a file can have")
  func listings() throws {
    var random = SeededGenerator(seed: 21)
    for _ in 0..<Self.count {
      let (one, other) = (
        Self.changed(Array(Self.webDAV.utf8), using: &random), Self.changed(Array(Self.s3.utf8), using: &random)
      )
      let listed = [try? WebDAVTarget.listing(one)?.files, try? S3Target.page(other, prefix: "p/")?.files]
      for file in listed.compactMap(\.self).flatMap(\.self) {
        #expect(file.size >= 0 && !file.name.isEmpty, "\(file)")
      }
    }
  }

  @Test("a changed space is refused, or is opened by no secret but its own; no changed code is one")
  func spaces() throws {
    var random = SeededGenerator(seed: 22)
    let secret = SpaceSecret(bytes: (0..<16).map { UInt8($0) })!
    let space = Space(id: (0..<16).map { UInt8($0) }, secret: secret)
    for number in 0..<Self.count {
      let bytes = Self.changed(space.bytes, using: &random)
      if bytes != space.bytes, let read = try? Space(bytes, generation: 1) { #expect(!read.isOpened(by: secret)) }
      // One in a million other codes has the right checksum.
      guard number < 2_000 else { continue }
      let code = String(decoding: Self.changed(Array(secret.code.utf8), using: &random), as: UTF8.self)
      if let read = try? SpaceSecret(code: code) { #expect(read == secret, "\(code)") }
    }
  }
}
