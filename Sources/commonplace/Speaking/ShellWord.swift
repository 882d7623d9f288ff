/// A word of a command that the user may copy into a shell.
enum ShellWord {
  private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@%,")

  /// In single quotes unless it contains only characters that no shell interprets.
  static func quoted(_ word: String) -> String {
    guard word.isEmpty || !word.allSatisfy(plain.contains) else { return word }
    return "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
