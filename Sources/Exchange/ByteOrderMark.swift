import Kit

extension [UInt8] {
  /// The bytes without a UTF-8 byte order mark (U+FEFF), with which some programs begin a file and which is no part of
  /// the text.
  package var withoutByteOrderMark: ArraySlice<UInt8> { starts(with: [0xEF, 0xBB, 0xBF]) ? self[3...] : self[...] }
}
