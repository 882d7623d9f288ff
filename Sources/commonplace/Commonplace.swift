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
          Add.self, Search.self, Today.self, Note.self, Do.self, Open.self, Edit.self, Undo.self,
        ]),
      CommandGroup(name: "Everything else", subcommands: [Call.self, Watch.self, Describe.self]),
      CommandGroup(name: "Care", subcommands: [Check.self, Backup.self, Restore.self]),
      CommandGroup(name: "Editors and services", subcommands: [Connect.self, Serve.self, Stop.self]),
    ])
}

/// All commands on one screen of 24 lines and 80 columns.
enum Overview {
  static var text: String {
    var lines = ["commonplace: " + Commonplace.configuration.abstract, ""]
    for group in Commonplace.configuration.groupedSubcommands {
      for command in group.subcommands {
        let usage = command._commandName + (arguments[command._commandName].map { " " + $0 } ?? "")
        let blanks = String(repeating: " ", count: max(1, 20 - TextWidth.columns(of: usage)))
        lines.append("  " + usage + blanks + command.configuration.abstract)
      }
    }
    lines += [
      "", "An ITEM is an id or its end, %3 of the last list, or a title. The daemon starts",
      "by itself. “commonplace help COMMAND” tells more, and “describe exit-status”.",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// The arguments shown after the names of commands.
  private static let arguments = [
    "add": "FILE|DIR|URL…", "search": "WORDS…", "note": "TEXT", "do": "TITLE", "open": "ITEM", "edit": "ITEM",
    "call": "METHOD …", "describe": "[METHOD]", "backup": "DIR", "restore": "BACKUP",
  ]
}
