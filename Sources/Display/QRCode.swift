/// A QR code (ISO/IEC 18004) of a short text, for the screen of a terminal.
///
/// Version 3 with error correction M: 29 modules a side, up to 61 characters of digits, capital letters and ` $%*+-./:`.
/// One size is all that is needed, and has one block of error correction.
package struct QRCode: Sendable {
  static let size = 29
  private static let dataBytes = 44
  private static let correctionBytes = 26
  private static let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

  /// By row; true is dark.
  let modules: [[Bool]]

  /// - Returns: nil for a text that is too long or has other characters.
  package init?(_ text: String) {
    guard let data = Self.data(text) else { return nil }
    let bits: [Bool] = (data + Self.correction(of: data)).flatMap { byte in
      (0..<8).map { place in byte >> (7 - place) & 1 == 1 }
    }
    let drawn = (0..<8).map { Drawing(bits, mask: $0) }
    modules = (drawn.min { $0.penalty < $1.penalty } ?? drawn[0]).modules
  }

  /// The modules of each row; 1 is dark.
  package var rows: [String] { modules.map { $0.map { $0 ? "1" : "0" }.joined() } }

  /// Two rows of modules a line, as half blocks: filled where it is light, for light letters on a dark ground. With the
  /// margin of four modules that readers need.
  package var lines: [String] {
    let margin = 4
    func isLight(_ row: Int, _ column: Int) -> Bool {
      let (row, column) = (row - margin, column - margin)
      return !modules.indices.contains(row) || !modules.indices.contains(column) || !modules[row][column]
    }
    let width = Self.size + 2 * margin
    return stride(from: 0, to: width, by: 2).map { row in
      (0..<width).map { column in
        switch (isLight(row, column), isLight(row + 1, column)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }.joined()
    }
  }

  /// Mode, length, pairs of characters, and padding.
  private static func data(_ text: String) -> [UInt8]? {
    let values = text.utf8.map { characters.firstIndex(of: $0) }
    guard !values.contains(nil), values.count <= 61 else { return nil }
    let numbers = values.compactMap(\.self)
    var bits: [Bool] = []
    func append(_ value: Int, _ count: Int) {
      for place in (0..<count).reversed() { bits.append(value >> place & 1 == 1) }
    }
    append(0b0010, 4)
    append(numbers.count, 9)
    for start in stride(from: 0, to: numbers.count, by: 2) {
      if start + 1 < numbers.count {
        append(45 * numbers[start] + numbers[start + 1], 11)
      } else {
        append(numbers[start], 6)
      }
    }
    append(0, min(4, 8 * dataBytes - bits.count))
    append(0, (8 - bits.count % 8) % 8)
    var bytes = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    for number in 0..<dataBytes - bytes.count { bytes.append(number % 2 == 0 ? 0xEC : 0x11) }
    return bytes
  }

  /// The rest of the data times x²⁶, divided by the product of x − 2ⁱ, over GF(256).
  private static func correction(of data: [UInt8]) -> [UInt8] {
    var generator: [UInt8] = [1]
    var root: UInt8 = 1
    for _ in 0..<correctionBytes {
      generator = (0...generator.count).map { place in
        (place < generator.count ? generator[place] : 0) ^ (place > 0 ? product(generator[place - 1], root) : 0)
      }
      root = product(root, 2)
    }
    var rest = data + [UInt8](repeating: 0, count: correctionBytes)
    for start in data.indices {
      let factor = rest[start]
      for (place, value) in generator.enumerated() { rest[start + place] ^= product(value, factor) }
    }
    return Array(rest.suffix(correctionBytes))
  }

  private static func product(_ one: UInt8, _ other: UInt8) -> UInt8 {
    var (result, factor) = (UInt8(0), one)
    for place in 0..<8 {
      if other >> place & 1 == 1 { result ^= factor }
      factor = factor << 1 ^ (factor & 0x80 == 0 ? 0 : 0x1D)
    }
    return result
  }
}

/// The modules under one of the eight masks.
private struct Drawing {
  private(set) var modules: [[Bool]]
  private var isFixed: [[Bool]]
  private static let size = QRCode.size

  init(_ bits: [Bool], mask: Int) {
    modules = Array(repeating: Array(repeating: false, count: Self.size), count: Self.size)
    isFixed = modules
    for (row, column) in [(0, 0), (0, Self.size - 7), (Self.size - 7, 0)] { drawFinder(row, column) }
    for place in 8..<Self.size - 8 {
      set(6, place, place % 2 == 0)
      set(place, 6, place % 2 == 0)
    }
    for row in -2...2 {
      for column in -2...2 { set(22 + row, 22 + column, max(abs(row), abs(column)) != 1) }
    }
    drawFormat(mask)
    drawData(bits, mask)
  }

  /// Runs of five and more, and blocks of two by two, are hard to read.
  var penalty: Int {
    var penalty = 0
    let columns = (0..<Self.size).map { column in modules.map { $0[column] } }
    for line in modules + columns {
      var run = 0
      for (place, module) in line.enumerated() {
        run = place > 0 && line[place - 1] == module ? run + 1 : 1
        if run >= 5 { penalty += run == 5 ? 3 : 1 }
      }
    }
    for row in 1..<Self.size {
      for column in 1..<Self.size {
        let module = modules[row][column]
        if modules[row - 1][column] == module, modules[row][column - 1] == module,
          modules[row - 1][column - 1] == module
        {
          penalty += 3
        }
      }
    }
    return penalty
  }

  private mutating func set(_ row: Int, _ column: Int, _ isDark: Bool) {
    guard modules.indices.contains(row), modules.indices.contains(column) else { return }
    (modules[row][column], isFixed[row][column]) = (isDark, true)
  }

  private mutating func drawFinder(_ top: Int, _ left: Int) {
    for row in -1...7 {
      for column in -1...7 {
        let distance = max(abs(row - 3), abs(column - 3))
        set(top + row, left + column, distance != 2 && distance != 4)
      }
    }
  }

  /// Error correction and mask, twice, in a code of their own.
  private mutating func drawFormat(_ mask: Int) {
    var rest = mask << 10
    for place in (10..<15).reversed() where rest >> place & 1 == 1 { rest ^= 0x537 << (place - 10) }
    let format = (mask << 10 | rest) ^ 0x5412
    for place in 0..<15 {
      let isDark = format >> place & 1 == 1
      let (row, column) = (
        place < 6 ? place : place < 8 ? place + 1 : Self.size - 15 + place,
        place < 8 ? Self.size - 1 - place : place == 8 ? 7 : 14 - place
      )
      set(row, 8, isDark)
      set(8, column, isDark)
    }
    set(Self.size - 8, 8, true)
  }

  /// In pairs of columns from the right, up and down in turns.
  private mutating func drawData(_ bits: [Bool], _ mask: Int) {
    var next = 0
    var isUp = true
    for right in [28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 5, 3, 1] {
      for step in 0..<Self.size {
        let row = isUp ? Self.size - 1 - step : step
        for column in [right, right - 1] where !isFixed[row][column] {
          let bit = next < bits.count && bits[next]
          next += 1
          modules[row][column] = bit != Self.isMasked(row, column, mask)
        }
      }
      isUp.toggle()
    }
  }

  private static func isMasked(_ row: Int, _ column: Int, _ mask: Int) -> Bool {
    switch mask {
    case 0: (row + column) % 2 == 0
    case 1: row % 2 == 0
    case 2: column % 3 == 0
    case 3: (row + column) % 3 == 0
    case 4: (row / 2 + column / 3) % 2 == 0
    case 5: row * column % 2 + row * column % 3 == 0
    case 6: (row * column % 2 + row * column % 3) % 2 == 0
    default: ((row + column) % 2 + row * column % 3) % 2 == 0
    }
  }
}
