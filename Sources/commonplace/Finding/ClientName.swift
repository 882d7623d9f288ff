import Wire

extension Place {
  /// Who the daemon is told asks. By this name an undo finds what an earlier command has done; a terminal or script that
  /// wants its own says so, and one that says it with nothing in it shares the usual one.
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
  /// It is kept with every change, and stands in every line that tells of one. The protocol sets no limit of its own.
  private static let longestClientName = 100
}
