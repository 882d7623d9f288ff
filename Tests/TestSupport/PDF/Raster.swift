/// A picture as its pixels, from a PNG or a raw file.
package struct Raster: Equatable, Sendable {
  package struct Malformed: Error {}

  package struct Color: Equatable, Sendable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8

    package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
      self.red = red
      self.green = green
      self.blue = blue
    }

    /// 0 is black.
    package var brightness: Int {
      (Int(red) + Int(green) + Int(blue)) / 3
    }
  }

  package let width: Int
  package let height: Int
  /// Red, green, blue, row by row.
  package let bytes: [UInt8]
  /// How many bytes a pixel had in the file.
  package let channels: Int

  package subscript(x: Int, y: Int) -> Color {
    let offset = 3 * (y * width + x)
    return Color(bytes[offset], bytes[offset + 1], bytes[offset + 2])
  }

  package init(raw: [UInt8], width: Int, height: Int) {
    self.width = width
    self.height = height
    channels = 4
    var colors: [UInt8] = []
    for pixel in stride(from: 0, to: raw.count, by: 4) {
      colors.append(raw[pixel + 2])
      colors.append(raw[pixel + 1])
      colors.append(raw[pixel])
    }
    bytes = colors
  }

  /// Reads a PNG of ours: no filters, fixed codes. Every sum in it is checked, by the definitions of RFC 1950 and 2083.
  package init(png: [UInt8]) throws {
    let signature: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10]
    guard png.starts(with: signature) else { throw Malformed() }
    var data: [UInt8] = []
    var header: [UInt8] = []
    var position = 8
    var ended = false
    while !ended {
      guard position + 12 <= png.count else { throw Malformed() }
      let length = Self.number(png[position..<position + 4])
      let chunk = png[(position + 4)..<(position + 8 + length)]
      let sum = Self.number(png[(position + 8 + length)..<(position + 12 + length)])
      guard Self.crc(chunk) == sum else { throw Malformed() }
      switch String(decoding: chunk.prefix(4), as: UTF8.self) {
      case "IHDR": header = Array(chunk.dropFirst(4))
      case "IDAT": data += chunk.dropFirst(4)
      case "IEND": ended = true
      default: throw Malformed()
      }
      position += 12 + length
    }
    guard position == png.count, header.count == 13, header[8] == 8 else { throw Malformed() }
    width = Self.number(header[0..<4])
    height = Self.number(header[4..<8])
    channels = header[9] == 0 ? 1 : 3
    let rows = try Self.inflated(data)
    let length = 1 + channels * width
    guard rows.count == length * height else { throw Malformed() }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(3 * width * height)
    for y in 0..<height {
      guard rows[y * length] == 0 else { throw Malformed() }
      let row = rows[(y * length + 1)..<((y + 1) * length)]
      pixels += channels == 3 ? Array(row) : row.flatMap { [$0, $0, $0] }
    }
    bytes = pixels
  }

  package static func == (a: Raster, b: Raster) -> Bool {
    a.width == b.width && a.height == b.height && a.bytes == b.bytes
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  private static func crc(_ bytes: ArraySlice<UInt8>) -> Int {
    var value: UInt32 = .max
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 {
        value = value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1
      }
    }
    return Int(~value)
  }

  private static func inflated(_ stream: [UInt8]) throws -> [UInt8] {
    var bits = Bits(stream.dropFirst(2))
    guard try bits.take(1) == 1, try bits.take(2) == 1 else { throw Malformed() }
    var bytes: [UInt8] = []
    while true {
      // Fixed codes are 7 to 9 bits long, read from their first bit.
      var code = try bits.takeTurned(7)
      let symbol: Int
      if code < 0b0011000 {
        symbol = 256 + code
      } else {
        code = code << 1 | (try bits.take(1))
        if code < 0b11000000 {
          symbol = code - 0b00110000
        } else if code < 0b11001000 {
          symbol = 280 + code - 0b11000000
        } else {
          symbol = 144 + (code << 1 | (try bits.take(1))) - 0b110010000
        }
      }
      if symbol == 256 { break }
      if symbol < 256 {
        bytes.append(UInt8(symbol))
        continue
      }
      let length: Int
      if symbol == 285 {
        length = 258
      } else {
        let extra = symbol < 265 ? 0 : (symbol - 261) / 4
        let base = symbol < 265 ? symbol - 254 : 3 + (4 + (symbol - 265) % 4) << extra
        length = base + (try bits.take(extra))
      }
      let place = try bits.takeTurned(5)
      let extra = place < 4 ? 0 : (place - 2) / 2
      let base = place < 4 ? place + 1 : 1 + (2 + place % 2) << extra
      let distance = base + (try bits.take(extra))
      guard distance <= bytes.count, distance <= 32_768 else { throw Malformed() }
      for _ in 0..<length {
        bytes.append(bytes[bytes.count - distance])
      }
    }
    var first = 1
    var second = 0
    for byte in bytes {
      first = (first + Int(byte)) % 65_521
      second = (second + first) % 65_521
    }
    guard bits.rest == [second >> 8, second & 0xff, first >> 8, first & 0xff].map({ UInt8($0) }) else {
      throw Malformed()
    }
    return bytes
  }

  private struct Bits {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: ArraySlice<UInt8>) {
      self.bytes = Array(bytes)
    }

    mutating func take(_ count: Int) throws -> Int {
      var value = 0
      for bit in 0..<count {
        guard position / 8 < bytes.count else { throw Malformed() }
        value |= Int(bytes[position / 8] >> UInt8(position % 8) & 1) << bit
        position += 1
      }
      return value
    }

    mutating func takeTurned(_ count: Int) throws -> Int {
      try (0..<count).reduce(0) { value, _ in value << 1 | (try take(1)) }
    }

    /// The whole bytes that follow.
    var rest: [UInt8] {
      Array(bytes[((position + 7) / 8)...])
    }
  }
}
