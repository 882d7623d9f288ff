import Foundation
import Store
import Wire

/// Copies a file that a client named. It is opened once, and what was opened is what is looked at and copied.
enum FileCopy {
  static func copy(from path: String, to target: String, limit: Int) throws {
    // Non-blocking, so that a named pipe does not hold the thread for ever; it is refused right below.
    let source = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard source >= 0 else { throw FileFailure(path: path, errno) }
    defer { close(source) }
    var information = stat()
    guard fstat(source, &information) == 0 else { throw FileFailure(path: path, errno) }
    guard information.st_mode & S_IFMT == S_IFREG else {
      throw RPCError(.notAllowed, text: Text("documents.notAFile", ["path": path]))
    }
    guard information.st_size <= limit else {
      throw RPCError(.tooLarge, text: Text("documents.tooLarge", ["limit": String(limit >> 20)]))
    }
    try checkBeginning(of: source, path: path, size: Int(information.st_size))
    let output = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw FileFailure(path: target, errno) }
    defer { close(output) }
    try pump(from: source, path: path, to: output, target: target, limit: limit)
  }

  /// Writes bytes into a new file.
  static func write(_ bytes: Data, to target: String) throws {
    let output = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw FileFailure(path: target, errno) }
    defer { close(output) }
    try bytes.withUnsafeBytes { try put($0, into: output, target: target) }
  }

  private static func put(_ bytes: UnsafeRawBufferPointer, into output: Int32, target: String) throws {
    var written = 0
    while written < bytes.count {
      let now = Glibc.write(output, bytes.baseAddress! + written, bytes.count - written)
      guard now > 0 else { throw FileFailure(path: target, errno) }
      written += now
    }
  }

  private static func checkBeginning(of descriptor: Int32, path: String, size: Int) throws {
    var head = [UInt8](repeating: 0, count: 1_024)
    let count = head.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count >= 0 else { throw FileFailure(path: path, errno) }
    try ReceivedFile.checkBeginning(of: head.prefix(count), size: size, name: path)
  }

  private static func pump(from source: Int32, path: String, to output: Int32, target: String, limit: Int) throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var total = 0
    while true {
      let count = buffer.withUnsafeMutableBytes { read(source, $0.baseAddress, $0.count) }
      guard count >= 0 else { throw FileFailure(path: path, errno) }
      if count == 0 { return }
      total += count
      // A file may grow while it is read.
      guard total <= limit else {
        throw RPCError(.tooLarge, text: Text("documents.tooLarge", ["limit": String(limit >> 20)]))
      }
      try buffer.withUnsafeBytes {
        try put(UnsafeRawBufferPointer(rebasing: $0[..<count]), into: output, target: target)
      }
    }
  }
}
