import ArgumentParser
import Display
import Glibc
import Wire

struct Sync: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Share the library with other devices.",
    discussion: """
      Devices exchange encrypted files over a folder that another program carries, over \
      WebDAV or over S3. Name the place in [sync] of config.toml, then run on the first \
      device

        commonplace sync set-up

      which prints a code, and on every other one

        commonplace sync join

      which asks for it. Changes are exchanged by themselves from then on. Everybody who \
      has the code can read and change the library; the place of the files cannot.
      """,
    subcommands: [
      SetUp.self, Join.self, Run.self, Status.self, Conflicts.self, Settle.self, Pause.self, Resume.self, Code.self,
      Devices.self, Rename.self, Forget.self, Renew.self, Leave.self,
    ],
    defaultSubcommand: Status.self)

  /// Sends one request and shows its reply.
  @discardableResult
  fileprivate static func show(
    _ method: String, _ params: JSONObject = [:], _ output: OutputOptions, _ library: LibraryOptions
  ) async throws -> JSONValue {
    let place = try Place(library.options)
    return try await show(method, params, output, in: place)
  }

  @discardableResult
  fileprivate static func show(
    _ method: String, _ params: JSONObject, _ output: OutputOptions, in place: Place
  ) async throws -> JSONValue {
    let conversation = try await Conversation.open(place, from: .shared)
    let reply = try await conversation.askPatiently(method, .object(params))
    await conversation.end()
    output.output.show(reply, to: MethodNames.describe(method), in: place)
    if let code = reply["code"]?.stringValue { showPicture(of: code, output.output, place) }
    return reply
  }

  /// A QR code, for a device that has a camera. Bright letters on black whatever the terminal's colours are: readers
  /// expect dark modules on a light ground.
  private static func showPicture(of code: String, _ output: Output, _ place: Place) {
    guard Terminal.hasColors(place.environment), !output.isJSON, let lines = QRCode(code)?.lines,
      lines.allSatisfy({ $0.count <= Terminal.outputWidth })
    else { return }
    Terminal.write(lines.map { "\u{1B}[97;40m\($0)\u{1B}[0m\n" }.joined())
  }

  struct SetUp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set-up", abstract: "Share this library from now on, and print the code for other devices.")

    @Option(help: "The name of this device. Default: the machine's.")
    var name: String?

    @Flag(help: "Write everything anew: the files of the shared library are gone.")
    var again = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var library: LibraryOptions

    func run() async throws {
      var params: JSONObject = [:]
      params["name"] = name.map { .string($0) }
      if again { params["again"] = true }
      try await Sync.show("sync/setUp", params, output, library)
    }
  }

  struct Join: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "join", abstract: "Join a shared library with its code.",
      discussion: """
        The code is asked for on the terminal, or read from the first line of the input. \
        This library and the shared one need not be empty: both keep all that they have. \
        After “renew” on another device, this enters the new code.
        """)

    @Option(help: "The name of this device. Default: the machine's.")
    var name: String?

    @Flag(help: "Only count what would be exchanged.")
    var dryRun = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var library: LibraryOptions

    func run() async throws {
      let place = try Place(library.options)
      let prompt = SecretPrompt.terminal
      guard let code = prompt.isPossible ? prompt.ask("code") : readLine() else {
        throw place.voice.failure(.cancelled, Text("sync.badCode"))
      }
      var params: JSONObject = ["code": .string(code)]
      params["name"] = name.map { .string($0) }
      if dryRun { params["dryRun"] = true }
      try await Sync.show("sync/setUp", params, output, in: place)
    }
  }

  struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "run", abstract: "Exchange changes now.")

    @OptionGroup var output: OutputOptions
    @OptionGroup var library: LibraryOptions

    func run() async throws { try await Sync.show("sync/run", [:], output, library) }
  }

  struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status", abstract: "Show the state, and when each device was last heard.")

    @Flag(help: "End with the status 5 if there are conflicts between devices, for scripts.")
    var check = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var library: LibraryOptions

    func run() async throws {
      let status = try await Sync.show("sync/status", [:], output, library)
      if check, status["conflicts"]?.integerValue ?? 0 > 0 { Glibc.exit(ExitStatus.conflict.rawValue) }
    }
  }

  struct Conflicts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show what two devices changed differently, both versions side by side.",
      discussion: """
        The item has the version of this library until you choose one. The numbers are for \
        the next command of this terminal:

          commonplace sync settle %1 theirs
        """)

    @OptionGroup var output: OutputOptions
    @OptionGroup var library: LibraryOptions

    func run() async throws {
      let place = try Place(library.options)
      let conversation = try await Conversation.open(place, from: .shared)
      let reply = try await DeviceConflicts.list(conversation)
      await conversation.end()
      guard Terminal.isOutput, !output.json else {
        return output.output.show(reply, to: DeviceConflicts.method, in: place)
      }
      Terminal.write(DeviceConflicts(reply, in: place).text)
    }
  }

  struct Settle: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Choose a version of a conflict.",
      discussion: """
        “ours” keeps what this library has, “theirs” takes the version of the other device, \
        and “both” combines two texts or two lists. The conflict is over on all devices \
        after their next exchange; “commonplace undo” brings it back here.

          commonplace sync conflicts
          commonplace sync settle %1 theirs
        """)

    @Argument(
      help: ArgumentHelp("%3 from the last list, or the id or title of its item.", valueName: "item"),
      completion: ItemArgument.completion)
    var item: String

    @Argument(help: ArgumentHelp("ours, theirs or both.", valueName: "version"))
    var version: DeviceConflicts.Version

    @OptionGroup var output: OutputOptions
    @OptionGroup var library: LibraryOptions

    func run() async throws {
      let place = try Place(library.options)
      let conversation = try await Conversation.open(place, from: .shared)
      let list = DeviceConflicts(try await DeviceConflicts.list(conversation), in: place)
      let conflict = try list.conflict(named: item)
      var params: JSONObject = ["take": .string(version.rawValue)]
      for name in ["collection", "field", "source"] { params[name] = conflict[name] }
      params["id"] = conflict["item"]
      let reply = try await conversation.ask("changes/resolve", .object(params))
      await conversation.end()
      guard Terminal.isOutput, !output.json else {
        return output.output.show(reply, to: MethodNames.describe("changes/resolve"), in: place)
      }
      Terminal.write(list.settled(conflict))
    }
  }

  struct Pause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Exchange changes only on “sync run” from now on.",
      discussion: "“sync resume” starts the schedule again.")

    @OptionGroup var output: OutputOptions
    @OptionGroup var library: LibraryOptions

    func run() async throws { try await Sync.show("sync/pause", ["paused": true], output, library) }
  }

  struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Exchange changes by themselves again.")

    @OptionGroup var output: OutputOptions
    @OptionGroup var library: LibraryOptions

    func run() async throws { try await Sync.show("sync/pause", ["paused": false], output, library) }
  }

  struct Code: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "code", abstract: "Print the code for other devices.")

    @OptionGroup var output: OutputOptions
    @OptionGroup var library: LibraryOptions

    func run() async throws { try await Sync.show("sync/code", [:], output, library) }
  }

  struct Devices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the devices with their ids, and when each was last heard.")

    @OptionGroup var output: OutputOptions
    @OptionGroup var library: LibraryOptions

    func run() async throws { try await Sync.show("sync/devices", [:], output, library) }
  }

  struct Rename: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Give this device another name.")

    @Argument(help: "The new name.")
    var name: String

    @OptionGroup var output: OutputOptions
    @OptionGroup var library: LibraryOptions

    func run() async throws { try await Sync.show("sync/updateDevice", ["name": .string(name)], output, library) }
  }

  struct Forget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Take a device that is gone out of the list.")

    @Argument(help: "Its id, as “devices” lists it.")
    var id: String

    @OptionGroup var output: OutputOptions
    @OptionGroup var library: LibraryOptions

    func run() async throws { try await Sync.show("sync/forgetDevice", ["id": .string(id)], output, library) }
  }

  struct Renew: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Replace the code, after a device was lost or given away.",
      discussion: """
        The lost device gets nothing more, and what it writes is ignored. What it has read it \
        still has: change the password of the server too. All other devices say that they \
        need the new code; enter it there with “join”.
        """)

    @Flag(help: "Also if the target has files that cannot be read; what only the lost device wrote into them is lost.")
    var force = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var library: LibraryOptions

    func run() async throws { try await Sync.show("sync/renew", force ? ["force": true] : [:], output, library) }
  }

  struct Leave: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "leave", abstract: "Share this library no longer; it stays as it is.")

    @OptionGroup var output: OutputOptions
    @OptionGroup var library: LibraryOptions

    func run() async throws { try await Sync.show("sync/leave", [:], output, library) }
  }
}

extension DeviceConflicts.Version: ExpressibleByArgument {}
