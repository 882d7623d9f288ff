/// All commands on one screen of 24 lines and 80 columns.
enum Overview {
  static var text: String {
    var lines = ["commonplace: see “help NAME”. An ITEM is an id, %3 of a list, or a title."]
    let groups = Commonplace.configuration.groupedSubcommands
    for group in groups.dropLast() {
      for command in group.subcommands {
        let usage = command._commandName + (arguments[command._commandName].map { " " + $0 } ?? "")
        let blanks = String(repeating: " ", count: max(1, 20 - TextWidth.columns(of: usage)))
        lines.append("  " + usage + blanks + command.configuration.abstract)
      }
    }
    // These are for programs.
    for group in groups.suffix(1) {
      lines.append("  " + group.subcommands.map { $0._commandName }.joined(separator: ", ") + "  \(group.name).")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The arguments of commands.
  private static let arguments = [
    "add": "FILE|DIR|URL…", "search": "WORDS…", "agenda": "[DAY]", "next": "[WORDS…]", "note": "TEXT", "jot": "TEXT",
    "do": "TITLE", "done": "ITEM", "keep": "URL", "open": "ITEM", "edit": "ITEM",
    "call": "METHOD …", "describe": "[METHOD]", "backup": "DIR", "restore": "BACKUP",
  ]
}
