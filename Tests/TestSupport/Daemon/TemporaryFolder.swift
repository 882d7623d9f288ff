import Foundation

/// A folder that goes when the test is over. Its path is short, since a Unix socket's may have 107 bytes.
package final class TemporaryFolder: Sendable {
  package let path: String
  private let isKept: Bool

  package init() {
    var template = Array("/tmp/cp-XXXXXX".utf8CString)
    guard let made = template.withUnsafeMutableBufferPointer({ mkdtemp($0.baseAddress!) }) else {
      fatalError("no temporary folder: errno \(errno)")
    }
    path = String(cString: made)
    isKept = false
  }

  /// A folder that another made, who also removes it.
  package init(keeping path: String) {
    self.path = path
    isKept = true
  }

  package func file(_ name: String) -> String { path + "/" + name }

  deinit {
    if !isKept { try? FileManager.default.removeItem(atPath: path) }
  }
}
