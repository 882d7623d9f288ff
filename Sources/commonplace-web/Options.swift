import Wire

/// The arguments with which `commonplace web` starts this program.
struct Options: Sendable {
  /// `commonplace` itself, which finds the daemon and starts it.
  var commonplace = ""
  /// `--library DIR` and `--socket PATH`, as given to `commonplace web`.
  var library: [String] = []
  /// Nil for the usual port, or a free one where another program has that.
  var port: Int?
  var opensBrowser = false
  /// A folder to read the page from, instead of the files in this program.
  var assets: String?
  /// Where the apps of other devices are answered as well.
  var apps: AppAddress?

  init(_ arguments: some Sequence<String>) throws(BridgeFailure) {
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      if argument == "--open" {
        opensBrowser = true
        continue
      }
      guard let value = arguments.next() else { throw .usage(argument) }
      switch argument {
      case "--apps":
        guard let address = AppAddress(value) else { throw .usage(argument) }
        apps = address
      case "--assets": assets = value
      case "--commonplace": commonplace = value
      case "--library", "--socket": library += [argument, value]
      case "--port":
        guard let number = Int(value), (0...65_535).contains(number) else { throw .usage(argument) }
        port = number
      default: throw .usage(argument)
      }
    }
    guard !commonplace.isEmpty else { throw .usage("--commonplace") }
  }
}
