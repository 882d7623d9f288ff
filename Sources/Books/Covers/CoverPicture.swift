import Crypto
import FoundationEssentials
import Kit

/// A fetched picture of a cover, with the format from its first bytes, and its size.
struct CoverPicture: Sendable, Equatable {
  enum Form: String, Sendable {
    case jpg, png, gif, webp

    var mediaType: String { self == .jpg ? "image/jpeg" : "image/\(rawValue)" }
  }

  let form: Form
  /// In pixels; 0 if the file does not state it.
  let width: Int
  let height: Int
  let bytes: [UInt8]

  /// `nil` for data that is no picture, such as an HTML page or nothing.
  init?(_ data: Data) {
    let bytes = [UInt8](data)
    guard let form = Self.form(of: bytes) else { return nil }
    (self.form, self.bytes) = (form, bytes)
    (width, height) = Self.size(of: bytes, form)
  }

  /// The cover in the folder of a book in a calibre library; nil if there is none any more.
  init?(file path: String) {
    guard path.hasSuffix("/" + CalibreFormat.coverName),
      let file = try? GivenFile(opening: path, limit: Self.longest, followingLinks: false),
      let bytes = try? file.bytes()
    else { return nil }
    self.init(Data(bytes))
  }

  /// In bytes.
  static let longest = 4 << 20

  private static func form(of bytes: [UInt8]) -> Form? {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpg }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if bytes.starts(with: Array("GIF8".utf8)) { return .gif }
    let isWebP = bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
    return isWebP ? .webp : nil
  }

  private static func size(of bytes: [UInt8], _ form: Form) -> (width: Int, height: Int) {
    /// The big-endian number in these bytes; 0 beyond the end of the file.
    func number(_ places: [Int]) -> Int {
      guard places.allSatisfy(bytes.indices.contains) else { return 0 }
      return places.reduce(0) { $0 << 8 | Int(bytes[$1]) }
    }
    return switch form {
    case .jpg: sizeOfJPEG(bytes)
    case .png: (number([16, 17, 18, 19]), number([20, 21, 22, 23]))
    case .gif: (number([7, 6]), number([9, 8]))
    case .webp: (0, 0)
    }
  }

  /// A picture of one pixel is no cover.
  var isDot: Bool { form == .gif && width <= 1 && height <= 1 }

  var md5: String { MD5.hexadecimal(of: bytes) }

  /// The size in the frame header of a JPEG (ISO 10918-1, B.2.2), after any other segments.
  private static func sizeOfJPEG(_ bytes: [UInt8]) -> (Int, Int) {
    var place = 2
    while place + 9 < bytes.count, bytes[place] == 0xFF {
      let marker = bytes[place + 1]
      let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
      if isFrame {
        return (
          Int(bytes[place + 7]) << 8 | Int(bytes[place + 8]), Int(bytes[place + 5]) << 8 | Int(bytes[place + 6])
        )
      }
      if marker == 0xFF {
        place += 1
      } else {
        place += 2 + (Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
      }
    }
    return (0, 0)
  }
}
