import Glibc
import PDF

/// Sets the names (/NM) of new annotations, which poppler-glib can read but not set.
///
/// It can set their author (/T), which has the same format and which our annotations do not use. So the name is set as
/// author, and in poppler's update after the document the key is overwritten. Both keys have three bytes including the
/// blank, so that no offset in the file changes:
///
///     /T <feff0063006f…>          /T (ciphertext)
///     /NM<feff0063006f…>          /NM(ciphertext)
///
/// In an encrypted file the name cannot be read here; there every author in the update is a name, since nothing of the
/// original document is changed. The caller of the copy reads the names back.
struct AnnotationNames {
  private var names: Set<[UInt8]> = []
  private let isEncrypted: Bool

  init(_ names: [String], isEncrypted: Bool) {
    for name in names { self.names.formUnion(Self.spellings(of: name)) }
    self.isEncrypted = isEncrypted
  }

  /// A name in poppler's text encodings: UTF-16, in hexadecimal or plain, or the bytes as they are.
  static func spellings(of name: String) -> [[UInt8]] {
    let digits = Array("0123456789abcdef".utf8)
    var plain: [UInt8] = [0xfe, 0xff]
    for unit in name.utf16 { plain += [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)] }
    var hexadecimal: [UInt8] = []
    for byte in plain { hexadecimal += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return [hexadecimal, plain, Array(name.utf8)]
  }

  /// - Parameter start: offset of the update.
  func write(into descriptor: Descriptor, from start: Int) throws(WorkerFailure) {
    let count = descriptor.size - start
    guard count <= HostileInput.largestResult else { throw .fileTooLarge(limit: HostileInput.largestResult) }
    var update = [UInt8](repeating: 0, count: max(0, count))
    let read = update.withUnsafeMutableBytes { pread(descriptor.number, $0.baseAddress, $0.count, off_t(start)) }
    guard read == update.count else { throw .outputError(errno: EIO) }
    var offset = 0
    while let found = update.withUnsafeBytes({
      position(of: "/T ", in: UnsafeRawBufferPointer(rebasing: $0[offset...]))
    }) {
      let place = offset + found
      offset = place + 3
      guard isName(in: update[offset...]) else { continue }
      guard pwrite(descriptor.number, "/NM", 3, off_t(start + place)) == 3 else { throw .outputError(errno: errno) }
    }
  }

  private func isName(in text: ArraySlice<UInt8>) -> Bool {
    guard let opening = text.first, opening == UInt8(ascii: "<") || opening == UInt8(ascii: "(") else { return false }
    if isEncrypted { return true }
    let closing = opening == UInt8(ascii: "<") ? UInt8(ascii: ">") : UInt8(ascii: ")")
    return names.contains(Array(text.dropFirst().prefix(2_048).prefix { $0 != closing }))
  }
}
