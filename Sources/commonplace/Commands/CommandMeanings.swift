/// Words under which users look for a command that has another name.
enum CommandMeanings {
  private static let words = [
    "agenda": "cards deadlines due overdue tasks todos upcoming week",
    "add": "fetch follow insert put subscribe upload",
    "backup": "archive copy dump save snapshot",
    "completion": "autocomplete completions complete-shell",
    "call": "api get list ls method request rpc run",
    "check": "doctor fsck repair test validate verify",
    "describe": "docs info man methods protocol reference",
    "do": "card new project task todo",
    "done": "check-off close complete finish finished resolve tick",
    "edit": "change modify rename update vi vim",
    "help": "commands usage",
    "jot": "remark scribble",
    "keep": "bookmark clip later pocket readlater",
    "mail": "email eml forward message procmail",
    "next": "ready soon urgency urgent",
    "note": "diary entry journal log memo write",
    "open": "cat path read show view where",
    "remind": "alarm alert notify reminder reminders snooze",
    "restore": "load recover unpack",
    "search": "find grep look lookup query",
    "serve": "daemon server start",
    "stop": "end exit halt kill quit shutdown",
    "sync": "cloud conflicts devices dropbox mirror nextcloud pair s3 share syncthing webdav",
    "today": "calendar day now yesterday",
    "undo": "back revert rollback",
    "watch": "changes events follow-changes monitor tail",
  ]

  /// The command for a word, whatever its case.
  static func command(for word: String) -> String? {
    words.first { $0.value.split(separator: " ").contains { $0 == word.lowercased() } }?.key
  }

  /// Verbs of methods under other names.
  private static let verbs = ["create": "add", "del": "remove", "delete": "remove", "rm": "remove"]

  static func verb(for word: String) -> String { verbs[word.lowercased()] ?? word }
}
