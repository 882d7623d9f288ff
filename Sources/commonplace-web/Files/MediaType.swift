/// The type of a file by its first bytes, whatever its name: only these are shown by a browser, and none is active.
struct MediaType: Sendable {
  static let signatureLength = 16

  let name: String
  /// Whether a browser shows it; it saves all others.
  let isShown: Bool

  init(of start: [UInt8]) {
    func begins(_ text: String, at offset: Int = 0) -> Bool { start.dropFirst(offset).starts(with: text.utf8) }
    let name: String? =
      if start.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
        "image/png"
      } else if start.starts(with: [0xFF, 0xD8, 0xFF]) {
        "image/jpeg"
      } else if begins("GIF8") {
        "image/gif"
      } else if begins("RIFF"), begins("WEBP", at: 8) {
        "image/webp"
      } else if begins("ftypavif", at: 4) {
        "image/avif"
      } else if begins("%PDF-") {
        "application/pdf"
      } else {
        nil
      }
    self.name = name ?? "application/octet-stream"
    isShown = name != nil
  }
}
