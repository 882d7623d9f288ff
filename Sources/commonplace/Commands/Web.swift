import ArgumentParser

struct Web: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Open the library in a browser.",
    discussion: """
      Serves the page on 127.0.0.1 until Ctrl-C and prints its URL. The token in the URL \
      works once: after that only this browser is let in, and the next token is printed \
      for another. Other users of this computer are not let in at all.
      """)

  @Option(help: ArgumentHelp("The port. Default: 7717, or a free one if that is taken.", valueName: "number"))
  var port: Int?

  @Flag(help: "Open the URL in the desktop's browser.")
  var open = false

  @Option(
    help: ArgumentHelp("Read the page from this folder, for its developers.", valueName: "dir"),
    completion: .directory)
  var assets: String?

  @Option(
    help: ArgumentHelp(
      "Also answer feed readers of other devices at this address of this computer, such as 192.168.1.2:7718.",
      valueName: "address"))
  var apps: String?

  @OptionGroup var library: LibraryOptions

  func validate() throws {
    if let port, !(0...65_535).contains(port) { throw ValidationError("--port is a number up to 65535.") }
  }

  /// This process becomes the bridge, which finds the daemon with the command line's own program.
  func run() throws {
    let place = try Place(library.options)
    try BundledProgram(name: "commonplace-web", place: place).become { running in
      var arguments = ["--commonplace", running]
      if let port { arguments += ["--port", String(port)] }
      if open { arguments.append("--open") }
      if let apps { arguments += ["--apps", apps] }
      if let assets { arguments += ["--assets", AbsolutePath.of(assets, in: place.environment)] }
      return arguments
    }
  }
}
