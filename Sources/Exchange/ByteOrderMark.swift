import Kit

extension [UInt8] {
  /// Without the mark (U+FEFF) that some programs begin a file with to say that it is UTF-8, and that is no part of what
  /// it says.
  package var withoutByteOrderMark: ArraySlice<UInt8> { starts(with: [0xEF, 0xBB, 0xBF]) ? self[3...] : self[...] }
}
