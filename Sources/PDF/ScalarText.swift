extension String {
  /// Creates a text from an array of scalars in one piece of memory. The standard library's generic initializers
  /// process them one by one: 11 µs for a line, instead of 0.3.
  package init(scalars: ArraySlice<Unicode.Scalar>) {
    self.init(unsafeUninitializedCapacity: 4 * scalars.count) { buffer in
      var count = 0
      for scalar in scalars {
        if scalar.isASCII {
          buffer[count] = UInt8(truncatingIfNeeded: scalar.value)
          count += 1
        } else {
          for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
            buffer[count] = byte
            count += 1
          }
        }
      }
      return count
    }
  }
}
