import Contract

/// The arguments of `commonplace-mcp`. `commonplace mcp` passes them, with the limits of config.toml.
struct Options: Sendable {
  /// Arguments that cannot be used.
  struct Invalid: Error {
    var text: String
  }

  /// The path of `commonplace`, whose `connect` reaches the daemon.
  var program = "commonplace"
  /// The version of the program, for clients.
  var version = "0"
  var library: String?
  var socket: String?
  /// A descriptor that is connected to the daemon.
  var connection: Int32?
  /// Those of the user, for the daemon; nil if the environment names none.
  var locale: String?
  var timeZone: String?
  var permissions = Permissions()
  /// The name of the agent. Its sessions are clients of the names `name/…`.
  var name = "agent"
  var limits = SessionLimits.Values()

  private static let longestName = 64

  init(_ arguments: some Sequence<String>) throws(Invalid) {
    var arguments = arguments.makeIterator()
    while let option = arguments.next() {
      guard let value = arguments.next() else { throw Invalid(text: "\(option) has no value") }
      switch option {
      case "--program": program = value
      case "--version": version = value
      case "--library": library = value
      case "--socket": socket = value
      case "--connection": connection = Int32(try Self.number(value, of: option))
      case "--locale": locale = value
      case "--time-zone": timeZone = value
      case "--allow": permissions.effects.formUnion(try Self.effects(value))
      case "--collections": permissions.collections = Set(Self.words(value))
      case "--files": permissions.files.folders.append(try Self.folder(value))
      // Folders of the daemon, some of which it has not made yet.
      case "--closed": permissions.files.closed.append(FileReach.realPath(value) ?? value)
      case "--name": name = try Self.name(value)
      case "--commits-per-minute": limits.commitsPerMinute = try Self.number(value, of: option)
      case "--items-per-commit": limits.itemsPerCommit = try Self.number(value, of: option)
      case "--read-limit": limits.readBytes = try Self.number(value, of: option) << 20
      case "--answer-tokens": limits.answerTokens = try Self.number(value, of: option)
      default: throw Invalid(text: "there is no option \(option)")
      }
    }
  }

  private static func words(_ list: String) -> [String] {
    list.split { $0 == "," || $0 == " " }.map(String.init)
  }

  private static func effects(_ list: String) throws(Invalid) -> Effects {
    var effects: Effects = []
    for word in words(list) {
      guard let effect = Permissions.names.first(where: { $0.name == word })?.effect else {
        let known = Permissions.names.map(\.name).joined(separator: ", ")
        throw Invalid(text: "--allow takes \(known); “\(word)” is none of them")
      }
      effects.formUnion(effect)
    }
    return effects
  }

  private static func folder(_ path: String) throws(Invalid) -> String {
    guard let real = FileReach.realPath(path) else { throw Invalid(text: "--files: there is no folder “\(path)”") }
    return real
  }

  private static func name(_ text: String) throws(Invalid) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F && $0 != "/" }
    guard isPlain, (1...longestName).contains(text.unicodeScalars.count) else {
      throw Invalid(text: "--name takes 1 to \(longestName) characters, without blanks and slashes")
    }
    return text
  }

  private static func number(_ text: String, of option: String) throws(Invalid) -> Int {
    guard let number = Int(text), (1...1_000_000).contains(number) else {
      throw Invalid(text: "\(option) takes a positive number; “\(text)” is none")
    }
    return number
  }
}
