import CCurl
import CScan
import CXML
import Crypto
import Foundation
import Markup
import TestSupport
import Testing
import Zip

@testable import Documents
@testable import HTTP

/// Memory that C code hands out, and that nothing but its own functions gives back.
@Suite("Returned memory", .timeLimit(.minutes(10))) struct ReturnedMemoryTests {
  enum Work: String, CaseIterable, Codable, Sendable {
    case zip, brokenZip, hash, expression, noExpression, decode, failedDecode, guess, xml, html, resolve, failedResolve,
      inflate, fax, brokenFax, smallFax, jpeg, brokenJPEG, colors

    /// Done again and again.
    func make() throws -> () throws -> Void {
      switch self {
      case .zip, .brokenZip:
        var zip = SampleZip()
        zip.add("a.json", "{}")
        let bytes = self == .zip ? zip.bytes : zip.bytes.dropLast(4) + []
        return { try? ZipReader().forEachEntry(of: bytes) { _ = try $0.bytes() } }
      case .hash: return { _ = SHA256.hexadecimal(of: [1, 2, 3]) }
      case .expression:
        return {
          let text = Array("abc".utf8)
          try text.withUnsafeBufferPointer {
            try RegularExpression("(b)(c)", ignoresCase: false).matches(in: $0, 0..<3) { _ in true }
          }
        }
      case .noExpression: return { _ = try? RegularExpression("(a", ignoresCase: false) }
      case .decode: return { _ = TextDecoding([0xC7, 0xD1, 0xB1, 0xDB], contentType: "text/plain; charset=euc-kr") }
      case .failedDecode:
        return {
          var misfits = 0
          var room: CChar = 0
          let bytes: [CChar] = [-57, -47]
          guard cxml_decode("UHC", bytes, bytes.count, &room, 1, &misfits) == -2 else { throw Unexpected() }
        }
      case .guess:
        return {
          var name = [CChar](repeating: 0, count: 32)
          let bytes: [CChar] = [-17, -16, -24, -30, -27, -14, 32, -20, -24, -16]
          _ = cxml_detect(bytes, bytes.count, &name, name.count)
        }
      case .xml, .html:
        let text = "<!DOCTYPE a [<!ENTITY b \"c\">]><a x=\"1\"><b>text</b></a>"
        let read = self == .xml ? cxml_read_xml : cxml_read_html
        guard cxml_load() == nil else { throw Unexpected() }
        return {
          let document = read(
            text, text.utf8.count, cxml_limits(nodes: 100, depth: 10, bytes: 1_000), { _ in false }, nil)
          guard let document else { throw Unexpected() }
          cxml_free(document)
        }
      case .resolve, .failedResolve:
        guard ccurl_load() == nil else { throw Unexpected() }
        let base = self == .resolve ? "http://a.example/b" : "no address"
        return {
          let text = ccurl_resolve(base, "c?d#e")
          guard (text == nil) == (self == .failedResolve) else { throw Unexpected() }
          if let text { ccurl_free(text) }
        }
      case .inflate:
        let data = [UInt8](SampleGzip.whole("text"))
        return {
          var inflater = try Inflater()
          try data.withUnsafeBytes { try inflater.take($0) { _ in } }
        }
      case .fax: return { try Self.draw(ScanPDF(fax: "").image, 96, 64, isFax: true, count: 30, step: 2) }
      case .smallFax: return { try Self.draw(ScanPDF(fax: "").image, 96, 64, isFax: true, count: 64, step: 1) }
      case .brokenFax:
        let bytes = Array(ScanPDF(fax: "").image.prefix(20))
        return { try? Self.draw(bytes, 96, 64, isFax: true, count: 30, step: 2) }
      case .jpeg, .brokenJPEG:
        let jpeg = BlockJPEG.patches(isGrey: true).bytes
        let bytes = self == .jpeg ? jpeg : Array(jpeg.prefix(jpeg.count / 2))
        return {
          do {
            try Self.draw(bytes, 200, 160, isFax: false, count: 50, step: 3)
          } catch  where self == .brokenJPEG {}
        }
      case .colors:
        let profile = SampleProfile.rgb(gamma: 2.2)
        return {
          var pixels = [UInt8](repeating: 100, count: 30)
          guard scan_colors(profile, profile.count, 3, &pixels, 10) else { throw Unexpected() }
        }
      }
    }

    private static func draw(
      _ bytes: [UInt8], _ width: UInt32, _ height: UInt32, isFax: Bool, count: UInt32, step: Double
    ) throws {
      var pixels = [UInt8](repeating: 0, count: Int(count * count))
      let isDrawn = pixels.withUnsafeMutableBufferPointer {
        let side = scan_side(count: count, start: 0, step: step)
        var target = scan_target(
          width: width, height: height, channels: 1, x: side, y: side, pixels: $0.baseAddress)
        return isFax ? scan_fax(bytes, bytes.count, 0, &target) : scan_jpeg(bytes, bytes.count, &target)
      }
      guard isDrawn else { throw Unexpected() }
    }
  }

  struct Unexpected: Error {}

  @Test("what was read, drawn, hashed or found leaves nothing in memory", arguments: Work.allCases)
  func nothingLeft(work: Work) async {
    // In a process of its own, whose memory is nobody else's.
    await #expect(processExitsWith: .success) { [work = work as Work] in
      let rounds = 400
      let body = try work.make()
      for _ in 0..<rounds { try body() }
      let before = heldBytes()
      for _ in 0..<rounds { try body() }
      let left = heldBytes() - before
      // The smallest piece of the allocator takes 32 bytes.
      guard left < 16 * rounds else {
        print("\(left) bytes in \(rounds) rounds")
        exit(1)
      }
    }
  }
}

/// What the allocator has handed out and not got back, as it says itself: what all arenas have of the system, without
/// what is free in them.
private func heldBytes() -> Int {
  typealias Report = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
  let report = unsafeBitCast(dlsym(nil, "malloc_info"), to: Report.self)
  var text: UnsafeMutablePointer<CChar>?
  var count = 0
  guard let stream = open_memstream(&text, &count) else { return 0 }
  _ = report(0, stream)
  fclose(stream)
  defer { free(text) }
  // The last of each kind are the sums.
  let lines = text.map { String(cString: $0) }?.split(separator: "\n") ?? []
  func sum(_ start: String) -> Int {
    let line = lines.last { $0.hasPrefix(start) } ?? ""
    return line.split(separator: "\"").dropLast().last.flatMap { Int($0) } ?? 0
  }
  return sum("<system type=\"current\"") + sum("<total type=\"mmap\"") - sum("<total type=\"fast\"")
    - sum("<total type=\"rest\"")
}
