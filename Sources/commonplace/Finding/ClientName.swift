import Wire

extension Place {
  /// The client name for the daemon. By this name an undo finds the changes of an earlier command. A terminal or
  /// script may set its own; an empty value means the default name.
  func clientName() throws(Failure) -> String {
    guard let name = environment[Self.clientVariable], !name.isEmpty else { return "commonplace" }
    guard !name.isBlank, name.unicodeScalars.count <= Self.longestClientName else {
      throw voice.failure(
        .usage,
        Text(
          "command.badClientName", ["variable": Self.clientVariable, "limit": String(Self.longestClientName)]))
    }
    return name
  }

  private static let clientVariable = "COMMONPLACE_CLIENT"
  /// It is stored with every change, and is in every line about one. The protocol sets no limit of its own.
  private static let longestClientName = 100
}
