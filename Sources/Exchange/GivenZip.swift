import Glibc
import Kit
import Store
import Wire
import Zip

extension GivenFile {
  /// The first bytes of a zip that is not empty.
  private static let zipHead: [UInt8] = [0x50, 0x4B, 0x03, 0x04]

  package static func isZip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: zipHead) }

  /// Checks the first bytes, without moving the file's offset.
  ///
  /// - Throws: `FileFailure` if they cannot be read.
  package borrowing func isZip() throws -> Bool {
    var head = [UInt8](repeating: 0, count: Self.zipHead.count)
    let count = head.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count >= 0 else { throw FileFailure(path: path, errno) }
    return count == head.count && Self.isZip(head)
  }
}

extension RPCError {
  /// The error for a refused zip.
  package init(_ failure: ZipFailure) {
    switch failure {
    case .unavailable(let reason): self.init(.notAllowed, text: Text("zip.unavailable", ["reason": reason]))
    case .damaged(let reason): self.init(.corrupt, text: Text("zip.damaged", ["reason": reason]))
    case .encrypted(let entry): self.init(.corrupt, text: Text("zip.encrypted", ["entry": entry]))
    case .unsafeName(let entry): self.init(.corrupt, text: Text("zip.unsafeName", ["entry": entry]))
    case .noFile(let entry): self.init(.corrupt, text: Text("zip.noFile", ["entry": entry]))
    case .tooManyEntries(let limit):
      self.init(.tooLarge, text: Text("zip.tooManyEntries", ["limit": String(limit)]))
    case .tooManyBytes(let limit):
      self.init(.tooLarge, text: Text("zip.tooManyBytes", ["limit": String(limit >> 20)]))
    case .tooDense(let limit): self.init(.tooLarge, text: Text("zip.tooDense", ["limit": String(limit)]))
    }
  }
}
