import CScan
import Foundation
import TestSupport
import Testing

/// What the decoders of scans write, beside what a slow computation of the same says, pixel by pixel.
@Suite("The decoders of scanned images") struct ScanDecodingTests {
  struct Side: Sendable, CustomTestStringConvertible {
    var count: Int
    var start: Double
    var step: Double

    var end: Double { start + Double(count) * step }
    var testDescription: String { "\(count) from \(start) by \(step)" }
  }

  /// Parts of an image of 96 by 64, within it and reaching beyond each edge, larger and smaller.
  private static let parts: [(x: Side, y: Side)] = [
    (Side(count: 96, start: 0, step: 1), Side(count: 64, start: 0, step: 1)),
    (Side(count: 48, start: 0, step: 2), Side(count: 32, start: 0, step: 2)),
    (Side(count: 30, start: 3.3, step: 2.7), Side(count: 20, start: 5.1, step: 2.3)),
    (Side(count: 13, start: -4.5, step: 8.1), Side(count: 9, start: -3.2, step: 7.9)),
    (Side(count: 3, start: 0, step: 32), Side(count: 4, start: 0, step: 16)),
    (Side(count: 72, start: 0, step: 4.0 / 3), Side(count: 48, start: 0, step: 4.0 / 3)),
    (Side(count: 73, start: 0, step: 1.32), Side(count: 48, start: 0, step: 1.32)),
    (Side(count: 40, start: 0, step: 2.4), Side(count: 51, start: 0, step: 1.25)),
    (Side(count: 77, start: 0, step: 1.25), Side(count: 20, start: 0, step: 3.2)),
    (Side(count: 110, start: -6.5, step: 1), Side(count: 80, start: -8, step: 1)),
    (Side(count: 50, start: 10.5, step: 0.7), Side(count: 50, start: 20.25, step: 0.6)),
    (Side(count: 10, start: 90, step: 2), Side(count: 10, start: 60, step: 1.5)),
    (Side(count: 1, start: 17.2, step: 1.9), Side(count: 1, start: 40.9, step: 1.7)),
    (Side(count: 1, start: 95, step: 1), Side(count: 1, start: 63, step: 1)),
  ]

  private typealias Decoder = (UnsafePointer<scan_target>) -> Bool

  /// The picture, or nil where it was refused. What lies behind its last byte must stay as it was.
  private static func draw(
    _ width: Int, _ height: Int, channels: Int = 1, _ x: Side, _ y: Side, _ decoder: Decoder
  ) -> [UInt8]? {
    let count = x.count * y.count * channels
    var pixels = [UInt8](repeating: 0xA5, count: count + 64)
    let isDrawn = pixels.withUnsafeMutableBufferPointer {
      var target = scan_target(
        width: UInt32(width), height: UInt32(height), channels: UInt32(channels),
        x: scan_side(count: UInt32(x.count), start: x.start, step: x.step),
        y: scan_side(count: UInt32(y.count), start: y.start, step: y.step), pixels: $0.baseAddress)
      return decoder(&target)
    }
    #expect(pixels[count...].allSatisfy { $0 == 0xA5 })
    return isDrawn ? Array(pixels[..<count]) : nil
  }

  /// How much each of so many pixels counts for one of the picture.
  private static func weights(_ side: Side, _ index: Int, of size: Int) -> [(index: Int, weight: Double)] {
    let start = side.start + Double(index) * side.step
    guard side.step >= 4.0 / 3 else {
      let middle = min(max(start + side.step / 2 - 0.5, 0), Double(size - 1))
      let first = Int(middle)
      return [(first, 1 - (middle - Double(first))), (min(first + 1, size - 1), middle - Double(first))]
    }
    let (from, to) = (max(start, 0), min(start + side.step, Double(size)))
    // Beyond the edge its pixels go on.
    guard to > from else { return [(start < 0 ? 0 : size - 1, 1)] }
    return (0..<size).compactMap { pixel in
      let covered = min(to, Double(pixel + 1)) - max(from, Double(pixel))
      return covered > 0 ? (pixel, covered / (to - from)) : nil
    }
  }

  private static func expected(
    _ width: Int, _ height: Int, _ x: Side, _ y: Side, _ value: (Int, Int) -> Double
  ) -> [Double] {
    (0..<y.count).flatMap { row in
      let rows = weights(y, row, of: height)
      return (0..<x.count).map { column in
        let columns = weights(x, column, of: width)
        return rows.reduce(0) { sum, row in
          sum + row.weight * columns.reduce(0) { $0 + $1.weight * value($1.index, row.index) }
        }
      }
    }
  }

  private func expectAlike(
    _ drawn: [UInt8]?, _ expected: [Double], within most: Double, _ part: (x: Side, y: Side),
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let drawn = try #require(drawn, "\(part)", sourceLocation: sourceLocation)
    #expect(drawn.count == expected.count, sourceLocation: sourceLocation)
    let worst = zip(drawn, expected).enumerated().max { one, other in
      abs(Double(one.element.0) - one.element.1) < abs(Double(other.element.0) - other.element.1)
    }
    guard let worst, abs(Double(worst.element.0) - worst.element.1) > most else { return }
    Issue.record(
      "\(part): pixel \(worst.offset) is \(worst.element.0), not \(worst.element.1)", sourceLocation: sourceLocation)
  }

  private static let fax = ScanPDF(fax: "").image

  private static func decodeFax(
    _ x: Side, _ y: Side, black: UInt8 = 0, width: Int = 96, height: Int = 64, channels: Int = 1,
    bytes: [UInt8] = fax
  ) -> [UInt8]? {
    draw(width, height, channels: channels, x, y) { scan_fax(bytes, bytes.count, black, $0) }
  }

  @Test("each pixel of a fax is the mean of what it shows, or lies between the two nearest where that is hardly more")
  func faxes() throws {
    let (x, y) = Self.parts[0]
    let bitmap = try #require(Self.decodeFax(x, y))
    #expect(Set(bitmap) == [0, 255])
    let black = bitmap.filter { $0 == 0 }.count
    #expect((100..<3_000).contains(black))
    // What lies wholly beside the image is drawn from no scan.
    for part in Self.parts where part.x.end <= 96 + part.x.step && part.y.end <= 64 + part.y.step {
      let expected = Self.expected(96, 64, part.x, part.y) { Double(bitmap[$1 * 96 + $0]) }
      try expectAlike(Self.decodeFax(part.x, part.y), expected, within: 1, part)
      // The other sense is the negative.
      try expectAlike(Self.decodeFax(part.x, part.y, black: 255), expected.map { 255 - $0 }, within: 1, part)
    }
  }

  @Test("each pixel of a grey JPEG is the mean of what it shows, or lies between the two nearest")
  func greys() throws {
    let jpeg = BlockJPEG(columns: 12, rows: 8, isGrey: true) { _, column, row in
      (column * 37 + row * 53) % 200 - 100
    }
    let bytes = jpeg.bytes
    for part in Self.parts {
      let drawn = Self.draw(96, 64, part.x, part.y) { scan_jpeg(bytes, bytes.count, $0) }
      let expected = Self.expected(96, 64, part.x, part.y) { Double(jpeg.level(0, $0 / 8, $1 / 8) + 128) }
      try expectAlike(drawn, expected, within: 1, part)
    }
  }

  @Test("the colours of a JPEG are those that the standard computes from its brightness, blue and red")
  func colors() throws {
    let jpeg = BlockJPEG(columns: 12, rows: 8) { channel, column, row in
      channel == 0 ? (column * 37 + row * 53) % 100 - 50 : (channel == 1 ? column * 3 : row * 4) - 20
    }
    let bytes = jpeg.bytes
    for part in Self.parts {
      let drawn = Self.draw(96, 64, channels: 3, part.x, part.y) { scan_jpeg(bytes, bytes.count, $0) }
      let channels = (0..<3).map { channel in
        Self.expected(96, 64, part.x, part.y) { x, y in
          let (bright, blue, red) = (
            Double(jpeg.level(0, x / 8, y / 8) + 128), Double(jpeg.level(1, x / 8, y / 8)),
            Double(jpeg.level(2, x / 8, y / 8))
          )
          // ITU-T T.871.
          return switch channel {
          case 0: bright + 1.402 * red
          case 1: bright - 0.344136 * blue - 0.714136 * red
          default: bright + 1.772 * blue
          }
        }
      }
      let expected = channels[0].indices.flatMap { [channels[0][$0], channels[1][$0], channels[2][$0]] }
      try expectAlike(drawn, expected, within: 2, part)
    }
  }

  @Test("what is empty, no number, or not what is said of it is refused, and nothing is drawn")
  func refused() {
    let side = Side(count: 10, start: 0, step: 2)
    let jpeg = BlockJPEG.patches(isGrey: true).bytes
    let colored = BlockJPEG.patches().bytes
    func isDrawn(
      _ bytes: [UInt8] = jpeg, isFax: Bool = false, _ width: Int = 200, _ height: Int = 160, channels: Int = 1,
      x: Side = side, y: Side = side
    ) -> Bool {
      Self.draw(width, height, channels: channels, x, y) {
        isFax ? scan_fax(bytes, bytes.count, 0, $0) : scan_jpeg(bytes, bytes.count, $0)
      } != nil
    }
    #expect(isDrawn() && isDrawn(colored, channels: 3) && isDrawn(Self.fax, isFax: true, 96, 64))
    for isFax in [false, true] {
      let (bytes, width, height) = isFax ? (Self.fax, 96, 64) : (jpeg, 200, 160)
      #expect(!isDrawn(bytes, isFax: isFax, 0, height))
      #expect(!isDrawn(bytes, isFax: isFax, width, 0))
      #expect(!isDrawn(bytes, isFax: isFax, width, height, channels: 3))
      #expect(!isDrawn([], isFax: isFax, width, height))
      #expect(
        !isDrawn(
          Array(bytes.prefix(bytes.count / 2)), isFax: isFax, width, height, y: Side(count: 30, start: 0, step: 2)))
      for wrong in [
        Side(count: 0, start: 0, step: 2), Side(count: 10, start: .nan, step: 2),
        Side(count: 10, start: .infinity, step: 2), Side(count: 10, start: 0, step: .nan),
        Side(count: 10, start: 0, step: .infinity), Side(count: 10, start: 0, step: 0),
        Side(count: 10, start: 0, step: -1),
      ] {
        #expect(!isDrawn(bytes, isFax: isFax, width, height, x: wrong), "\(wrong)")
        #expect(!isDrawn(bytes, isFax: isFax, width, height, y: wrong), "\(wrong)")
      }
    }
    #expect(!isDrawn(jpeg, 201, 160) && !isDrawn(jpeg, 200, 159) && !isDrawn(colored))
  }

  @Test("the colours of a profile become those of sRGB, and greys stay greys")
  func profiles() {
    // Less than eight steps from sRGB's own curve at every grey.
    let profile = SampleProfile.rgb(gamma: 2.2)
    var pixels: [UInt8] = (0..<256).flatMap { [UInt8($0), UInt8(255 - $0), 40] } + [9, 9, 9]
    let before = pixels
    #expect(scan_colors(profile, profile.count, 3, &pixels, 256))
    func converted(_ value: UInt8) -> Double {
      let light = pow(Double(value) / 255, 2.2)
      return 255 * (light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055)
    }
    for (index, pixel) in before.prefix(768).enumerated() {
      #expect(abs(Double(pixels[index]) - converted(pixel)) <= 3, "\(index)")
    }
    #expect(pixels.suffix(3) == [9, 9, 9])
    var greys = (0..<256).map { UInt8($0) } + [9]
    let grey = Self.grey(profile)
    #expect(scan_colors(grey, grey.count, 1, &greys, 256))
    for value in 0..<256 { #expect(abs(Double(greys[value]) - converted(UInt8(value))) <= 3, "\(value)") }
    #expect(greys[256] == 9)
  }

  @Test("a profile of other colours, of other tones, or none at all is refused, and the pixels stay")
  func refusedProfiles() {
    let profile = SampleProfile.rgb(gamma: 2.2)
    let other = SampleProfile.rgb(gamma: 1.8)
    for (bytes, channels) in [
      (profile, 1), (Self.grey(profile), 3), (other, 3), (Self.grey(other), 1), ([], 3), ([1, 2], 1),
    ]
      as [([UInt8], UInt32)]
    {
      var pixels: [UInt8] = [10, 100, 200]
      #expect(!scan_colors(bytes, bytes.count, channels, &pixels, Int(3 / channels)))
      #expect(pixels == [10, 100, 200])
    }
  }

  /// The same tones, of grey alone.
  private static func grey(_ profile: [UInt8]) -> [UInt8] {
    var profile = profile
    profile.replaceSubrange(16..<20, with: Array("GRAY".utf8))
    if let place = (128..<profile.count).first(where: { profile[$0...].starts(with: Array("rTRC".utf8)) }) {
      profile[place] = UInt8(ascii: "k")
    }
    return profile
  }

  @Test("decoded pixels are laid where they belong, over white as far as they cover it", arguments: [1, 3])
  func laying(channels: Int) {
    let (width, height) = (5, 4)
    var pixels = (0..<width * height * channels).map { UInt8(($0 * 41 + 7) % 256) }
    let columns: [UInt16] = [128, 256, 256, 256, 13]
    let rows: [UInt16] = [256, 256, 1, 77]
    // Upright and turned by a quarter: the column's place first.
    for (across, down, first) in [(1, 8, 2), (8, 1, 3), (-1, 8, 6), (1, -8, 26)] {
      var picture = [UInt32](repeating: 0x0102_0304, count: 64)
      picture.withUnsafeMutableBufferPointer { picture in
        pixels.withUnsafeMutableBufferPointer { pixels in
          var target = scan_target()
          target.channels = UInt32(channels)
          target.x.count = UInt32(width)
          target.y.count = UInt32(height)
          target.pixels = pixels.baseAddress
          scan_lay(&target, columns, rows, picture.baseAddress! + first, across, down)
        }
      }
      var expected = [UInt32](repeating: 0x0102_0304, count: 64)
      for y in 0..<height {
        for x in 0..<width {
          let cover = Double(columns[x]) * Double(rows[y]) / 65_536
          let values = (0..<3).map { channel -> UInt32 in
            let value = Double(pixels[(y * width + x) * channels + (channels == 3 ? channel : 0)])
            return UInt32((255 - (255 - value) * cover).rounded(.up))
          }
          expected[first + x * across + y * down] = 0xFF00_0000 | values[0] << 16 | values[1] << 8 | values[2]
        }
      }
      for (one, other) in zip(picture, expected) {
        for shift in [0, 8, 16, 24] as [UInt32] {
          #expect(abs(Int(one >> shift & 255) - Int(other >> shift & 255)) <= 1, "\(across) \(down)")
        }
      }
    }
  }
}
