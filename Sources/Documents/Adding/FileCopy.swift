import FoundationEssentials
import Glibc
import Kit
import Store
import Wire

/// Copies a file that a client named. The file is opened once; the open descriptor is both checked and copied.
enum FileCopy {
  static func copy(from path: String, to target: String, limit: Int) throws {
    try copy(GivenFile(named: path, limit: limit), to: target)
  }

  static func copy(_ source: borrowing GivenFile, to target: String) throws {
    try checkBeginning(of: source)
    let output = try NewFile(at: target)
    try source.forEachPart { try output.write($0) }
  }

  /// Writes bytes into a new file.
  static func write(_ bytes: Data, to target: String) throws {
    let output = try NewFile(at: target)
    try bytes.withUnsafeBytes { try output.write($0) }
  }

  private static func checkBeginning(of source: borrowing GivenFile) throws {
    var head = [UInt8](repeating: 0, count: 1_024)
    let count = head.withUnsafeMutableBytes { pread(source.descriptor, $0.baseAddress, $0.count, 0) }
    guard count >= 0 else { throw FileFailure(path: source.path, errno) }
    try ReceivedFile.checkBeginning(of: head.prefix(count), size: source.size, name: source.path)
  }
}
