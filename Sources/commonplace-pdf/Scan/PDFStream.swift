import Glibc

/// A stream of a file: its dictionary, and its raw bytes.
struct PDFStream {
  let entries: [String: PDFValue]
  let packed: UnsafeRawBufferPointer

  /// Reads the stream after `obj`.
  ///
  /// - Parameter length: resolves a length that is stored in another object.
  init?(_ file: UnsafeRawBufferPointer, from syntax: inout Syntax, length: (PDFValue) -> Int?) {
    guard let entries = syntax.value()?.entries, syntax.takes("stream") else { return nil }
    self.init(file, entries, at: syntax.position, length: length)
  }

  /// - Parameter place: offset after the keyword `stream`.
  init?(
    _ file: UnsafeRawBufferPointer, _ entries: [String: PDFValue], at place: Int, length: (PDFValue) -> Int?
  ) {
    var start = place
    if start < file.count, file[start] == 0x0d { start += 1 }
    guard start < file.count, file[start] == 0x0a, entries["F"] == nil, let lengthValue = entries["Length"],
      let length = length(lengthValue), length >= 0, length <= file.count - start - 1
    else { return nil }
    start += 1
    var end = Syntax(file, at: start + length)
    guard end.takes("endstream") else { return nil }
    self.entries = entries
    packed = UnsafeRawBufferPointer(rebasing: file[start..<start + length])
  }

  /// The bytes after removing the filters; nil for filters other than deflate, for damage, and for more than `most`
  /// bytes.
  func unpacked(most: Int) -> [UInt8]? {
    switch entries["Filter"] {
    case nil: return packed.count <= most ? [UInt8](packed) : nil
    case .name("FlateDecode"): break
    case .list(let filters):
      guard filters.count == 1, filters[0].name == "FlateDecode" else { return nil }
    default: return nil
    }
    guard let bytes = inflated(most: most) else { return nil }
    var parameters = entries["DecodeParms"]
    if let list = parameters?.list { parameters = list.count == 1 ? list[0] : .text }
    switch parameters {
    case nil, .null: return bytes
    case .entries(let parameters):
      switch parameters["Predictor"]?.integer ?? 1 {
      case 1: return bytes
      case 10...15:
        guard (parameters["Colors"]?.integer ?? 1) == 1, (parameters["BitsPerComponent"]?.integer ?? 8) == 8,
          let columns = parameters["Columns"]?.integer, 1...1_024 ~= columns
        else { return nil }
        return Self.unpredicted(bytes, columns)
      default: return nil
      }
    default: return nil
    }
  }

  /// The bytes after removing the first filter, which must be deflate; nil for more than `most` bytes.
  func inflated(most: Int) -> [UInt8]? {
    // The type is named after its first use: it decompresses any stream.
    let stream = ObjectStream(packed: packed)
    var bytes: [UInt8] = []
    let piece = 1 << 16
    while bytes.count <= most {
      let before = bytes.count
      bytes.append(contentsOf: repeatElement(0, count: piece))
      let count = bytes.withUnsafeMutableBytes { stream.read($0.baseAddress! + before, piece) }
      bytes.removeLast(piece - count)
      if count == 0 { return stream.isDoubtful ? nil : bytes }
    }
    return nil
  }

  /// Reverses PNG prediction, whose type is stated in each row.
  private static func unpredicted(_ bytes: [UInt8], _ columns: Int) -> [UInt8]? {
    guard bytes.count.isMultiple(of: columns + 1) else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var above = [UInt8](repeating: 0, count: columns)
    var row = above
    for start in stride(from: 0, to: bytes.count, by: columns + 1) {
      let kind = bytes[start]
      var left: UInt8 = 0
      switch kind {
      case 0: for at in 0..<columns { row[at] = bytes[start + 1 + at] }
      case 1:
        for at in 0..<columns {
          left &+= bytes[start + 1 + at]
          row[at] = left
        }
      case 2: for at in 0..<columns { row[at] = bytes[start + 1 + at] &+ above[at] }
      // The other types are not used for tables and pages.
      default: return nil
      }
      result += row
      swap(&row, &above)
    }
    return result
  }
}
