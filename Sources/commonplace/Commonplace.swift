import ArgumentParser
import Kit

/// The command itself, which only names the others.
struct Commonplace: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "commonplace",
    abstract: "A reader's documents, diary, boards, books and projects, kept by a daemon.",
    discussion: """
      One library holds PDF documents with their bookmarks, highlights and memos; a diary; \
      boards, which are feeds, forums and groupwares kept to be read; books on a shelf; and \
      projects, as cards with deadlines. A daemon owns it and serves it over JSON-RPC; \
      editors, scripts and this command are its clients, and each of them sees at once what \
      another changes. You never have to start the daemon: whoever needs it first does, and \
      it ends when nobody has needed it for ten minutes.

      Three things to try:
        commonplace call documents/add path=paper.pdf title='A paper'
        commonplace call diary/add text='A walk along the river.'
        commonplace call projects/board

      “commonplace describe” lists all that can be called, by collection: documents, diary, \
      boards, books, projects. “commonplace call documents/add --help” tells about one.

      In an editor, give “commonplace connect” as the command of a language server.

      FILES
        ~/.local/share/commonplace          the library
        ~/.config/commonplace/config.toml   the configuration
        ~/.local/state/commonplace/log      the daemon's log
        $XDG_RUNTIME_DIR/commonplace.sock   the daemon's socket

      \(ExitStatus.table)
      """,
    version: Version.current,
    groupedSubcommands: [
      CommandGroup(name: "Everyday", subcommands: [Call.self, Watch.self, Describe.self]),
      CommandGroup(name: "Care", subcommands: [Check.self, Backup.self]),
      CommandGroup(name: "Editors and services", subcommands: [Connect.self, Serve.self, Stop.self]),
    ])
}
