import Contract
import Daemon
import Display
import Features
import FoundationEssentials
import Glibc
import HTTP
import Kit
import PDF
import Store
import Synchronization
import Wire

/// Creates a daemon for a library from the environment and `config.toml`.
struct DaemonStart {
  let place: Place
  /// When it exits by itself; nil for a daemon that a user started.
  var idleLimit: Duration?

  /// The idle time after which a daemon that a bridge started exits.
  static let idleLimit: Duration = .seconds(600)

  /// Opens the library. Nothing is served yet.
  ///
  /// A command that checks whether the lock is held has to hold it for a moment itself (`Ownership.isHeld`); a daemon
  /// that starts just then tries again.
  func start() async throws(Failure) -> Daemon {
    Daemon.settleProcess()
    let settings = try settings()
    do {
      for _ in 0..<100 {
        do {
          return try await Daemon(settings)
        } catch StoreError.inUse where !Ownership.isHeld(place.folder) {
          poll(nil, 0, 2)
        }
      }
      return try await Daemon(settings)
    } catch {
      throw place.voice.failure(error)
    }
  }

  /// Listens at the library's socket, or at the one that systemd has bound for it.
  func listen(_ daemon: Daemon) async throws(Failure) {
    if let activated = ActivatedSocket(place.environment) {
      do {
        return try await daemon.listen(at: activated.path, inheriting: activated.descriptor)
      } catch {
        throw place.voice.failure(error)
      }
    }
    let socket = try place.socket()
    // The runtime folder is created by the system; the one inside the library by us.
    if socket == place.folder.run + "/s" { mkdir(place.folder.run, 0o700) }
    do {
      try await daemon.listen(at: socket)
    } catch {
      throw place.voice.failure(error)
    }
  }

  private func settings() throws(Failure) -> DaemonSettings {
    let now: @Sendable () -> Instant = { WallClock.now }
    let log = LogFile(path: place.paths.log, now: now)
    let voice = place.voice
    let changed = Changed()
    let file: ConfigurationFile
    do {
      file = try ConfigurationFile(path: place.paths.configuration) { event in
        switch event {
        case .broken(let error): for text in error.texts { log.write(.error, voice.sentence(text)) }
        case .changed(let configuration):
          for warning in configuration.warnings { log.write(.warning, voice.sentence(warning.text)) }
          changed.http.withLock { $0 = Self.http(configuration) }
        }
      }
    } catch {
      throw voice.failure(error)
    }
    let configuration = file.current()
    for warning in place.paths.warnings + configuration.warnings.map(\.text) {
      log.write(.warning, voice.sentence(warning))
    }
    // If nothing is installed there, opening a PDF fails with that error; nothing else needs the worker.
    var workers = WorkerConfiguration(
      executable: WorkerConfiguration.locateExecutable() ?? "/usr/libexec/commonplace/commonplace-pdf")
    configuration.apply(to: &workers)
    var reader = voice.reader
    if let zone = configuration.library.timeZone {
      reader.zone = zone
    } else if let name = Zone.unknownName(in: place.environment) {
      let arguments = ["name": name, "zone": reader.zone.identifier]
      log.write(.warning, voice.sentence(Text("command.otherZone", arguments)))
    }
    let ids = Identifiers(now: now)
    var settings = DaemonSettings(
      folder: place.folder, stateFolder: place.paths.state, caches: place.paths.caches,
      features: AllFeatures.features, http: Self.http(configuration), workers: workers, reader: reader, now: now,
      newID: { ids.next() }, log: Log { log.write($0, $1) })
    settings.lastErrors = { log.lastErrors }
    settings.idleLimit = idleLimit
    settings.dayStartsAt = configuration.library.dayStartsAt
    let (path, zone) = (place.paths.configuration, reader.zone.identifier)
    // Secrets are read from this environment, which never changes; so it is the one to report.
    let environment = ProcessInfo.processInfo.environment
    settings.configuration = {
      ConfigurationState(file.reading(), path: path, timeZone: zone, environment: environment)
    }
    settings.credentials =
      SecretCache(definitions: { file.current().credentials }, mistake: { file.reading().mistake?.text }).credentials
    settings.configured = { file.current().features }
    settings.changedHTTP = {
      _ = file.current()
      return changed.http.withLock { http in
        defer { http = nil }
        return http
      }
    }
    return settings
  }

  private static func http(_ configuration: Configuration) -> HTTPConfiguration {
    var http = HTTPConfiguration()
    http.userAgent = "Commonplace/\(Version.current)"
    configuration.apply(to: &http)
    return http
  }

  /// The result of reading config.toml, until it is applied.
  private final class Changed: Sendable {
    let http = Mutex<HTTPConfiguration?>(nil)
  }
}
