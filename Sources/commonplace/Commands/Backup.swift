import ArgumentParser
import Glibc
import Store
import Wire

struct Backup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the library into a new folder.",
    discussion: """
      The copy is one state of the library. It is opened and checked before the command \
      reports success; a failed copy is removed. The library can be used meanwhile. Uses \
      the running daemon if there is one. If the folder contains a backup already, the new \
      one is created beside it and named by the time: backups-2026-11-27-083000. Nothing is \
      overwritten. To use a copy:

        commonplace serve --library <dir>
      """)

  @Argument(help: ArgumentHelp("A new folder, or an earlier backup.", valueName: "dir"), completion: .directory)
  var folder: String

  @Flag(help: "Also copy your own files to which documents are linked.")
  var linked = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var library: LibraryOptions

  func run() async throws {
    let place = try Place(library.options)
    let conversation = try await Conversation.open(place, from: .sharedOrOwn)
    let path = Self.target(AbsolutePath.of(folder, in: place.environment), in: place)
    let report = try await conversation.askPatiently(
      "library/backup", linked ? ["path": .string(path), "linked": true] : ["path": .string(path)])
    await conversation.end()
    output.output.show(report, to: MethodNames.describe("library/backup"), in: place)
  }

  /// The path itself; if it is a backup, a path beside it that is named by the local time.
  private static func target(_ path: String, in place: Place) -> String {
    func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
    guard !sameBytes(path, place.paths.library), exists(LibraryFolder(path).database) else { return path }
    let time = place.voice.reader.zone.wall(WallClock.now).prefix(19).replacing("T", with: "-").replacing(":", with: "")
    let named = "\(path)-\(time)"
    return exists(named) ? (2...).lazy.map { "\(named)-\($0)" }.first { !exists($0) } ?? named : named
  }
}
