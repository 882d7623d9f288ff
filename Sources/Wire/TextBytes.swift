/// Whether two texts are the same bytes. Swift's `==` compares canonical equivalents, which are different texts here.
package func sameBytes(_ left: String, _ right: String) -> Bool {
  let left = left.utf8
  let right = right.utf8
  guard left.count == right.count else { return false }
  // Both lie in one piece, as all but bridged strings do: every key of every object comes here.
  let isSame = left.withContiguousStorageIfAvailable { left in
    right.withContiguousStorageIfAvailable { right in
      sameBytes(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
    }
  }
  return (isSame ?? nil) ?? left.elementsEqual(right)
}

/// Eight bytes at a time; both have the same length.
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
  /// Whether U+0000 is in it, where SQLite would cut it off.
  package var hasNUL: Bool {
    let found = utf8.withContiguousStorageIfAvailable { containsZero(UnsafeRawBufferPointer($0)) }
    return found ?? utf8.contains(0)
  }
}

/// Eight bytes at a time: every text that is read from the library comes here.
private func containsZero(_ bytes: UnsafeRawBufferPointer) -> Bool {
  var index = 0
  while index + 8 <= bytes.count {
    let eight = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    // Borrows reach the highest bit of a byte that is 0, or of one behind it.
    if (eight &- 0x0101_0101_0101_0101) & ~eight & 0x8080_8080_8080_8080 != 0 { return true }
    index += 8
  }
  while index < bytes.count {
    if bytes[index] == 0 { return true }
    index += 1
  }
  return false
}
