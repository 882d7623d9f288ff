import Contract
import Wire

/// The size of a picture and how it is coded, from its first bytes. Nothing is decoded here: only a worker decodes
/// pictures.
package struct PictureHeader: Sendable, Equatable {
  package enum Coding: Sendable, Equatable {
    /// `isInverted` for the CMYK of Adobe's programs.
    case jpeg(components: Int, isInverted: Bool)
    case png(bits: Int, color: Int)
    case other
  }

  /// In pixels, as stored.
  package var width: Int
  package var height: Int
  package var coding: Coding
  /// How the stored picture is turned for display (Exif, tag 0x0112): 1 to 8, 1 for not at all.
  package var orientation = 1
  /// The day on which the camera took it, as the file states.
  package var takenOn: CalendarDay?

  package static let longestSide = 1 << 20
  /// The most bytes of a file that are needed.
  package static let length = 1 << 20

  package var isTurned: Bool { orientation >= 5 }
  package var displayedWidth: Int { isTurned ? height : width }
  package var displayedHeight: Int { isTurned ? width : height }

  /// Nil if the bytes do not state a size.
  package init?(_ start: [UInt8], of type: FileType) {
    switch type {
    case .jpg: self.init(jpeg: start)
    case .png: self.init(png: start)
    case .gif:
      guard start.count >= 10 else { return nil }
      self.init(Int(start[6]) | Int(start[7]) << 8, Int(start[8]) | Int(start[9]) << 8, .other)
    default: return nil
    }
  }

  private init?(_ width: Int, _ height: Int, _ coding: Coding) {
    guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height) else { return nil }
    (self.width, self.height, self.coding) = (width, height, coding)
  }

  private init?(png start: [UInt8]) {
    let bytes = ByteFields(start)
    // An interlaced picture is not coded row after row.
    guard start.count >= 29, let width = bytes.number(at: 16, 4), let height = bytes.number(at: 20, 4) else {
      return nil
    }
    let isPlain = start[26] == 0 && start[27] == 0 && start[28] == 0
    self.init(width, height, isPlain ? .png(bits: Int(start[24]), color: Int(start[25])) : .other)
  }

  /// The frame header of a JPEG (ISO 10918-1, B.2.2), after any other segments.
  private init?(jpeg start: [UInt8]) {
    let bytes = ByteFields(start)
    var exif = Exif()
    var isAdobe = false
    var place = 2
    while let marker = bytes.number(at: place, 2), marker >= 0xFF00 {
      if marker == 0xFFFF {
        place += 1
        continue
      }
      guard let length = bytes.number(at: place + 2, 2), length >= 2 else { return nil }
      if marker == 0xFFE1, exif.isEmpty { exif = Exif(start.dropFirst(place + 4).prefix(length - 2)) }
      if marker == 0xFFEE, start.dropFirst(place + 4).starts(with: "Adobe".utf8) { isAdobe = true }
      if (0xFFC0...0xFFCF).contains(marker), ![0xFFC4, 0xFFC8, 0xFFCC].contains(marker) {
        guard let height = bytes.number(at: place + 5, 2), let width = bytes.number(at: place + 7, 2),
          let components = bytes.number(at: place + 9, 1)
        else { return nil }
        self.init(width, height, .jpeg(components: components, isInverted: isAdobe && components == 4))
        (orientation, takenOn) = (exif.orientation, exif.takenOn)
        return
      }
      place += 2 + length
    }
    return nil
  }
}

/// The two facts of a picture's Exif data that matter here.
private struct Exif {
  var orientation = 1
  var takenOn: CalendarDay?
  var isEmpty = true

  private static let mostEntries = 1_000

  init() {}

  /// - Parameter segment: the content of the JPEG's segment APP1.
  init(_ segment: ArraySlice<UInt8>) {
    guard segment.starts(with: Array("Exif".utf8) + [0, 0]) else { return }
    let tiff = Array(segment.dropFirst(6))
    let bytes = ByteFields(tiff, isLittleEndian: tiff.starts(with: "II".utf8))
    guard bytes.number(at: 2, 2) == 42, let first = bytes.number(at: 4, 4) else { return }
    isEmpty = false
    var moments: [String] = []
    for entry in Self.entries(at: first, in: bytes) {
      switch entry.tag {
      case 0x0112: bytes.number(at: entry.place + 8, 2).map { if (1...8).contains($0) { orientation = $0 } }
      case 0x0132: moments.append(Self.text(entry.place, in: bytes))
      case 0x8769:
        for inner in Self.entries(at: bytes.number(at: entry.place + 8, 4) ?? 0, in: bytes) where inner.tag == 0x9003 {
          moments.insert(Self.text(inner.place, in: bytes), at: 0)
        }
      default: break
      }
    }
    takenOn = moments.lazy.compactMap { CalendarDay(String($0.prefix(10)).replacing(":", with: "-")) }.first
  }

  private static func entries(at place: Int, in bytes: ByteFields) -> [(tag: Int, place: Int)] {
    guard place >= 8, let count = bytes.number(at: place, 2), count <= mostEntries else { return [] }
    return (0..<count).compactMap { index in
      let entry = place + 2 + 12 * index
      return bytes.number(at: entry, 2).map { ($0, entry) }
    }
  }

  /// `2026:11:21 15:04:05`
  private static func text(_ entry: Int, in bytes: ByteFields) -> String {
    guard let count = bytes.number(at: entry + 4, 4), (10...64).contains(count),
      let place = bytes.number(at: entry + 8, 4)
    else { return "" }
    return bytes.text(at: place, count)
  }
}

/// Numbers within bytes that may end anywhere.
private struct ByteFields {
  private let bytes: [UInt8]
  private let isLittleEndian: Bool

  init(_ bytes: [UInt8], isLittleEndian: Bool = false) {
    (self.bytes, self.isLittleEndian) = (bytes, isLittleEndian)
  }

  /// Nil beyond the end.
  func number(at place: Int, _ length: Int) -> Int? {
    guard place >= 0, place <= bytes.count - length else { return nil }
    let digits = bytes[place..<place + length]
    return isLittleEndian
      ? digits.reversed().reduce(0) { $0 << 8 | Int($1) } : digits.reduce(0) { $0 << 8 | Int($1) }
  }

  func text(at place: Int, _ length: Int) -> String {
    guard place >= 0, place <= bytes.count - length else { return "" }
    return String(decoding: bytes[place..<place + length], as: UTF8.self)
  }
}
