import Client
import Daemon
import Glibc
import Kit
import Store
import Threads
import Wire

/// A client of the library, for a command that sends requests: to the running daemon, to one started for it, or to
/// one in this process.
struct Conversation {
  let client: Client
  /// The epoch of the library, from the daemon's reply to `initialize`.
  private(set) var epoch: String?
  private let place: Place
  private let own: Daemon?

  enum Source {
    /// The running daemon, else a new one that stays.
    case shared
    /// The running daemon, else this process owns the library for as long as the command takes.
    case sharedOrOwn
    /// The running daemon only.
    case running
    /// This process, which creates the library if there is none.
    case own
  }

  /// Connects and sends the client's name and locale. `changes/undo` of a later command uses the name by default.
  ///
  /// A daemon that exits in the very moment in which it is found, as idle or killed, accepts the connection and closes
  /// it. Only the greeting has been sent by then, so it is sent again to the next daemon.
  ///
  /// - Parameter name: the name of another client, as which this one acts; nil for its own.
  static func open(
    _ place: Place, from source: Source, greeting: Bool = true, as name: String? = nil
  ) async throws(Failure) -> Conversation {
    var name = name ?? ""
    if name.isEmpty, greeting { name = try place.clientName() }
    try requireLibrary(place, from: source)
    if greeting { place.warnOfUnknownZone() }
    // A log without a library: it was moved away, or removed.
    let isAnother =
      source != .own && place.options.library == nil && hasNoLibrary(place)
      && access(place.paths.log, F_OK) == 0
    for _ in 0..<mostAttempts {
      var conversation = try await connect(place, from: source)
      guard greeting else { return conversation }
      do {
        let greeted = try await conversation.client.call("initialize", place.greeting(as: name))
        conversation.epoch = greeted["library"]?["epoch"]?.stringValue
        // Users would otherwise miss everything in the former library, without a reason.
        if isAnother, Terminal.isErrorOutput {
          let text = Text("command.newLibrary", ["library": place.paths.library])
          Terminal.say("commonplace: " + place.voice.sentence(text))
        }
        return conversation
      } catch ClientError.closed {
        await conversation.end()
      } catch {
        throw place.voice.failure(error)
      }
    }
    throw place.voice.failure(.noDaemon, Text("command.daemonEnded"))
  }

  private static let mostAttempts = 5

  /// Connects to the next daemon that serves the library, however long it takes. None is started: the last one may
  /// have been stopped deliberately. A present obstacle, such as a program that has the library open exclusively, may
  /// go away.
  static func openNext(_ place: Place) async throws -> Conversation {
    while true {
      try await Task.sleep(for: pause)
      if let conversation = try? await open(place, from: .running) { return conversation }
    }
  }

  private static let pause: Duration = .seconds(1)

  /// A mistyped path must not create another library: a library at a given path is created by `serve` and `connect`
  /// alone. The default one is created when it is first needed.
  private static func requireLibrary(_ place: Place, from source: Source) throws(Failure) {
    guard place.options.library != nil, source != .own else { return }
    if source == .shared { _ = try place.socket() }
    guard hasNoLibrary(place) else { return }
    throw place.voice.failure(.notFound, Text("command.noLibrary", ["library": place.paths.library]))
  }

  /// The daemon refuses any other invalid path; and a daemon that is starting has not created all files yet.
  private static func hasNoLibrary(_ place: Place) -> Bool {
    access(place.folder.database, F_OK) != 0 && errno == ENOENT && !Ownership.isHeld(place.folder)
  }

  private static func connect(_ place: Place, from source: Source) async throws(Failure) -> Conversation {
    if source != .own, let found = try await Reach(place: place).find(startingOne: source == .shared) {
      do {
        return Conversation(client: try await Client.connect(found.descriptor), place: place, own: nil)
      } catch {
        throw place.voice.failure(error)
      }
    }
    guard source != .running else { throw place.voice.failure(.noDaemon, Text("command.daemonEnded")) }
    let own = try await OwnDaemon.start(place)
    return Conversation(client: own.client, place: place, own: own.daemon)
  }

  func ask(_ method: String, _ params: JSONValue) async throws(Failure) -> JSONValue {
    do {
      return try await client.call(method, params)
    } catch {
      throw failure(error, of: method)
    }
  }

  /// Sends a request that may take long: with a bar if a user watches, and cancelled by Ctrl-C, which waits for the
  /// final reply. A second Ctrl-C does not wait any longer.
  func askPatiently(_ method: String, _ params: JSONValue) async throws(Failure) -> JSONValue {
    let signals = Signals([SIGINT, SIGTERM])
    let bar = Terminal.isErrorOutput ? ProgressBar() : nil
    var show: (@Sendable (JSONValue) -> Void)?
    if let bar { show = { bar.show($0) } }
    let pending = client.send(method, params, onProgress: show)
    let watch = Task {
      var isCancelled = false
      for await _ in signals.arrivals {
        if isCancelled { exit(ExitStatus.cancelled.rawValue) }
        isCancelled = true
        pending.cancel()
      }
    }
    defer {
      watch.cancel()
      bar?.clear()
    }
    do {
      return try await pending.value()
    } catch {
      throw failure(error, of: method)
    }
  }

  /// A daemon that exits before its reply may have written all the same: it was killed after the commit, or a write
  /// continued after its connection had ended.
  private func failure(_ error: any Error, of method: String) -> Failure {
    guard case ClientError.closed = error, MethodNames.describe(method)?.effects.contains(.writes) == true else {
      return place.voice.failure(error)
    }
    return place.voice.failure(.noDaemon, Text("command.endedUnanswered"))
  }

  func end() async {
    await client.close()
    await own?.shutDown()
  }
}

extension Place {
  fileprivate func greeting(as name: String) -> JSONValue {
    var greeting: JSONObject = [
      "clientInfo": ["name": .string(name), "version": .string(Version.current)],
      "locale": .string(voice.reader.locale.identifier),
    ]
    if let zone { greeting["timeZone"] = .string(zone) }
    return .object(greeting)
  }
}

/// The daemon inside of this process, with one client: this command.
private enum OwnDaemon {
  static func start(_ place: Place) async throws(Failure) -> (daemon: Daemon, client: Client) {
    let daemon = try await DaemonStart(place: place).start()
    do {
      let (theirs, ours) = try SocketPair.make()
      try await daemon.serve(input: theirs, output: SocketPair.copy(theirs))
      let client = try await Client.connect(input: ours, output: SocketPair.copy(ours))
      return (daemon, client)
    } catch {
      await daemon.shutDown()
      throw place.voice.failure(error)
    }
  }
}
