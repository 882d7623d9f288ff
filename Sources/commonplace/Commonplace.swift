import ArgumentParser
import Features

/// The command itself, which only names the others.
struct Commonplace: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "commonplace",
    abstract: "A reader's library, kept by a daemon and served over JSON-RPC.",
    discussion: """
      PDF documents with their bookmarks, highlights and memos live in one library. \
      A daemon owns it; editors, scripts and this command are its clients, and each \
      of them sees at once what another changes. You never have to start the daemon: \
      whoever needs it first does, and it ends when nobody has needed it for ten \
      minutes.

      Try:
        commonplace call session/status
        commonplace describe
        commonplace call documents/add path=paper.pdf title='A paper'

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
