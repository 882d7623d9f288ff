import ArgumentParser
import Contract
import Daemon
import Display
import Features
import Kit
import Wire

struct Describe: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "describe",
    abstract: "Explain the methods of the protocol.",
    discussion: """
      Without a name, lists all methods, one per line. With an area, lists its methods. \
      With a method, explains its parameters and reply, with an example. With config.toml, \
      explains that file, and with exit-status, the exit statuses. Needs no daemon.

        commonplace describe
        commonplace describe projects
        commonplace describe documents/render
        commonplace describe config.toml
        commonplace describe exit-status
      """)

  @Argument(
    help: "A method, an area such as projects, config.toml, or exit-status.",
    completion: .custom { _, _, prefix in (MethodNames.all + MethodNames.areas).filter { $0.hasPrefix(prefix) } })
  var name: String?

  @Flag(help: "Print the whole protocol as Markdown, or as an OpenRPC document.")
  var document: Document?

  enum Document: String, EnumerableFlag {
    case markdown
    case openrpc

    static func name(for value: Document) -> NameSpecification { .customLong(value.rawValue) }
  }

  func validate() throws {
    if name != nil, document != nil {
      throw ValidationError("A document is of the whole protocol; leave out the name.")
    }
  }

  func run() throws {
    let features = AllFeatures.features
    if let document {
      let voice = try Place().voice
      let reference = Protocol.reference(of: features, catalogue: voice.catalogue)
      switch document {
      case .markdown: Terminal.write(reference.markdown)
      case .openrpc:
        Terminal.write(
          PrettyJSON.text(
            of: reference.openRPC(
              title: "Commonplace", version: Version.current,
              words: { voice.catalogue.word($0, in: voice.reader.language) })) + "\n")
      }
      return
    }
    guard let name else {
      Terminal.write(MethodList.text(of: MethodNames.routes, columns: Terminal.outputWidth))
      return
    }
    if name == "config.toml" {
      Terminal.write(Configuration.page)
    } else if name == "exit-status" {
      Terminal.write(ExitStatus.table + "\n")
    } else if let description = MethodNames.describe(name) {
      Terminal.write(MethodPage(description, width: Terminal.outputWidth).text)
    } else if MethodNames.areas.contains(name) {
      let routes = MethodNames.routes.filter { methodArea(of: $0.name) == name }
      Terminal.write(MethodList.text(of: routes, columns: Terminal.outputWidth))
    } else {
      throw try Place().voice.failure(.unknownMethod(name, commands: Commonplace.commandNames))
    }
  }
}
