/// Encodes the values of a message one after the other, little-endian, with a length before strings and arrays.
///
/// No Foundation: the worker, which shares this, has to stay small.
package struct ByteWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func write<Value: FixedWidthInteger>(_ value: Value) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func write(_ value: Double) {
    write(value.bitPattern)
  }

  package mutating func write(_ value: Bool) {
    write(value ? 1 as UInt8 : 0)
  }

  package mutating func write(_ text: String) {
    write(text.utf8)
  }

  /// Writes a string's bytes; the receiver checks that they are UTF-8.
  package mutating func write(_ text: some Collection<UInt8>) {
    write(UInt32(text.count))
    bytes.append(contentsOf: text)
  }

  package mutating func write<Value>(_ value: Value?, with writing: (inout ByteWriter, Value) -> Void) {
    write(value != nil)
    if let value {
      writing(&self, value)
    }
  }

  /// Writes raw bytes, without a length.
  package mutating func write(raw bytes: UnsafeRawBufferPointer) {
    self.bytes.append(contentsOf: bytes)
  }

  /// Discards the written bytes, after they were copied to a file.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }
}

/// Decodes the output of ``ByteWriter`` without trusting it: every read is checked against the remaining bytes.
package struct ByteReader {
  /// The bytes are not in the expected format.
  package struct Malformed: Error, Equatable {
    package let what: String

    package init(_ what: String) {
      self.what = what
    }
  }

  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  package var remaining: Int {
    bytes.count - position
  }

  /// - Throws: `Malformed` if the bytes end before.
  package mutating func integer<Value: FixedWidthInteger>(
    _ type: Value.Type = Value.self
  ) throws(Malformed) -> Value {
    let size = Value.bitWidth / 8
    guard size <= remaining else { throw Malformed("cut off") }
    let value = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: Value.self) }
    position += size
    return Value(littleEndian: value)
  }

  /// - Throws: `Malformed` if the bytes end before.
  package mutating func double() throws(Malformed) -> Double {
    Double(bitPattern: try integer())
  }

  /// A finite number within `range`.
  ///
  /// - Throws: `Malformed` if the bytes end before, or the number is out of range.
  package mutating func double(_ what: String, in range: ClosedRange<Double>) throws(Malformed) -> Double {
    let value = try double()
    guard range.contains(value) else { throw Malformed("\(what) out of range") }
    return value
  }

  /// A count or index within `range`.
  ///
  /// - Throws: `Malformed` if the bytes end before, or the number is out of range.
  package mutating func count(_ what: String, in range: ClosedRange<Int>) throws(Malformed) -> Int {
    let value = Int(try integer(UInt32.self))
    guard range.contains(value) else { throw Malformed("\(what) out of range") }
    return value
  }

  /// - Throws: `Malformed` for a byte other than 0 and 1, or if the bytes end before.
  package mutating func bool() throws(Malformed) -> Bool {
    switch try integer(UInt8.self) {
    case 0: false
    case 1: true
    default: throw Malformed("neither true nor false")
    }
  }

  /// Text of at most `limit` bytes: valid UTF-8 without U+0000, at which SQLite would truncate it.
  ///
  /// - Throws: `Malformed` for any other text, or if the bytes end before.
  package mutating func string(_ what: String, limit: Int) throws(Malformed) -> String {
    let length = try count("length of \(what)", in: 0...limit)
    guard length <= remaining else { throw Malformed("cut off") }
    let part = bytes[position..<position + length]
    guard !part.contains(0) else { throw Malformed("U+0000 in \(what)") }
    guard let text = String(validating: part, as: UTF8.self) else { throw Malformed("\(what) is not UTF-8") }
    position += length
    return text
  }

  /// - Throws: `Malformed` for an invalid flag or if the bytes end before; what `reading` throws.
  package mutating func optional<Value>(
    _ reading: (inout ByteReader) throws(Malformed) -> Value
  ) throws(Malformed) -> Value? {
    try bool() ? try reading(&self) : nil
  }

  /// An array of plain values without padding, in their memory layout.
  ///
  /// - Throws: `Malformed` if the bytes end before.
  package mutating func array<Value: BitwiseCopyable>(
    of type: Value.Type, count: Int, zero: Value
  ) throws(Malformed) -> [Value] {
    let (size, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Value>.stride)
    guard count >= 0, !overflow, size <= remaining else { throw Malformed("cut off") }
    var values = [Value](repeating: zero, count: count)
    bytes.withUnsafeBytes { source in
      values.withUnsafeMutableBytes { $0.copyMemory(from: .init(rebasing: source[position..<position + size])) }
    }
    position += size
    return values
  }

  /// - Throws: `Malformed` if bytes are left.
  package func finish() throws(Malformed) {
    guard remaining == 0 else { throw Malformed("more than expected") }
  }
}
