import Wire

/// Versions of clients that are known to be incompatible with this daemon. `initialize` returns a warning for their
/// users; they are served all the same.
enum KnownClients {
  struct Trouble: Sendable {
    /// In the form of `clientInfo.name`, in lower case.
    var name: String
    /// The first compatible version.
    var good: String
    /// A sentence of the catalogue, with `{name}`, `{version}` and `{good}`.
    var text: String
  }

  static let troubles = [
    // It lacks `vim.json`, with which the guide's code parses the user's input.
    Trouble(name: "neovim", good: "0.6.0", text: "session.oldClient")
  ]

  static func warnings(
    about name: String?, _ version: String?, among troubles: [Trouble] = troubles
  ) -> [Text] {
    // A missing or non-numeric version proves nothing.
    guard let name, let version, let own = numbers(version) else { return [] }
    return troubles.compactMap { trouble in
      guard trouble.name == name.lowercased(), let good = numbers(trouble.good), own.lexicographicallyPrecedes(good)
      else { return nil }
      return Text(trouble.text, ["name": name, "version": version, "good": trouble.good])
    }
  }

  /// `0.9.5` from `v0.9.5-dev+12`, without trailing zeros.
  private static func numbers(_ version: String) -> [Int]? {
    let plain = version.drop { $0 == "v" || $0 == "V" }.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    var numbers = plain.split(separator: ".").map { Int($0) ?? .max }
    if numbers.isEmpty { return nil }
    while numbers.last == 0 { numbers.removeLast() }
    return numbers
  }
}
