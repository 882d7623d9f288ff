/// The type of a file by its first bytes, whatever its name. The raw value is the extension.
package enum FileType: String, CaseIterable, Sendable {
  case jpg, png, gif, webp, avif, heic, pdf, mp4, mov, webm, m4a, mp3, wav, ogg, flac

  /// The number of bytes that decide.
  package static let signatureLength = 16

  package var mediaType: String {
    switch self {
    case .jpg: "image/jpeg"
    case .png: "image/png"
    case .gif: "image/gif"
    case .webp: "image/webp"
    case .avif: "image/avif"
    case .heic: "image/heic"
    case .pdf: "application/pdf"
    case .mp4: "video/mp4"
    case .mov: "video/quicktime"
    case .webm: "video/webm"
    case .m4a: "audio/mp4"
    case .mp3: "audio/mpeg"
    case .wav: "audio/wav"
    case .ogg: "audio/ogg"
    case .flac: "audio/flac"
    }
  }

  package init?(mediaType: String) {
    guard let type = Self.allCases.first(where: { $0.mediaType == mediaType }) else { return nil }
    self = type
  }

  package init?(of start: [UInt8]) {
    func begins(_ text: String, at offset: Int = 0) -> Bool { start.dropFirst(offset).starts(with: text.utf8) }
    if start.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpg
    } else if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if begins("GIF8") {
      self = .gif
    } else if begins("RIFF"), begins("WEBP", at: 8) {
      self = .webp
    } else if begins("RIFF"), begins("WAVE", at: 8) {
      self = .wav
    } else if begins("ftyp", at: 4) {
      self = Self.ofISOMedia(String(decoding: start.dropFirst(8).prefix(4), as: UTF8.self))
    } else if begins("%PDF-") {
      self = .pdf
    } else if start.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
      self = .webm
    } else if begins("OggS") {
      self = .ogg
    } else if begins("fLaC") {
      self = .flac
    } else if begins("ID3") || start.first == 0xFF && start.dropFirst().first.map({ $0 & 0xE6 == 0xE2 }) == true {
      self = .mp3
    } else {
      return nil
    }
  }

  /// The type by the major brand of an ISO base media file (ISO 14496-12).
  private static func ofISOMedia(_ brand: String) -> Self {
    switch brand {
    case "avif", "avis": .avif
    case "heic", "heix", "heim", "heis", "mif1", "msf1": .heic
    case "qt  ": .mov
    case "M4A ", "M4B ": .m4a
    default: .mp4
    }
  }
}
