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
    var file = Array("%PDF-1.5\n".utf8)
    var table = "0000000000 65535 f \n"
    func add(_ entries: String, _ stream: [UInt8]? = nil) {
      let offset = String(file.count)
      table += String(repeating: "0", count: 10 - offset.count) + offset + " 00000 n \n"
      file += Array("\(table.utf8.count / 20 - 1) 0 obj\n".utf8)
      if let stream {
        file += Array("<<\(entries)/Length \(stream.count)>>stream\n".utf8) + stream + Array("\nendstream".utf8)
      } else {
        file += Array("<<\(entries)>>".utf8)
      }
      file += Array("\nendobj\n".utf8)
    }
    add("/Type/Catalog/Pages 2 0 R")
    // What a page inherits stands here.
    add("/Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 \(media.width) \(media.height)]")
    add("/Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<</Image 5 0 R/Form 6 0 R>>\(resources)>>\(page)")
    add("", Array(content.utf8))
    add("/Type/XObject/Subtype/Image/Width \(width)/Height \(height)\(form)", image)
    for stream in streams { add(stream.entries, stream.bytes) }
    let start = file.count
    let size = table.utf8.count / 20
    file += Array(
      "xref\n0 \(size)\n\(table)trailer\n<</Size \(size)/Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n".utf8)
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
    segment(0xc4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
    segment(0xda, [UInt8(channels)] + (0..<channels).flatMap { [UInt8($0 + 1), 0] } + [0, 63, 0])
    var bits: [UInt8] = []
    func put(_ value: Int, _ count: Int) {
      for bit in (0..<count).reversed() { bits.append(UInt8(value >> bit & 1)) }
    }
    var last = [0, 0, 0]
    for row in 0..<rows {
      for column in 0..<columns {
        for channel in 0..<channels {
          let difference = level(channel, column, row) - last[channel]
          last[channel] += difference
          let length = Int.bitWidth - abs(difference).leadingZeroBitCount
          put(length, 4)
          put(difference < 0 ? difference + (1 << length) - 1 : difference, length)
          put(0, 1)
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
