import ArgumentParser
import Kit

/// The command itself, which only names the others.
struct Commonplace: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "commonplace",
    abstract: "Your documents, diary, boards, books and projects.",
    version: Version.current,
    groupedSubcommands: [
      CommandGroup(
        name: "Everyday",
        subcommands: [
          Add.self, Search.self, Today.self, Agenda.self, Next.self, Note.self, Jot.self, Do.self, Done.self,
          Keep.self, Remind.self, Open.self, Edit.self, Undo.self,
        ]),
      CommandGroup(name: "Everything else", subcommands: [Web.self, Call.self, Describe.self]),
      CommandGroup(name: "Care", subcommands: [Check.self, Backup.self, Restore.self, Sync.self]),
      CommandGroup(
        name: "Editors and services",
        subcommands: [Connect.self, MCP.self, Serve.self, Stop.self, Watch.self, Mail.self, Completion.self]),
    ])

  static var commandNames: [String] { configuration.subcommands.map { $0._commandName } }
}
