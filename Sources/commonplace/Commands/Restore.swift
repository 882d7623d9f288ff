import ArgumentParser
import Wire

struct Restore: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a library of a backup.",
    discussion: """
      BACKUP is a folder that “commonplace backup” made, or an archive that \
      library/export made. It stays as it is: a copy is checked as a whole and then takes \
      the library's place, which must be an empty folder or not exist. A library that \
      is there is never replaced; name another place with --library or move it away.

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
