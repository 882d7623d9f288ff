import ArgumentParser

struct MCP: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Serve an agent over the Model Context Protocol.",
    discussion: """
      An agent may read the library, and only what --allow names besides. Every change \
      is a commit of its own under the name of the session, such as “agent/4f1c09ab”: \
      “commonplace call changes/log client=agent/4f1c09ab” lists them, and “commonplace \
      undo --client agent/4f1c09ab” takes all of them back. Limits are in config.toml.

        commonplace mcp
        commonplace mcp --allow write --collections diary,projects
      """)

  @Option(
    help: ArgumentHelp(
      "What the agent may do: read, write, destroy, network, files; several with commas.", valueName: "effects"))
  var allow: String = "read"

  @Option(help: ArgumentHelp("The collections that it may see, with commas. Default: all.", valueName: "names"))
  var collections: String?

  @Option(
    help: ArgumentHelp("A folder whose files it may read and write, with “files”; may be repeated.", valueName: "dir"),
    completion: .directory)
  var files: [String] = []

  @Option(help: ArgumentHelp("The name under which its changes are logged.", valueName: "name"))
  var name: String = "agent"

  @OptionGroup var library: LibraryOptions

  func run() async throws {
    try AgentServer(
      allow: allow, collections: collections, files: files, name: name, options: library.options
    ).start()
  }
}
