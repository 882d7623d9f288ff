import CPoppler
import Glibc

/// The compressed object streams of a file, one after the other.
struct ObjectStreams {
  /// The most bytes of a stream's dictionary.
  private static let longestDictionary = 1_024

  private let file: UnsafeRawBufferPointer
  private var offset = 0

  init(in file: UnsafeRawBufferPointer) {
    self.file = file
  }

  mutating func next() -> ObjectStream? {
    guard let name = position(of: "/ObjStm", in: bytes(offset..<file.count)) else { return nil }
    let place = offset + name
    offset = place + 1
    let first = max(0, place - Self.longestDictionary)
    let end = min(file.count, place + Self.longestDictionary)
    guard let start = Self.lastPosition(of: "obj", in: bytes(first..<place)),
      let length = position(of: "stream", in: bytes(place..<end))
    else { return ObjectStream(packed: nil) }
    let dictionary = bytes(first + start..<place + length)
    var data = place + length + 6
    if data < file.count, file[data] == 0x0d { data += 1 }
    if data < file.count, file[data] == 0x0a { data += 1 }
    offset = data
    return ObjectStream(packed: Self.isDeflated(dictionary) ? bytes(data..<file.count) : nil)
  }

  private func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: file[range])
  }

  /// Whether a stream is only compressed by deflate, without further filters or parameters.
  private static func isDeflated(_ dictionary: UnsafeRawBufferPointer) -> Bool {
    guard position(of: "/DecodeParms", in: dictionary) == nil, position(of: "/DP", in: dictionary) == nil,
      let filter = position(of: "/Filter", in: dictionary)
    else { return false }
    var rest = dictionary[(filter + 7)...].drop { isBlank($0) }
    let isList = rest.first == UInt8(ascii: "[")
    if isList { rest = rest.dropFirst().drop { isBlank($0) } }
    let name: StaticString = "/FlateDecode"
    guard position(of: name, in: UnsafeRawBufferPointer(rebasing: rest.prefix(name.utf8CodeUnitCount))) == 0 else {
      return false
    }
    rest = rest.dropFirst(name.utf8CodeUnitCount).drop { isBlank($0) }
    return rest.first == UInt8(ascii: isList ? "]" : "/") || !isList && rest.first == UInt8(ascii: ">")
  }

  private static func lastPosition(of name: StaticString, in bytes: UnsafeRawBufferPointer) -> Int? {
    var last: Int?
    var offset = 0
    while let found = position(of: name, in: UnsafeRawBufferPointer(rebasing: bytes[offset...])) {
      last = offset + found
      offset += found + 1
    }
    return last
  }
}

/// An object stream, decompressed piece by piece.
final class ObjectStream {
  private let converter = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_ZLIB)
  private var rest: UnsafeRawBufferPointer
  private var isAtEnd = false
  /// Whether the decompressed bytes may be incomplete, or differ from what poppler reads.
  private(set) var isDoubtful: Bool

  /// - Parameter packed: the compressed bytes from the beginning; nil for a stream that cannot be decompressed here.
  init(packed: UnsafeRawBufferPointer?) {
    rest = packed ?? UnsafeRawBufferPointer(start: nil, count: 0)
    isDoubtful = packed == nil
  }

  deinit {
    g_object_unref(UnsafeMutableRawPointer(converter))
  }

  /// Stores at most `count` bytes in `buffer` and returns their number: 0 at the end, or at damaged data.
  func read(_ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    guard !isAtEnd, !isDoubtful else { return 0 }
    var taken: gsize = 0
    var given: gsize = 0
    let result = g_converter_convert(
      converter, rest.baseAddress, gsize(rest.count), buffer, gsize(count), G_CONVERTER_NO_FLAGS, &taken, &given, nil)
    rest = UnsafeRawBufferPointer(rebasing: rest[Int(taken)...])
    isAtEnd = result == G_CONVERTER_FINISHED
    isDoubtful = result == G_CONVERTER_ERROR
    return Int(given)
  }
}
