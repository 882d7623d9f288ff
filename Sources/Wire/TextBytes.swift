/// Whether two texts have equal bytes. Swift's `==` compares canonical equivalents, which are different texts here.
package func sameBytes(_ left: String, _ right: String) -> Bool {
  let left = left.utf8
  let right = right.utf8
  guard left.count == right.count else { return false }
  // The fast path if both are contiguous, as all but bridged strings are: this is called for every key of every object.
  let isSame = left.withContiguousStorageIfAvailable { left in
    right.withContiguousStorageIfAvailable { right in
      sameBytes(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
    }
  }
  return (isSame ?? nil) ?? left.elementsEqual(right)
}

/// Compares eight bytes at a time; both have the same length.
private func sameBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
  var index = 0
  while index + 8 <= left.count {
    let (a, b) = (
      left.loadUnaligned(fromByteOffset: index, as: UInt64.self),
      right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    )
    if a != b { return false }
    index += 8
  }
  while index < left.count {
    if left[index] != right[index] { return false }
    index += 1
  }
  return true
}

extension String {
  /// Whether it contains U+0000, where SQLite would truncate it.
  package var hasNUL: Bool {
    let found = utf8.withContiguousStorageIfAvailable { containsZero(UnsafeRawBufferPointer($0)) }
    return found ?? utf8.contains(0)
  }
}

/// Scans eight bytes at a time: this is called for every text that is read from the library.
private func containsZero(_ bytes: UnsafeRawBufferPointer) -> Bool {
  var index = 0
  while index + 8 <= bytes.count {
    let eight = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    // Borrows reach the highest bit of a zero byte, or of a byte after one.
    if (eight &- 0x0101_0101_0101_0101) & ~eight & 0x8080_8080_8080_8080 != 0 { return true }
    index += 8
  }
  while index < bytes.count {
    if bytes[index] == 0 { return true }
    index += 1
  }
  return false
}
