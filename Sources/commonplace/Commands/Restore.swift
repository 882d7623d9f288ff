import ArgumentParser
import Wire

struct Restore: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Restore a library from a backup, or a removed item.",
    discussion: """
      BACKUP is a folder made by “commonplace backup”, or an archive made by \
      library/export. It is not changed: a copy is checked as a whole and then moved to \
      the library's folder, which must be empty or not exist. An existing library is \
      never replaced; name another folder with --library, or move the library away.

        commonplace restore ~/backups
        commonplace restore ~/library.tar --library ~/other

      If “commonplace backup” has created newer copies beside that folder, the newest is \
      restored, and its date is printed. For an older copy, name its folder; with --exact, \
      the first one too.

      A number of the last list, such as %3, or a whole id is a removed item, which comes \
      back with what was removed with it:

        commonplace call changes/removed
        commonplace restore %3
      """)

  @Argument(
    help: ArgumentHelp(
      "The folder, the archive, or the removed item; of several folders, the newest.", valueName: "backup"),
    completion: .file())
  var backups: [String]

  @Flag(help: "Restore this copy, even if newer ones are beside it.")
  var exact = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var library: LibraryOptions

  func run() async throws {
    let place = try Place(library.options)
    if isItem {
      return try await MethodCall(
        method: place.method("changes/restore"), params: ["id:=\(JSONValue.string(backups[0]))"], output: output.output,
        locale: nil,
        library: library.options
      ).run()
    }
    let named = backups.map { AbsolutePath.of($0, in: place.environment) }
    let restoring = Restoring(backup: BackupFamily.newest(of: named, isExact: exact), place: place)
    var report = try await restoring.run().objectValue ?? [:]
    let date = restoring.date
    if Terminal.isOutput, !output.json {
      let moment = date.map(place.screen.moment) ?? "?"
      let text = Text(
        "command.restored", ["library": place.paths.library, "path": restoring.backup, "moment": moment])
      Terminal.write(TerminalText.line(place.voice.sentence(text), longest: .max) + "\n")
    } else {
      report["backup"] = .string(restoring.backup)
      if let date { report["backedUpAt"] = .string(date.description) }
      output.output.show(.object(report), to: nil, in: place)
    }
  }

  /// A backup has a path, which is neither.
  private var isItem: Bool {
    guard backups.count == 1 else { return false }
    return Handle(backups[0]).isNumber || ShortIDs.isUUID(backups[0])
  }
}
