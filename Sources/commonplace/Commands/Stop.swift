import ArgumentParser
import Daemon
import Glibc
import Store
import Wire

struct Stop: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop",
    abstract: "Shut the daemon down cleanly.",
    discussion: """
      The daemon completes and answers its running requests, then exits; this command \
      returns when it has. Connected editors are notified, and the next command starts \
      another daemon. The status is 3 if none runs. A private daemon belongs to its only \
      client and is not stopped.
      """)

  @Option(
    help: ArgumentHelp("The library's folder. Default: COMMONPLACE_LIBRARY, else the usual one.", valueName: "dir"),
    completion: .directory)
  var library: String?

  func run() throws {
    let place = try Place(Paths.Options(library: library))
    guard let owner = Self.owner(of: place.folder) else {
      if Ownership.isHeld(place.folder) { throw place.voice.failure(StoreError.inUse(owner: nil)) }
      throw place.voice.failure(.noDaemon, Text("command.noneRuns", ["library": place.paths.library]))
    }
    let pid = ["pid": String(owner.pid)]
    guard !owner.socket.isEmpty else { throw place.voice.failure(.libraryInUse, Text("command.privateRuns", pid)) }
    try Dismissal(place: place, owner: owner).run()
    Terminal.write(place.voice.sentence(Text("command.stopped", pid)) + "\n")
  }

  /// The owner of the lock. A daemon that was just started has not written its identity yet: until then the file may
  /// name a killed daemon, whose pid may belong to any process now.
  private static func owner(of folder: LibraryFolder) -> Owner? {
    let end = ContinuousClock.now + .seconds(2)
    while Ownership.isHeld(folder), ContinuousClock.now < end {
      if let owner = Ownership.owner(of: folder), Dismissal.isProven(owner, of: folder) { return owner }
      poll(nil, 0, 5)
    }
    return nil
  }
}
