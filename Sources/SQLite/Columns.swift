import CStore
import Glibc
import Wire

/// A value that goes into a statement or lies in a column. Bytes are no value of ours: they belong into a blob.
public enum SQLValue: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)

  package static func integer(_ value: Int) -> SQLValue { .integer(Int64(value)) }
  package static func bool(_ value: Bool) -> SQLValue { .integer(value ? 1 : 0) }
  package static func text(_ value: String?) -> SQLValue { value.map { .text($0) } ?? .null }
  package static func integer(_ value: Int64?) -> SQLValue { value.map { .integer($0) } ?? .null }

  /// Bytes that it takes in a row, at most.
  package var size: Int {
    switch self {
    case .null: 0
    case .integer, .real: 8
    case .text(let text): text.utf8.count
    }
  }

  /// Whether a column that holds one holds the other: texts byte for byte; a whole number is the same as a real.
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

/// The row at which a statement stands, column by column from 0. Only valid until the statement goes on.
public struct Columns {
  let statement: OpaquePointer

  package func isNull(_ index: Int) -> Bool { sqlite3_column_type(statement, Int32(index)) == SQLITE_NULL }
  package func integer(_ index: Int) -> Int64 { sqlite3_column_int64(statement, Int32(index)) }
  package func int(_ index: Int) -> Int { Int(integer(index)) }
  package func bool(_ index: Int) -> Bool { integer(index) != 0 }
  package func real(_ index: Int) -> Double { sqlite3_column_double(statement, Int32(index)) }
  package func text(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }
  package func optionalText(_ index: Int) -> String? { isNull(index) ? nil : text(index) }
  package func optionalInteger(_ index: Int) -> Int64? { isNull(index) ? nil : integer(index) }

  /// What the column holds; nil for bytes.
  package func storedValue(_ index: Int) -> SQLValue? {
    switch sqlite3_column_type(statement, Int32(index)) {
    case SQLITE_INTEGER: .integer(integer(index))
    case SQLITE_FLOAT: .real(real(index))
    case SQLITE_TEXT: .text(text(index))
    case SQLITE_BLOB: nil
    default: .null
    }
  }

  /// The bytes of a text or blob, where SQLite keeps them.
  package func bytes(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    // In this order: asking for the text may move it, and its length is that of the text then.
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
  /// Whether the column holds bytes that are no text.
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

/// SQLite takes a copy.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// Fills a place of a statement with a text, which has to stay as long as the statement runs.
func bind(_ text: String, to statement: OpaquePointer, at place: Int32) -> Int32 {
  // What fits into a `String` itself has no place of its own; anything longer stays where it is as long as the text
  // lives, which is longer than the statement runs.
  let bound = text.utf8.withContiguousStorageIfAvailable { bytes in
    bind(bytes, copies: bytes.count <= 15, to: statement, at: place)
  }
  if let bound { return bound }
  // A text that does not lie in one piece is brought there, and goes again at once.
  var whole = text
  return whole.withUTF8 { bind($0, copies: true, to: statement, at: place) }
}

/// Fills a place of a statement with a copy of bytes.
func bind(_ bytes: UnsafeRawBufferPointer, to statement: OpaquePointer, at place: Int32) -> Int32 {
  // No bytes may have no address, and SQLite would take that for null.
  guard let start = bytes.baseAddress else { return sqlite3_bind_zeroblob(statement, place, 0) }
  return sqlite3_bind_blob(statement, place, start, Int32(bytes.count), transient)
}

private func bind(
  _ bytes: UnsafeBufferPointer<UInt8>, copies: Bool, to statement: OpaquePointer, at place: Int32
) -> Int32 {
  // An empty text may have no address, and SQLite would take that for null.
  guard let start = bytes.baseAddress else { return sqlite3_bind_text(statement, place, "", 0, transient) }
  return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
    sqlite3_bind_text(statement, place, $0, Int32(bytes.count), copies ? transient : nil)
  }
}
