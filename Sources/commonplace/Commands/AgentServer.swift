import Contract
import Daemon
import Glibc
import Kit
import Store
import Wire

/// The server for agents, `commonplace-mcp`, with the limits of config.toml.
struct AgentServer {
  var allow = "read"
  var collections: String?
  var files: [String] = []
  var name = "agent"
  var options = Paths.Options()

  init(allow: String, collections: String?, files: [String], name: String, options: Paths.Options) {
    (self.allow, self.collections, self.files, self.name) = (allow, collections, files, name)
    self.options = options
  }

  /// From the arguments after `mcp`; nil for help, and for wrong ones, which are left to the parser. A client waits for
  /// the server, and the parser takes longer than all of its start.
  init?(plain arguments: some Sequence<String>) {
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      guard let value = arguments.next(), !value.hasPrefix("-") else { return nil }
      switch argument {
      case "--allow": allow = value
      case "--collections": collections = value
      case "--files": files.append(value)
      case "--name": name = value
      case "--library": options.library = value
      case "--socket": options.socket = value
      default: return nil
      }
    }
  }

  /// Becomes that program, with which the agent's client speaks from here on.
  ///
  /// - Throws: `Failure` for an unknown collection, if config.toml has a mistake, or if the program is missing.
  func start() throws(Failure) -> Never {
    let place = try Place(options)
    try checkCollections(place.voice)
    let limits: Configuration.Agents
    do throws(ConfigurationError) {
      limits = try Configuration.load(place.paths.configuration).agents
    } catch {
      throw place.voice.failure(error)
    }
    try BundledProgram(name: "commonplace-mcp", place: place).become { running in
      var arguments = [
        "--program", running, "--version", Version.current, "--allow", allow, "--name", name,
        "--commits-per-minute", String(limits.commitsPerMinute), "--items-per-commit", String(limits.itemsPerCommit),
        "--read-limit", String(limits.readLimit), "--answer-tokens", String(limits.answerTokens),
      ]
      if let collections { arguments += ["--collections", collections] }
      for folder in files { arguments += ["--files", folder] }
      let paths = place.paths
      arguments += connection(place)
      for path in [paths.library, paths.state, paths.caches, parentFolder(of: paths.configuration)] {
        arguments += ["--closed", path]
      }
      return arguments
    }
  }

  /// The arguments with a connection to the daemon, if one listens: the server inherits it, and need not start “connect”
  /// for its first.
  private func connection(_ place: Place) -> [String] {
    var arguments: [String] = []
    if place.voice.namesLocale { arguments += ["--locale", place.voice.reader.locale.identifier] }
    if let zone = place.zone { arguments += ["--time-zone", zone] }
    guard let found = Reach(place: place).findListening() else { return arguments }
    guard fcntl(found.descriptor, F_SETFD, 0) == 0 else {
      close(found.descriptor)
      return arguments
    }
    place.warnOfUnknownZone()
    return arguments + ["--connection", String(found.descriptor)]
  }

  /// An agent could see nothing of a misspelled collection, and nobody would know why.
  ///
  /// - Throws: `Failure` for the first unknown one, with the nearest name.
  private func checkCollections(_ voice: Voice) throws(Failure) {
    guard let collections else { return }
    let known = voice.collections.map(\.name).sorted()
    // As the server separates them.
    let unknown = collections.split { $0 == "," || $0 == " " }.map(String.init).first { name in
      !known.contains { sameBytes($0, name) }
    }
    guard let unknown else { return }
    var arguments = [
      "field": "--collections", "value": String(unknown.unicodeScalars.prefix(64)),
      "choices": known.joined(separator: ", "),
    ]
    guard let nearest = likelyName(for: unknown, among: known, most: 3) else {
      throw voice.failure(.usage, Text("changes.unknownCollection", arguments))
    }
    arguments["nearest"] = nearest
    throw voice.failure(.usage, Text("changes.unknownCollectionNearest", arguments))
  }
}
