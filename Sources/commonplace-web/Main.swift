import Display
import FoundationEssentials
import Glibc
import NIOPosix
import Threads
import Wire

/// The bridge between a browser and the daemon: serves the page on 127.0.0.1 and passes its messages on.
///
/// It knows no method but the two that answer apps of other devices. `commonplace web` starts it with the paths of the library
/// and of itself.
@main
enum Main {
  static func main() async {
    // A browser that has gone is reported as an error of `write`.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    let environment = ProcessInfo.processInfo.environment
    let voice = Voice(environment: environment)
    do throws(BridgeFailure) {
      let options = try Options(CommandLine.arguments.dropFirst())
      try await Server.run(options, voice: voice)
    } catch {
      voice.complain(error)
      exit(error.status)
    }
  }
}
