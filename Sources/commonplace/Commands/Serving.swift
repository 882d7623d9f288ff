import Daemon
import Glibc
import Link
import Threads
import Wire

/// Serves the library to all clients at its socket until a signal ends it.
struct Serving {
  var options = Paths.Options()
  /// The starter waits for a report, and then for the pipe to be closed.
  var detached = false
  /// The daemon was not started by a user, so it exits when it is idle.
  var untilIdle = false

  init(options: Paths.Options, detached: Bool, untilIdle: Bool) {
    (self.options, self.detached, self.untilIdle) = (options, detached, untilIdle)
  }

  /// From the arguments after `serve`, if they are only those with which a daemon is usually started; nil for all
  /// others, wrong ones too, which are left to the parser.
  ///
  /// A client waits for the daemon, and the parser takes as long as opening the library.
  init?(plain arguments: some Sequence<String>) {
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      switch argument {
      case "--detached": detached = true
      case "--until-idle": untilIdle = true
      case "--library" where options.library == nil: options.library = arguments.next()
      case "--socket" where options.socket == nil: options.socket = arguments.next()
      default: return nil
      }
      // A value is missing, or is another option.
      for value in [options.library, options.socket] where value?.hasPrefix("-") == true { return nil }
      if argument == "--library", options.library == nil { return nil }
      if argument == "--socket", options.socket == nil { return nil }
    }
  }

  func run() async throws {
    // From here on, so that no signal is lost while the library opens.
    let signals = Signals([SIGTERM, SIGINT, SIGHUP])
    let place = try Place(options)
    _ = try place.socket()
    let start = DaemonStart(place: place, idleLimit: untilIdle ? DaemonStart.idleLimit : nil)
    let daemon: Daemon
    do {
      daemon = try await start.start()
    } catch {
      // Another bridge's daemon was quicker. Ours prints nothing.
      throw detached && error.status == .libraryInUse ? Failure(.libraryInUse) : error
    }
    do {
      try await start.listen(daemon)
    } catch {
      await daemon.shutDown()
      throw error
    }
    if detached {
      leaveStarter(log: place.paths.log)
    } else {
      Terminal.say(
        place.voice.sentence(
          Text("command.serving", ["library": place.paths.library, "socket": try place.socket()])))
    }
    let ending = Task { for await _ in signals.arrivals { daemon.end() } }
    daemon.startBackgroundWorkSoon()
    _ = await daemon.waitForEnd()
    ending.cancel()
    await daemon.shutDown()
  }

  /// Reports to the starter that the daemon serves, and closes their pipe.
  private func leaveStarter(log: String) {
    var ready = Launch.ready
    _ = write(STDERR_FILENO, &ready, 1)
    var descriptor = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o600)
    if descriptor < 0 { descriptor = open("/dev/null", O_WRONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return }
    dup2(descriptor, STDERR_FILENO)
    close(descriptor)
  }
}

extension Daemon {
  /// The starter is about to send a request, which must not wait for other work.
  func startBackgroundWorkSoon() {
    Task {
      try? await Task.sleep(for: .milliseconds(250))
      startBackgroundWork()
    }
  }
}
