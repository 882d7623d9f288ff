/// All commands on one screen of 24 lines and 80 columns.
enum Overview {
  static var text: String {
    var lines = ["commonplace: see “help NAME”. An ITEM is an id, %3 of a list, or a title."]
    for group in Commonplace.configuration.groupedSubcommands {
      for command in group.subcommands {
        let usage = command._commandName + (arguments[command._commandName].map { " " + $0 } ?? "")
        let blanks = String(repeating: " ", count: max(1, 20 - TextWidth.columns(of: usage)))
        lines.append("  " + usage + blanks + command.configuration.abstract)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The arguments of commands.
  private static let arguments = [
    "add": "FILE|DIR|URL…", "search": "WORDS…", "agenda": "[DAY]", "note": "TEXT", "jot": "TEXT",
    "do": "TITLE", "keep": "URL", "open": "ITEM", "edit": "ITEM",
    "call": "METHOD …", "describe": "[METHOD]", "backup": "DIR", "restore": "BACKUP",
  ]
}
