import Testing

@testable import Markup

@Suite("UTF-8 and windows-1252 in one document") struct MixedEncodingTests {
  private func decode(_ bytes: [UInt8]) -> [UInt8]? { bytes.withUnsafeBufferPointer { MixedEncoding.decode($0) } }

  @Test("the bytes that are no UTF-8 are those that Swift finds invalid, at the borders of each length")
  func borders() {
    let letters = Array(String(repeating: "é", count: 10).utf8)
    let trails: [UInt8] = [0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0]
    for first in UInt8(0x80)...0xFF {
      for second in trails {
        for rest in [[], [0x80], [0x80, 0xBF], [0xC0], [0x80, 0x41]] as [[UInt8]] {
          let bytes = letters + [first, second] + rest
          let isValid = String(validating: bytes, as: UTF8.self) != nil
          // A text that is valid everywhere is not mixed.
          #expect((decode(bytes) == nil) == isValid, "\(bytes.suffix(rest.count + 2))")
        }
      }
    }
  }

  @Test("a text is mixed if it has three letters of UTF-8, and at most one byte of windows-1252 for two of them")
  func proof() {
    let letter = Array("é".utf8)
    #expect(decode(letter + letter + [0xE9]) == nil)
    #expect(decode(letter + letter + letter + [0xE9]) == Array("éééé".utf8))
    #expect(decode(letter + letter + letter + [0xE9, 0x41, 0xE9]) == nil)
    #expect(decode(letter + letter + letter + letter + [0xE9, 0, 0x41, 0x93]) == Array("éééééA“".utf8))
    #expect(decode(Array("abc".utf8)) == nil && decode([]) == nil)
  }
}
