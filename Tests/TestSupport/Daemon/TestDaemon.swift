import Client
import Contract
import Daemon
import Display
import Features
import Foundation
import HTTP
import Kit
import PDF
import Store
import Synchronization
import System
import Wire

/// A real daemon in this process: real SQLite, a real socket, real workers, in a folder of its own.
package final class TestDaemon: Sendable {
  package let folder: TemporaryFolder
  package let clock: TestClock
  /// The time of the HTTP client: its pauses take none of ours.
  package let networkTime = SkippedTime()
  package let daemon: Daemon
  private let log = LogBox()

  package var socket: String { folder.file("s") }
  package var library: String { folder.file("library") }
  /// What the daemon wrote into its log, each line with its level.
  package var logLines: [String] { log.all }

  /// Starts a daemon; in the folder of an earlier one it finds that one's library.
  package init(
    features: [Feature] = AllFeatures.features, in folder: TemporaryFolder = TemporaryFolder(),
    clock: TestClock = TestClock(), change: (inout DaemonSettings) -> Void = { _ in }
  ) async throws {
    Migrations.keepNewLibraries()
    self.folder = folder
    self.clock = clock
    let log = log
    let ids = Identifiers { clock.now }
    var http = HTTPConfiguration()
    http.contact = "tests@example.org"
    networkTime.apply(to: &http)
    var settings = DaemonSettings(
      folder: LibraryFolder(folder.file("library")), stateFolder: folder.file("state"), caches: folder.file("caches"),
      features: features, http: http, workers: WorkerConfiguration(executable: try WorkerExecutable.path()),
      reader: Reader(locale: LocaleTag("en-US")!, zone: .utc), now: { clock.now }, newID: { ids.next() },
      log: Log { log.add("\($0.rawValue) \($1)") })
    settings.catalogue = .withToys
    change(&settings)
    daemon = try await Daemon(settings)
    try await daemon.listen(at: folder.file("s"))
  }

  /// A client that has said `initialize` and `initialized`, and keeps all that it receives.
  package func client(
    name: String = "test", locale: String = "en-US", timeZone: String = "Etc/UTC",
    positionEncoding: String = "utf-16"
  ) async throws -> Client {
    let client = try await Client.connect(socket: socket, record: true, whenFailed: DeclaredErrors.check)
    _ = try await client.call(
      "initialize",
      [
        "clientInfo": ["name": .string(name)], "locale": .string(locale), "timeZone": .string(timeZone),
        "capabilities": ["general": ["positionEncodings": [.string(positionEncoding)]]],
      ])
    client.notify("initialized", [:])
    return client
  }

  package func stop() async {
    await daemon.shutDown()
  }
}

private final class LogBox: Sendable {
  private let lines = Mutex<[String]>([])
  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock(\.self) }
}
