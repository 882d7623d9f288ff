import Daemon
import Features
import Foundation
import TestSupport

/// A daemon with toys in a process of its own, for tests that kill it, starve it, or watch what it asks of the kernel.
///
///     TestDaemonProgram FOLDER      prints "ready" when it listens at FOLDER/s; ends in order when its input ends
@main struct Program {
  static func main() async throws {
    // A limit on file sizes is to be an error of one write, not the end of the process.
    signal(SIGXFSZ, SIG_IGN)
    Daemon.settleProcess()
    let folder = TemporaryFolder(keeping: CommandLine.arguments[1])
    let daemon = try await TestDaemon(features: AllFeatures.features + [ToyFeature.feature], in: folder)
    FileHandle.standardOutput.write(Data("ready\n".utf8))
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        _ = FileHandle.standardInput.readDataToEndOfFile()
        continuation.resume()
      }
    }
    await daemon.stop()
  }
}
