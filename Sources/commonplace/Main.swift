import ArgumentParser
import Contract
import Daemon
import FoundationEssentials
import Glibc
import Kit
import Wire

/// Runs the command that the arguments name, and turns any error into one sentence and an exit status.
@main
enum Main {
  // Not `async`: that starts threads, which `--version` can do without.
  static func main() {
    if CommandLine.arguments.count == 2, ["--version", "version"].contains(CommandLine.arguments[1]) {
      Terminal.write(Version.current + "\n")
      exit(ExitStatus.success.rawValue)
    }
    // Detached: a task of this function would wait for the main thread.
    Task.detached { await run() }
    while true { pause() }
  }

  private static func run() async -> Never {
    // A closed output (`commonplace watch | head -1`) is reported as an error of `write`, never as a signal.
    signal(SIGPIPE, SIG_IGN)
    // A file size limit is reported as an error of `write` too, like a full disk.
    signal(SIGXFSZ, SIG_IGN)
    do {
      if try await !runPlainCommand() { try await runCommand() }
    } catch let failure as Failure {
      end(failure)
    } catch {
      end(parsing: error)
    }
    exit(ExitStatus.success.rawValue)
  }

  private static func runCommand() async throws {
    var command: any ParsableCommand
    do {
      command = try Commonplace.parseAsRoot(parsedArguments)
    } catch {
      if let name = CommandLine.arguments.dropFirst().first { try refuseUnknownCommand(name) }
      throw error
    }
    if var command = command as? any AsyncParsableCommand {
      try await command.run()
    } else {
      try command.run()
    }
  }

  /// The arguments for the parser, with words such as `-draft` of a search after `--`: they are not options, and the
  /// reply explains how to exclude a word.
  private static var parsedArguments: [String] {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.first == "search", !arguments.contains("--") else { return arguments }
    let isSigned = { (word: String) in word.hasPrefix("-") && word != "-h" && word.dropFirst().first?.isLetter == true }
    let signed = arguments.filter(isSigned)
    return signed.isEmpty ? arguments : arguments.filter { !isSigned($0) } + ["--"] + signed
  }

  /// Runs a command in its usual form for editors and scripts. The parser takes longer than all of these do.
  ///
  /// - Returns: false for any other command, which is left to the parser.
  private static func runPlainCommand() async throws -> Bool {
    let arguments = CommandLine.arguments.dropFirst()
    guard let command = arguments.first else {
      Terminal.write(Overview.text)
      return true
    }
    switch command {
    case "help" where arguments.count == 1, "--help" where arguments.count == 1, "-h" where arguments.count == 1:
      Terminal.write(Overview.text)
    case "help":
      // The parser would explain the program.
      try refuseUnknownCommand(arguments[arguments.startIndex + 1])
      return false
    case "call":
      guard let call = MethodCall(plain: arguments.dropFirst()) else { return false }
      try await call.run()
    case "mcp":
      guard let server = AgentServer(plain: arguments.dropFirst()) else { return false }
      try server.start()
    case "serve":
      guard let serving = Serving(plain: arguments.dropFirst()) else { return false }
      try await serving.run()
    default:
      guard let form = ShortForm.all[command], arguments.dropFirst().allSatisfy({ $0 == "-" || !$0.hasPrefix("-") })
      else { return false }
      try await form.run(Array(arguments.dropFirst()), Output(), locale: nil, Paths.Options())
    }
    return true
  }

  /// The parser calls it an unexpected argument.
  private static func refuseUnknownCommand(_ name: String) throws {
    let names = Commonplace.commandNames + ["help"]
    let isMisplaced = ["--json", "--library", "--locale", "--socket"].contains {
      name == $0 || name.hasPrefix($0 + "=")
    }
    guard isMisplaced || !(name.hasPrefix("-") || names.contains(name)) else { return }
    let voice = try Voice(environment: ProcessInfo.processInfo.environment, locale: givenLocale())
    if isMisplaced {
      let option = String(name.prefix { $0 != "=" })
      throw voice.failure(.usage, Text("command.optionBeforeCommand", ["option": option]))
    }
    if name.contains("/"), let method = MethodNames.describe(name)?.name ?? MethodNames.likely(for: name) {
      throw voice.failure(.usage, Text("command.methodAsCommand", ["name": name, "method": method]))
    }
    let meaning = CommandMeanings.command(for: name)
    if meaning == nil, MethodNames.areas.contains(name) {
      throw voice.failure(.usage, Text("command.areaAsCommand", ["name": name]))
    }
    let methods = meaning == nil ? MethodNames.named(CommandMeanings.verb(for: name)) : []
    if let first = methods.first {
      let text = Text(
        "command.verbAsCommand", ["name": name, "methods": methods.joined(separator: ", "), "method": first])
      throw voice.failure(.usage, text)
    }
    guard let likely = meaning ?? likelyName(for: name, among: names) else {
      throw voice.failure(.usage, Text("command.unknownCommand", ["name": name]))
    }
    throw voice.failure(.usage, Text("command.unknownCommandNearest", ["name": name, "nearest": likely]))
  }

  private static func end(_ failure: Failure) -> Never {
    if wantsJSON, !failure.sentence.isEmpty {
      Terminal.write(json: failure.json.description + "\n", to: STDERR_FILENO)
      exit(failure.status.rawValue)
    }
    if !failure.sentence.isEmpty { Terminal.say("commonplace: \(failure.sentence)") }
    for line in failure.details { Terminal.say(line) }
    exit(failure.status.rawValue)
  }

  /// Whether programs read this command's output, including failures.
  private static var wantsJSON: Bool {
    CommandLine.arguments.dropFirst().prefix { !sameBytes($0, "--") }.contains { ["--json", "--lines"].contains($0) }
  }

  /// The language that the arguments request, though they could not be parsed.
  private static func givenLocale() -> String? {
    let arguments = CommandLine.arguments
    if let place = arguments.firstIndex(of: "--locale") { return arguments.dropFirst(place + 1).first }
    return arguments.first { $0.hasPrefix("--locale=") }.map { String($0.dropFirst("--locale=".count)) }
  }

  /// Help and versions were requested and go to the output; any other error of the parser is a usage error.
  private static func end(parsing error: any Error) -> Never {
    let message = Commonplace.fullMessage(for: error)
    guard Commonplace.exitCode(for: error) == .success else {
      let voice = try? Voice(environment: ProcessInfo.processInfo.environment, locale: givenLocale())
      if wantsJSON {
        let mistake = Commonplace.message(for: error)
        Terminal.write(json: Failure(.usage, mistake).json.description + "\n", to: STDERR_FILENO)
        exit(ExitStatus.usage.rawValue)
      }
      Terminal.say(voice.map { voice in ParserError(message: message).sentences { voice.sentence($0) } } ?? message)
      exit(ExitStatus.usage.rawValue)
    }
    Terminal.write(message + (message.hasSuffix("\n") ? "" : "\n"))
    exit(ExitStatus.success.rawValue)
  }
}
