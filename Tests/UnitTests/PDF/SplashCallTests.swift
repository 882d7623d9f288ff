import CSplash
import Foundation
import TestSupport
import Testing

/// Splash, poppler's other way of drawing, asked for by itself.
@Suite("Pages drawn by Splash") struct SplashCallTests {
  private static let lines = SamplePDF(pages: [
    SamplePDF.Page(width: 120, height: 80, content: "0 0 0 rg 10 10 m 60 70 l 110 10 l f"),
    SamplePDF.Page(width: 120, height: 80, content: "BT /Latin 40 Tf 10 20 Td (OS) Tj ET"),
    SamplePDF.Page(width: 120, height: 80, content: "1 0 0 rg 0 0 60 80 re f 0 1 0 rg 60 40 60 40 re f"),
  ]).bytes

  private func draw(
    _ bytes: [UInt8] = lines, length: Int? = nil, password: String? = nil, page: Int = 0, scale: Double = 1,
    left: Int = 0, top: Int = 0, width: Int = 120, height: Int = 80
  ) -> (result: splash_result, pixels: [UInt32]) {
    var pixels = [UInt32](repeating: 0x1234_5678, count: width * height + 8)
    let result = bytes.withUnsafeBytes {
      splash_draw(
        $0.assumingMemoryBound(to: CChar.self).baseAddress, length ?? bytes.count, password, Int32(page), scale,
        Int32(left), Int32(top), Int32(width), Int32(height), &pixels)
    }
    #expect(pixels.suffix(8).allSatisfy { $0 == 0x1234_5678 })
    return (result, Array(pixels.dropLast(8)))
  }

  private func color(_ pixel: UInt32) -> UInt32 { pixel & 0xFF_FFFF }

  @Test("paper is white, colours are themselves, and edges of lines and letters are smooth")
  func colors() {
    let (result, pixels) = draw(page: 2)
    #expect(result == SPLASH_DRAWN)
    #expect(color(pixels[40 * 120 + 20]) == 0xFF0000 && color(pixels[20 * 120 + 90]) == 0x00FF00)
    #expect(color(pixels[60 * 120 + 90]) == 0xFFFFFF)
    for page in [0, 1] {
      let pixels = draw(page: page).pixels.map { $0 & 0xFF }
      #expect(pixels.contains(0) && pixels.contains(255))
      #expect(pixels.filter { (32..<224).contains($0) }.count > 20, "page \(page)")
    }
  }

  @Test("a part of a page, larger or smaller, is that part of the whole")
  func parts() {
    let whole = draw(page: 2, scale: 2, width: 240, height: 160).pixels
    let part = draw(page: 2, scale: 2, left: 100, top: 30, width: 50, height: 70)
    #expect(part.result == SPLASH_DRAWN)
    for y in 0..<70 {
      for x in 0..<50 where color(part.pixels[y * 50 + x]) != color(whole[(y + 30) * 240 + x + 100]) {
        Issue.record("\(x) \(y)")
        return
      }
    }
  }

  @Test("what is no document, has no such page or wants another password is refused")
  func refused() {
    #expect(draw([1, 2, 3]).result == SPLASH_REFUSED)
    #expect(draw(page: 3).result == SPLASH_REFUSED)
    #expect(draw(page: -1).result == SPLASH_REFUSED)
    // Longer than poppler counts: its length would be that of the file again.
    #expect(draw(length: 1 << 32 + Self.lines.count).result == SPLASH_REFUSED)
    for (password, result) in [
      ("open", SPLASH_DRAWN), ("owner", SPLASH_DRAWN), ("closed", SPLASH_REFUSED), (nil, SPLASH_REFUSED),
    ]
      as [(String?, splash_result)]
    {
      #expect(
        draw(SamplePDF.locked, password: password, width: 300, height: 200).result == result, "\(password ?? "none")")
    }
  }
}
