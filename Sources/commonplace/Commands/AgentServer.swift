import Daemon
import Glibc
import Kit
import PDF
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
  /// - Throws: `Failure` if config.toml has a mistake, or the program is missing.
  func start() throws(Failure) -> Never {
    let place = try Place(options)
    guard let program = WorkerConfiguration.locateExecutable(named: "commonplace-mcp"),
      let own = WorkerConfiguration.runningProgram
    else { throw place.voice.failure(.failed, Text("command.noProgram", ["name": "commonplace-mcp"])) }
    let limits: Configuration.Agents
    do throws(ConfigurationError) {
      limits = try Configuration.load(place.paths.configuration).agents
    } catch {
      throw place.voice.failure(error)
    }
    var arguments = [
      program, "--program", own, "--version", Version.current, "--allow", allow, "--name", name,
      "--commits-per-minute", String(limits.commitsPerMinute), "--items-per-commit", String(limits.itemsPerCommit),
      "--read-limit", String(limits.readLimit), "--answer-tokens", String(limits.answerTokens),
    ]
    for (option, value) in [
      ("--collections", collections), ("--library", place.options.library), ("--socket", place.options.socket),
    ] {
      if let value { arguments += [option, value] }
    }
    for folder in files { arguments += ["--files", folder] }
    for path in [place.paths.library, place.paths.state, place.paths.caches, folder(of: place.paths.configuration)] {
      arguments += ["--closed", path]
    }
    let words = arguments.map { strdup($0) }
    execv(program, words + [nil])
    throw place.voice.failure(.failed, Text("command.noProgram", ["name": "commonplace-mcp"]))
  }

  private func folder(of file: String) -> String {
    String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)])
  }
}
