import Foundation

/// A folder on a disk of its own that is soon full, in a namespace of one process and its children.
package struct SmallDisk: Sendable {
  package var path: String
  package var bytes: Int

  package init(_ path: String, bytes: Int) {
    self.path = path
    self.bytes = bytes
  }

  /// What the process sees there, for who is outside of its namespace.
  package func files(of process: pid_t) -> [String: Data] {
    let folder = "/proc/\(process)/root\(path)"
    var files: [String: Data] = [:]
    for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
      var information = stat()
      guard stat("\(folder)/\(name)", &information) == 0, information.st_mode & S_IFMT == S_IFREG else { continue }
      files[name] = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
    }
    return files
  }

  /// Whether this system lets users make such a disk; containers often do not.
  package static let isAvailable: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/unshare")
    process.arguments = ["-rm", "/bin/sh", "-c", "mount -t tmpfs -o size=65536 none /tmp"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()
}
