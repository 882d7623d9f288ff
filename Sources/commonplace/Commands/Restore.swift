import ArgumentParser
import Wire

struct Restore: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Restore a library from a backup.",
    discussion: """
      BACKUP is a folder made by “commonplace backup”, or an archive made by \
      library/export. It is not changed: a copy is checked as a whole and then moved to \
      the library's folder, which must be empty or not exist. An existing library is \
      never replaced; name another folder with --library, or move the library away.

        commonplace restore ~/backup-2026-11-21
        commonplace restore ~/library.tar --library ~/other
      """)

  @Argument(help: ArgumentHelp("The folder or the archive.", valueName: "backup"), completion: .file())
  var backup: String

  @OptionGroup var output: OutputOptions
  @OptionGroup var library: LibraryOptions

  func run() async throws {
    let place = try Place(library.options)
    let report = try await Restoring(
      backup: AbsolutePath.of(backup, in: place.environment), place: place
    ).run()
    if Terminal.isOutput, !output.json {
      Terminal.write(place.voice.sentence(Text("command.restored", ["library": place.paths.library])) + "\n")
    } else {
      output.output.show(report, to: nil, in: place)
    }
  }
}
