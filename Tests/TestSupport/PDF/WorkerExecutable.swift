import Foundation
import PDF

/// The worker that was built together with the tests, which lies beside their bundle.
package enum WorkerExecutable {
  package static func path() throws -> String {
    if let path = WorkerConfiguration.locateExecutable() { return path }
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let path = folder.appending(path: "commonplace-pdf").path
    guard FileManager.default.isExecutableFile(atPath: path) else { throw NotBuilt() }
    return path
  }

  package struct NotBuilt: Error {}
}
