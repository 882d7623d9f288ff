import CStore
import Glibc
import Wire

/// A value of a statement's parameter or of a column. Bytes are not included: they belong in a blob.
public enum SQLValue: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)

  package static func integer(_ value: Int) -> SQLValue { .integer(Int64(value)) }
  package static func bool(_ value: Bool) -> SQLValue { .integer(value ? 1 : 0) }
  package static func text(_ value: String?) -> SQLValue { value.map { .text($0) } ?? .null }
  package static func integer(_ value: Int64?) -> SQLValue { value.map { .integer($0) } ?? .null }

  /// The most bytes that it takes in a row.
  package var size: Int {
    switch self {
    case .null: 0
    case .integer, .real: 8
    case .text(let text): text.utf8.count
    }
  }

  /// Whether two columns with these values are equal: texts byte for byte; an integer equals a real of the same value.
  package func isSame(as other: SQLValue) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.integer(let one), .integer(let other)): one == other
    case (.real(let one), .real(let other)): one == other
    case (.integer(let whole), .real(let real)), (.real(let real), .integer(let whole)): Double(whole) == real
    case (.text(let one), .text(let other)): sameBytes(one, other)
    default: false
    }
  }
}

/// The current row of a statement, with columns from 0. Only valid until the next step.
public struct Columns {
  let statement: OpaquePointer

  /// No daemon stores an integer outside of this range, but another program may have written the library: sums of a few
  /// within it do not overflow.
  private static let sums: ClosedRange<Int64> = -(1 << 60)...1 << 60

  package func isNull(_ index: Int) -> Bool { sqlite3_column_type(statement, Int32(index)) == SQLITE_NULL }
  /// The integer of the column, limited to `sums`. See `storedValue` for the exact one.
  package func integer(_ index: Int) -> Int64 {
    min(max(sqlite3_column_int64(statement, Int32(index)), Self.sums.lowerBound), Self.sums.upperBound)
  }
  package func int(_ index: Int) -> Int { Int(integer(index)) }
  package func bool(_ index: Int) -> Bool { integer(index) != 0 }
  package func real(_ index: Int) -> Double { sqlite3_column_double(statement, Int32(index)) }
  package func text(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }
  package func optionalText(_ index: Int) -> String? { isNull(index) ? nil : text(index) }
  package func optionalInteger(_ index: Int) -> Int64? { isNull(index) ? nil : integer(index) }

  /// The value of the column; nil for bytes.
  package func storedValue(_ index: Int) -> SQLValue? {
    switch sqlite3_column_type(statement, Int32(index)) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, Int32(index)))
    case SQLITE_FLOAT: .real(real(index))
    case SQLITE_TEXT: .text(text(index))
    case SQLITE_BLOB: nil
    default: .null
    }
  }

  /// The bytes of a text or blob in SQLite's own memory, valid until the next access to the column or the next step.
  package func bytes(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    // In this order: reading the text may move it, and the length is then that of the text.
    let start = sqlite3_column_blob(statement, Int32(index))
    let count = Int(sqlite3_column_bytes(statement, Int32(index)))
    return UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: start == nil ? 0 : count)
  }

  package var count: Int { Int(sqlite3_column_count(statement)) }

  package func name(_ index: Int) -> String {
    sqlite3_column_name(statement, Int32(index)).map { String(cString: $0) } ?? ""
  }

  package func isInteger(_ index: Int) -> Bool { sqlite3_column_type(statement, Int32(index)) == SQLITE_INTEGER }
  package func isText(_ index: Int) -> Bool { sqlite3_column_type(statement, Int32(index)) == SQLITE_TEXT }
  /// Whether the column is a blob.
  package func isBytes(_ index: Int) -> Bool { sqlite3_column_type(statement, Int32(index)) == SQLITE_BLOB }

  // MARK: - Comparing

  /// Whether the column holds this text, byte for byte.
  package func holds(_ text: String, at index: Int) -> Bool {
    guard isText(index) else { return false }
    let stored = bytes(index)
    let isSame = text.utf8.withContiguousStorageIfAvailable { text in
      text.count == stored.count && (text.isEmpty || memcmp(text.baseAddress!, stored.baseAddress!, text.count) == 0)
    }
    return isSame ?? stored.elementsEqual(text.utf8)
  }
}

/// Makes SQLite copy the bytes.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// Binds a text to a parameter. The text must outlive the statement's run.
func bind(_ text: String, to statement: OpaquePointer, at place: Int32) -> Int32 {
  // A `String` with up to 15 bytes stores them inline, without a stable address; a longer one has its own memory as
  // long as it lives, which is longer than the statement runs.
  let bound = text.utf8.withContiguousStorageIfAvailable { bytes in
    bind(bytes, copies: bytes.count <= 15, to: statement, at: place)
  }
  if let bound { return bound }
  // A text that is not contiguous is copied, and the copy is released immediately.
  var whole = text
  return whole.withUTF8 { bind($0, copies: true, to: statement, at: place) }
}

/// Binds a copy of bytes to a parameter.
func bind(_ bytes: UnsafeRawBufferPointer, to statement: OpaquePointer, at place: Int32) -> Int32 {
  // Empty bytes may have no address, which SQLite would treat as null.
  guard let start = bytes.baseAddress else { return sqlite3_bind_zeroblob(statement, place, 0) }
  return sqlite3_bind_blob(statement, place, start, Int32(bytes.count), transient)
}

private func bind(
  _ bytes: UnsafeBufferPointer<UInt8>, copies: Bool, to statement: OpaquePointer, at place: Int32
) -> Int32 {
  // An empty text may have no address, which SQLite would treat as null.
  guard let start = bytes.baseAddress else { return sqlite3_bind_text(statement, place, "", 0, transient) }
  return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
    sqlite3_bind_text(statement, place, $0, Int32(bytes.count), copies ? transient : nil)
  }
}
