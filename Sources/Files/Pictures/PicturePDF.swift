import Exchange
import Glibc
import Kit
import Store

/// A PDF with one page that shows a picture. The worker that renders pages decodes it, within its sandbox: the daemon
/// parses no pixels, and needs no worker for pictures.
///
/// PDF has the codings of both formats: the file of a JPEG is a stream as it is (`DCTDecode`), and so are the `IDAT`
/// chunks of a PNG (`FlateDecode` with PNG's predictors; ISO 32000-1, 7.4.4). An alpha channel is a fourth colourant,
/// which a function blends with white paper.
struct PicturePDF {
  /// The page's longer side, in points.
  static let side = 256

  private let header: PictureHeader
  private let image: Image

  /// How the picture's pixels are declared in PDF.
  private struct Image {
    var colors: String
    var bits = 8
    var filter: String
    /// The function that blends alpha, and the number of its inputs.
    var blending: (function: String, inputs: Int)?
    /// In bytes; 0 without a palette.
    var paletteLength = 0
  }

  /// The largest pictures: a worker decodes 50 million pixels in about a second, with alpha a twelfth of that.
  private static let mostPixels = 120_000_000
  private static let mostBlendedPixels = 12_000_000
  /// The largest file, in bytes.
  static let largestFile: Int64 = 128 << 20

  /// Nil for a picture that is coded otherwise, or too large.
  init?(_ header: PictureHeader) {
    guard header.width <= Self.mostPixels / header.height, let image = Self.image(header) else { return nil }
    (self.header, self.image) = (header, image)
  }

  private static func image(_ header: PictureHeader) -> Image? {
    switch header.coding {
    case .jpeg(1, _): return Image(colors: "/DeviceGray", filter: "/DCTDecode")
    case .jpeg(3, _): return Image(colors: "/DeviceRGB", filter: "/DCTDecode")
    case .jpeg(4, let isInverted):
      return Image(
        colors: "/DeviceCMYK" + (isInverted ? "/Decode[1 0 1 0 1 0 1 0]" : ""), filter: "/DCTDecode")
    case .png(let bits, let color):
      guard [1, 2, 4, 8, 16].contains(bits) else { return nil }
      func image(_ colors: String, _ count: Int) -> Image {
        let parameters =
          "/Predictor 15/Colors \(count)/BitsPerComponent \(bits)/Columns \(header.width)"
        return Image(colors: colors, bits: bits, filter: "/FlateDecode/DecodeParms<<\(parameters)>>")
      }
      switch color {
      case 0: return image("/DeviceGray", 1)
      case 2: return image("/DeviceRGB", 3)
      case 3:
        guard bits <= 8 else { return nil }
        var indexed = image("[/Indexed/DeviceRGB \((1 << bits) - 1) 5 0 R]", 1)
        indexed.paletteLength = 3 << bits
        return indexed
      case 4, 6:
        guard header.width <= mostBlendedPixels / header.height else { return nil }
        let isGray = color == 4
        var blended = image(
          isGray ? "[/DeviceN[/G/A]/DeviceGray 5 0 R]" : "[/DeviceN[/R/G/B/A]/DeviceRGB 5 0 R]", isGray ? 2 : 4)
        blended.blending = isGray ? (grayOnPaper, 2) : (colorOnPaper, 4)
        return blended
      default: return nil
      }
    default: return nil
    }
  }

  /// For each colour c and the alpha a: ca + 1 - a.
  private static let grayOnPaper = "{dup 3 -1 roll mul 1 add exch sub}"
  private static let colorOnPaper =
    "{dup 4 index mul 1 add 1 index sub 1 index 4 index mul 1 add 2 index sub "
    + "2 index 4 index mul 1 add 3 index sub 7 3 roll pop pop pop pop}"

  // MARK: - Writing

  /// Writes the PDF of a picture into a new file.
  ///
  /// - Throws: `FileFailure`, `NoPicture` for a damaged file.
  func write(_ picture: borrowing GivenFile, to path: String) throws {
    var chunks = Chunks(stream: [0..<picture.size])
    if case .png = header.coding { chunks = try Chunks(ofPNG: picture) }
    let output = try NewFile(at: path)
    var writer = PDFWriter()
    let scale = Double(Self.side) / Double(max(header.displayedWidth, header.displayedHeight))
    let (width, height) = (Double(header.displayedWidth) * scale, Double(header.displayedHeight) * scale)
    let content = matrix(width, height).map { "\($0)" }.joined(separator: " ") + " cm /I Do"
    writer.add("<</Type/Catalog/Pages 2 0 R>>")
    writer.add("<</Type/Pages/Kids[3 0 R]/Count 1>>")
    writer.add(
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 \(width) \(height)]/Contents 4 0 R/Resources<</XObject<</I 6 0 R>>>>>>")
    writer.add("<</Length \(content.utf8.count)>>stream\n\(content)\nendstream")
    if let blending = image.blending {
      let domain = String(repeating: "0 1 ", count: blending.inputs)
      let range = String(repeating: "0 1 ", count: blending.inputs - 1)
      writer.add(
        "<</FunctionType 4/Domain[\(domain)]/Range[\(range)]/Length \(blending.function.utf8.count)>>stream\n"
          + "\(blending.function)\nendstream")
    } else {
      let palette = chunks.palette + [UInt8](repeating: 0, count: max(0, image.paletteLength - chunks.palette.count))
      writer.add("<\(palette.map(Self.hexadecimal).joined())>")
    }
    writer.begin(
      "<</Type/XObject/Subtype/Image/Width \(header.width)/Height \(header.height)/BitsPerComponent \(image.bits)"
        + "/ColorSpace \(image.colors)/Filter \(image.filter)/Length \(chunks.size)>>stream\n")
    try output.write(writer.take())
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    for range in chunks.stream {
      var place = range.lowerBound
      while place < range.upperBound {
        let wanted = min(buffer.count, range.upperBound - place)
        let count = buffer.withUnsafeMutableBytes { pread(picture.descriptor, $0.baseAddress, wanted, off_t(place)) }
        guard count > 0 else { throw count < 0 ? FileFailure(path: picture.path, errno) : NoPicture() }
        try buffer.withUnsafeBytes { try output.write(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        writer.skip(count)
        place += count
      }
    }
    try output.write(writer.finish())
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = Array("0123456789abcdef")
    return "\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
  }

  /// From the unit square of an image, whose top is at 1, to the page, as the camera was held.
  private func matrix(_ width: Double, _ height: Double) -> [Double] {
    switch header.orientation {
    case 2: [-width, 0, 0, height, width, 0]
    case 3: [-width, 0, 0, -height, width, height]
    case 4: [width, 0, 0, -height, 0, height]
    case 5: [0, -height, -width, 0, width, height]
    case 6: [0, -height, width, 0, 0, height]
    case 7: [0, height, width, 0, 0, 0]
    case 8: [0, height, -width, 0, width, 0]
    default: [width, 0, 0, height, 0, 0]
    }
  }
}

/// The file is not the picture that its first bytes announce.
struct NoPicture: Error {}

/// The parts of a file that are the stream of its pixels.
private struct Chunks {
  var stream: [Range<Int>]
  var palette: [UInt8] = []

  private static let most = 1_000_000

  var size: Int { stream.reduce(0) { $0 + $1.count } }

  init(stream: [Range<Int>]) { self.stream = stream }

  /// The `IDAT` chunks of a PNG, whose contents together are one zlib stream, and its palette.
  ///
  /// - Throws: `FileFailure`, `NoPicture`.
  init(ofPNG file: borrowing GivenFile) throws {
    stream = []
    var place = 8
    for _ in 0..<Self.most {
      let head = try Self.bytes(place..<place + 8, of: file)
      let length = head[..<4].reduce(0) { $0 << 8 | Int($1) }
      let (content, type) = (place + 8..<place + 8 + length, String(decoding: head[4...], as: UTF8.self))
      guard content.upperBound <= file.size else { throw NoPicture() }
      switch type {
      case "IDAT": stream.append(content)
      case "PLTE" where length <= 768: palette = try Self.bytes(content, of: file)
      case "IEND": return
      default: break
      }
      place = content.upperBound + 4
    }
    throw NoPicture()
  }

  private static func bytes(_ range: Range<Int>, of file: borrowing GivenFile) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    let count = bytes.withUnsafeMutableBytes {
      pread(file.descriptor, $0.baseAddress, $0.count, off_t(range.lowerBound))
    }
    guard count == range.count else { throw count < 0 ? FileFailure(path: file.path, errno) : NoPicture() }
    return bytes
  }
}

/// The objects of a PDF, and where they begin.
private struct PDFWriter {
  private var waiting = Array("%PDF-1.7\n".utf8)
  private var length = 0
  private var starts: [Int] = []

  mutating func add(_ object: String) {
    begin(object)
    waiting += Array("\nendobj\n".utf8)
  }

  mutating func begin(_ object: String) {
    starts.append(length + waiting.count)
    waiting += Array("\(starts.count) 0 obj\n\(object)".utf8)
  }

  /// The bytes to write now.
  mutating func take() -> [UInt8] {
    defer {
      length += waiting.count
      waiting = []
    }
    return waiting
  }

  /// Counts bytes that were written by themselves.
  mutating func skip(_ count: Int) { length += count }

  /// The end of the last object, whose stream was written, and of the file.
  mutating func finish() -> [UInt8] {
    waiting += Array("\nendstream\nendobj\n".utf8)
    let table = length + waiting.count
    let rows = starts.map { start in
      let digits = String(start)
      return String(repeating: "0", count: max(0, 10 - digits.count)) + digits + " 00000 n \n"
    }
    let count = starts.count + 1
    let trailer = "trailer<</Size \(count)/Root 1 0 R>>\nstartxref\n\(table)\n%%EOF\n"
    return take() + Array(("xref\n0 \(count)\n0000000000 65535 f \n" + rows.joined() + trailer).utf8)
  }
}
