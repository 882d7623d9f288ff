import ArgumentParser
import Daemon
import Glibc
import Link
import Threads
import Wire

struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Run the daemon in the foreground.",
    discussion: """
      Listens at the socket until SIGTERM, SIGINT or SIGHUP, then completes and answers \
      running requests, and exits with status 0. With --background it returns as soon as \
      the daemon accepts connections.

      With --stdio it uses its input and output instead, as language servers do: through \
      the shared daemon, exactly like “commonplace connect”. With --private too, this \
      process owns the library alone and exits with its client: with status 0 after \
      “shutdown” and “exit”, with 1 if the client disconnects without them.
      """)

  @Flag(help: "Use input and output, through the shared daemon.")
  var stdio = false

  @Flag(name: .customLong("private"), help: "With --stdio: own the library here, for this one client.")
  var isPrivate = false

  @Flag(help: "Start the daemon in the background, print its socket, and return.")
  var background = false

  @OptionGroup var library: LibraryOptions

  /// Set when a daemon is started to outlive its starter: it reports over the error output, then detaches (`Launch`).
  @Flag(help: .private)
  var detached = false

  /// Set by a bridge: the daemon was not started by a user, so it exits when it is idle.
  @Flag(help: .private)
  var untilIdle = false

  /// Set by the page's bridge, with `--background`: prints the path of the socket instead of a sentence.
  @Flag(help: .private)
  var socketOnly = false

  func validate() throws {
    if isPrivate, !stdio { throw ValidationError("--private goes with --stdio.") }
    if stdio, background { throw ValidationError("--background does not go with --stdio.") }
    if isPrivate, library.socket != nil { throw ValidationError("A private daemon has no --socket.") }
  }

  func run() async throws {
    if background {
      try await startInBackground()
    } else if isPrivate {
      try await servePrivately()
    } else if stdio {
      try await Connect.bridge(library)
    } else {
      try await Serving(options: library.options, detached: detached, untilIdle: untilIdle).run()
    }
  }

  /// A daemon that runs already is left as it is.
  private func startInBackground() async throws {
    let place = try Place(library.options)
    guard let found = try await Reach(place: place, untilIdle: untilIdle).find(startingOne: true) else { return }
    close(found.descriptor)
    if socketOnly {
      Terminal.write(found.socket + "\n")
      return
    }
    let pid = found.owner.map { String($0.pid) } ?? "?"
    Terminal.write(
      place.voice.sentence(
        Text("command.running", ["library": place.paths.library, "socket": found.socket, "pid": pid])) + "\n")
  }

  // MARK: - For one

  private func servePrivately() async throws {
    let signals = Signals([SIGTERM, SIGINT, SIGHUP])
    let place = try Place(library.options)
    let client: PrivateClient
    do {
      client = try PrivateClient.take()
    } catch {
      throw place.voice.failure(error)
    }
    let daemon = try await DaemonStart(place: place).start()
    do {
      try await daemon.serve(input: client.input, output: client.output)
    } catch {
      await daemon.shutDown()
      throw place.voice.failure(error)
    }
    let ending = Task { for await _ in signals.arrivals { daemon.end() } }
    daemon.startBackgroundWorkSoon()
    let isInOrder = await daemon.waitForEnd()
    ending.cancel()
    await daemon.shutDown()
    await client.received()
    if !isInOrder { throw Failure(.failed) }
  }
}
