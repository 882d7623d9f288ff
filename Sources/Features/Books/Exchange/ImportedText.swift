import Markup

/// A file's bytes as UTF-8, where a spreadsheet has written them otherwise: Excel in Korea saves a table in CP949, and
/// "Unicode text" in UTF-16.
struct ImportedText {
  var bytes: [UInt8]
  /// What it was in, as people know it; nil of UTF-8, and of what fits no encoding for certain: that stays as it is.
  var charset: String?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    guard String(validating: bytes, as: UTF8.self) == nil else { return }
    let decoded = TextDecoding(bytes)
    // Western text fits everything, and so proves nothing.
    guard decoded.misfits == 0, let name = Self.names[decoded.charset] else { return }
    (self.bytes, charset) = (decoded.bytes, name)
  }

  /// By iconv's names.
  private static let names = [
    "UHC": "EUC-KR (CP949)", "CP932": "Shift_JIS", "UTF-16LE": "UTF-16", "UTF-16BE": "UTF-16",
  ]
}
