import Foundation
import SQLite

/// A PDF of one page that shows one image.
package struct ScanPDF: Sendable {
  package var width: Int
  package var height: Int
  /// As its filter packed it.
  package var image: [UInt8]
  /// What is said of the image beside its size.
  package var form: String
  /// In points.
  package var media = (width: 100, height: 80)
  /// What the page says beside its size.
  package var page = ""
  package var resources = ""
  package var content = "q 100 0 0 80 0 0 cm /Image Do Q"
  /// From object 6 on: what is said of each, and its bytes.
  package var streams: [(entries: String, bytes: [UInt8])] = []
  package var layout = Layout.plain

  /// How the file is written.
  package enum Layout: CaseIterable, Sendable {
    case plain
    /// As ``ObjectsPDF/packed(_:_:)`` does it.
    case packed
    /// What the page shows was changed by an addition to the file.
    case updated
    /// The page is below a node of its own, and before that is one without pages.
    case nested
  }

  /// - Parameter colors: the image's, such as `/DeviceRGB`; nil for those that it has.
  package init(_ jpeg: BlockJPEG, colors: String? = nil) {
    width = 8 * jpeg.columns
    height = 8 * jpeg.rows
    image = jpeg.bytes
    form = "/ColorSpace \(colors ?? (jpeg.isGrey ? "/DeviceGray" : "/DeviceRGB"))/BitsPerComponent 8/Filter/DCTDecode"
  }

  /// A fax of group 4: a block at the upper left, a line, a slope below the block, and an edge at the right, of black
  /// pixels.
  package init(fax parameters: String) {
    width = 96
    height = 64
    image = Self.fax
    form = """
      /ColorSpace/DeviceGray/BitsPerComponent 1/Filter/CCITTFaxDecode\
      /DecodeParms<</K -1/Columns 96/Rows 64\(parameters)>>
      """
  }

  /// The same page as poppler draws it: with operators that say nothing, but not to everybody.
  package var drawnByPoppler: ScanPDF {
    var scan = self
    scan.content += " BX EX"
    return scan
  }

  package var bytes: [UInt8] {
    switch layout {
    case .plain, .nested: file.bytes
    case .packed: file.packed(file.plain)
    case .updated: file.updated(4, from: Array("q 20 0 0 20 0 0 cm /Image Do Q".utf8))
    }
  }

  package var file: ObjectsPDF {
    let isNested = layout == .nested
    let node = 7 + streams.count
    var file = ObjectsPDF()
    file.add("/Type/Catalog/Pages 2 0 R")
    // What a page inherits stands here.
    file.add(
      """
      /Type/Pages/Kids[\(isNested ? "\(node - 1) 0 R \(node)" : "3") 0 R]/Count 1\
      /MediaBox[0 0 \(media.width) \(media.height)]
      """)
    file.add(
      """
      /Type/Page/Parent \(isNested ? node : 2) 0 R/Contents 4 0 R\
      /Resources<</XObject<</Image 5 0 R/Form 6 0 R>>\(resources)>>\(page)
      """)
    file.add("", Array(content.utf8))
    file.add("/Type/XObject/Subtype/Image/Width \(width)/Height \(height)\(form)", image)
    for stream in streams { file.add(stream.entries, stream.bytes) }
    if isNested {
      file.add("/Type/Pages/Parent 2 0 R/Kids[]/Count 0")
      file.add("/Type/Pages/Parent 2 0 R/Kids[3 0 R]/Count 1")
    }
    return file
  }

  /// Made by libtiff.
  private static let fax: [UInt8] = [
    0x05, 0xfc, 0xa5, 0xbf, 0xff, 0xcc, 0xc1, 0xab, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xf1, 0xff, 0xff, 0xff, 0xf2, 0x75, 0xf7, 0xf7, 0xf7, 0xf7, 0xf7, 0xf7, 0xf7, 0xf7, 0xf7, 0xf7, 0xf7, 0xf7, 0xf7,
    0xf7, 0xf7, 0xf7, 0xf7, 0xf7, 0xf7, 0xf7, 0xf7, 0xf7, 0xf7, 0xf7, 0xf7, 0xf7, 0xf7, 0xf7, 0xe2, 0x3f, 0xe0, 0x02,
    0x00, 0x20,
  ]
}

/// A JPEG of squares of eight by eight pixels, each of one brightness: the simplest that the standard (ITU-T T.81) knows.
package struct BlockJPEG: Sendable {
  package var columns: Int
  package var rows: Int
  package var isGrey: Bool
  /// By channel, column and row, from -128 to 127: brightness first, then blue and red without it.
  package var level: @Sendable (_ channel: Int, _ column: Int, _ row: Int) -> Int
  /// What is added to the brightness of each column and each row of pixels, if there is no more than brightness.
  package var lines: (columns: [Int], rows: [Int])?

  package init(
    columns: Int, rows: Int, isGrey: Bool = false, level: @escaping @Sendable (Int, Int, Int) -> Int
  ) {
    self.columns = columns
    self.rows = rows
    self.isGrey = isGrey
    self.level = level
  }

  /// Squares that are all different, and no two sides alike.
  package static func patches(isGrey: Bool = false) -> BlockJPEG {
    BlockJPEG(columns: 25, rows: 20, isGrey: isGrey) { channel, column, row in
      channel == 0 ? (column * 37 + row * 53) % 200 - 100 : (channel == 1 ? column * 3 : row * 4) - 40
    }
  }

  /// Bars across others, with edges that lie anywhere in squares.
  package static func bars(columns: Int, rows: Int) -> BlockJPEG {
    var jpeg = BlockJPEG(columns: columns, rows: rows, isGrey: true) { _, _, _ in 0 }
    func bars(_ count: Int) -> [Int] { (0..<8 * count).map { ($0 * 3 + 5) / 211 % 2 == 0 ? -45 : 45 } }
    jpeg.lines = (bars(columns), bars(rows))
    return jpeg
  }

  /// Where the waves along a row, and along a column, stand in a square: from the slowest to the fastest.
  private static let waves = (row: [0, 1, 5, 6, 14, 15, 27, 28], column: [0, 2, 3, 9, 10, 20, 21, 35])
  /// The end of a square, sixteen zeros, and all lengths of zeros before all lengths of numbers.
  private static let codes = [0, 0xf0] + (0..<16).flatMap { zeros in (1...10).map { zeros << 4 | $0 } }

  /// The numbers of a square of lines.
  private func numbers(_ column: Int, _ row: Int) -> [Int] {
    var numbers = [Double](repeating: 0, count: 64)
    guard let lines else { return [Int](repeating: 0, count: 64) }
    for (places, line) in [
      (Self.waves.row, lines.columns[8 * column..<8 * column + 8]),
      (Self.waves.column, lines.rows[8 * row..<8 * row + 8]),
    ] {
      for (wave, place) in places.enumerated() {
        let sum = zip(0..., line).reduce(0.0) { sum, pixel in
          sum + Double(pixel.1) * cos(Double((2 * pixel.0 + 1) * wave) * Double.pi / 16)
        }
        numbers[place] += (wave == 0 ? 1 : 2.0.squareRoot()) * sum / 8
      }
    }
    return numbers.map { Int($0.rounded()) }
  }

  package var bytes: [UInt8] {
    let channels = isGrey ? 1 : 3
    var file: [UInt8] = [0xff, 0xd8]
    func segment(_ marker: UInt8, _ content: [UInt8]) {
      let length = content.count + 2
      file += [0xff, marker, UInt8(length >> 8), UInt8(length & 0xff)] + content
    }
    // An eighth of the sum of a square is its mean.
    segment(0xdb, [0] + [UInt8](repeating: 8, count: 64))
    let sides = [8 * rows, 8 * columns].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
    segment(0xc0, [8] + sides + [UInt8(channels)] + (0..<channels).flatMap { [UInt8($0 + 1), 0x11, 0] })
    // Twelve codes of four bits for the lengths of differences, and one of a bit for the end of a square.
    segment(0xc4, [0x00, 0, 0, 0, 12] + [UInt8](repeating: 0, count: 12) + Array(0..<12))
    let codes = lines == nil ? [0] : Self.codes
    let width = lines == nil ? 1 : 8
    let lengths = (1...16).map { $0 == width ? UInt8(codes.count) : 0 }
    segment(0xc4, [0x10] + lengths + codes.map { UInt8($0) })
    segment(0xda, [UInt8(channels)] + (0..<channels).flatMap { [UInt8($0 + 1), 0] } + [0, 63, 0])
    var bits: [UInt8] = []
    func put(_ value: Int, _ count: Int) {
      for bit in (0..<count).reversed() { bits.append(UInt8(value >> bit & 1)) }
    }
    func length(_ number: Int) -> Int { Int.bitWidth - abs(number).leadingZeroBitCount }
    func putDigits(_ number: Int) {
      put(number < 0 ? number + (1 << length(number)) - 1 : number, length(number))
    }
    var last = [0, 0, 0]
    for row in 0..<rows {
      for column in 0..<columns {
        for channel in 0..<channels {
          let numbers = numbers(column, row)
          let difference = level(channel, column, row) + numbers[0] - last[channel]
          last[channel] += difference
          put(length(difference), 4)
          putDigits(difference)
          var zeros = 0
          for number in numbers.dropFirst() {
            guard number != 0 else {
              zeros += 1
              continue
            }
            while zeros >= 16 {
              put(1, width)
              zeros -= 16
            }
            put(codes.firstIndex(of: zeros << 4 | length(number)) ?? 0, width)
            putDigits(number)
            zeros = 0
          }
          put(0, width)
        }
      }
    }
    while !bits.count.isMultiple(of: 8) { bits.append(1) }
    for start in stride(from: 0, to: bits.count, by: 8) {
      let byte = bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
      file += byte == 0xff ? [0xff, 0] : [byte]
    }
    return file + [0xff, 0xd9]
  }
}

/// The objects of a PDF, numbered from 1 on, and the ways to write them.
package struct ObjectsPDF: Sendable {
  package typealias Object = (entries: String, stream: [UInt8]?)

  package private(set) var objects: [Object] = []

  package init() {}

  package mutating func add(_ entries: String, _ stream: [UInt8]? = nil) {
    objects.append((entries, stream))
  }

  /// The numbers of those that are no streams.
  package var plain: Set<Int> { Set(objects.indices.filter { objects[$0].stream == nil }.map { $0 + 1 }) }

  /// With a table of lines, the first object being the catalogue.
  package var bytes: [UInt8] { written.file }

  private var written: (file: [UInt8], start: Int) {
    var file = Array("%PDF-1.5\n".utf8)
    var table = "0000000000 65535 f \n"
    for (index, object) in objects.enumerated() {
      table += Self.line(file.count)
      file += Self.bytes(index + 1, object)
    }
    let start = file.count
    file += Self.end("0 \(objects.count + 1)\n\(table)", size: objects.count + 1, start: start)
    return (file, start)
  }

  /// With an addition that gives one object the stream that it has, instead of an old one.
  package func updated(_ number: Int, from old: [UInt8]) -> [UInt8] {
    var before = self
    before.objects[number - 1].stream = old
    var (file, start) = before.written
    let place = file.count
    file += Self.bytes(number, objects[number - 1])
    let previous = start
    start = file.count
    file += Self.end(
      "\(number) 1\n\(Self.line(place))", size: objects.count + 1, start: start, "/Prev \(previous)")
    return file
  }

  /// With some of the objects in a stream, and a table in another one, whose rows are differences to those above.
  ///
  /// - Parameter said: what the stream of objects says instead of its `Length`, its `N` or its `First`.
  package func packed(_ numbers: Set<Int>, _ said: [String: String] = [:]) -> [UInt8] {
    let pack = objects.count + 1
    var file = Array("%PDF-1.5\n".utf8)
    var rows: [[UInt8]] = [[0, 0, 0, 0, 0]]
    func row(_ kind: UInt8, _ value: Int, _ last: Int) -> [UInt8] {
      [kind, UInt8(value >> 16), UInt8(value >> 8 & 0xff), UInt8(value & 0xff), UInt8(last)]
    }
    var (places, bodies, count) = ("", "", 0)
    for (index, object) in objects.enumerated() {
      if numbers.contains(index + 1) {
        rows.append(row(2, pack, count))
        places += "\(index + 1) \(bodies.utf8.count) "
        bodies += "<<\(object.entries)>>\n"
        count += 1
      } else {
        rows.append(row(1, file.count, 0))
        file += Self.bytes(index + 1, object)
      }
    }
    rows.append(row(1, file.count, 0))
    let content = Self.deflated(Array((places + bodies).utf8))
    let entries = [
      "Type": "/ObjStm", "Filter": "/FlateDecode", "N": "\(count)", "First": "\(places.utf8.count)",
      "Length": "\(content.count)",
    ].merging(said) { _, said in said }
    file += Array("\(pack) 0 obj\n<<\(entries.map { "/\($0) \($1)" }.joined())>>stream\n".utf8)
    file += content + Array("\nendstream\nendobj\n".utf8)
    let start = file.count
    rows.append(row(1, start, 0))
    var differences: [UInt8] = []
    for (row, above) in zip(rows, [[0, 0, 0, 0, 0]] + rows) {
      differences.append(2)
      for (byte, before) in zip(row, above) { differences.append(byte &- before) }
    }
    file += Self.bytes(
      pack + 1,
      (
        """
        /Type/XRef/Size \(rows.count)/W[1 3 1]/Root 1 0 R/Filter/FlateDecode\
        /DecodeParms<</Predictor 12/Columns 5>>
        """, Self.deflated(differences)
      ))
    file += Array("startxref\n\(start)\n%%EOF\n".utf8)
    return file
  }

  private static func bytes(_ number: Int, _ object: Object) -> [UInt8] {
    guard let stream = object.stream else { return Array("\(number) 0 obj\n<<\(object.entries)>>\nendobj\n".utf8) }
    return Array("\(number) 0 obj\n<<\(object.entries)/Length \(stream.count)>>stream\n".utf8) + stream
      + Array("\nendstream\nendobj\n".utf8)
  }

  private static func line(_ offset: Int) -> String {
    String(repeating: "0", count: 10 - String(offset).count) + "\(offset) 00000 n \n"
  }

  private static func end(_ sections: String, size: Int, start: Int, _ more: String = "") -> [UInt8] {
    Array(
      "xref\n\(sections)trailer\n<</Size \(size)/Root 1 0 R\(more)>>\nstartxref\n\(start)\n%%EOF\n".utf8)
  }

  /// As zlib writes what it does not compress: one block, of less than 64 KiB.
  package static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    let (low, high) = (UInt8(bytes.count & 0xff), UInt8(bytes.count >> 8))
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    let sum = [b >> 8, b, a >> 8, a].map { UInt8(truncatingIfNeeded: $0) }
    return [0x78, 0x01, 0x01, low, high, ~low, ~high] + bytes + sum
  }
}

/// A profile of the colours of sRGB, but with a gamma of its own, as version 2 of the standard (ICC.1) has it.
package enum SampleProfile {
  package static func rgb(gamma: Double) -> [UInt8] {
    func number(_ value: Double) -> [UInt8] { long(UInt32(bitPattern: Int32((value * 65_536).rounded()))) }
    func long(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
    func color(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
      Array("XYZ \0\0\0\0".utf8) + number(x) + number(y) + number(z)
    }
    let curve = Array("curv\0\0\0\0".utf8) + long(1) + number(gamma / 256).suffix(2) + [0, 0]
    let tags: [(name: String, content: [UInt8])] = [
      ("wtpt", color(0.9642, 1, 0.8249)), ("rXYZ", color(0.43607, 0.22249, 0.01392)),
      ("gXYZ", color(0.38515, 0.71687, 0.09708)), ("bXYZ", color(0.14307, 0.06061, 0.71410)), ("rTRC", curve),
      ("gTRC", curve), ("bTRC", curve),
    ]
    var table = long(UInt32(tags.count))
    var contents: [UInt8] = []
    for tag in tags {
      let place = 132 + 12 * tags.count + contents.count
      table += Array(tag.name.utf8) + long(UInt32(place)) + long(UInt32(tag.content.count))
      contents += tag.content
    }
    let size = long(UInt32(128 + table.count + contents.count))
    var head = size + [0, 0, 0, 0, 2, 0x10, 0, 0] + Array("mntrRGB XYZ ".utf8) + [UInt8](repeating: 0, count: 12)
    head += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28) + number(0.9642) + number(1) + number(0.8249)
    return head + [UInt8](repeating: 0, count: 128 - head.count) + table + contents
  }
}
