import Display
import Wire

/// Where the daemon finds and keeps its files, by the XDG Base Directory Specification.
///
/// A function of the environment and the options alone; what else it must know of the machine is its `Machine`.
package struct Paths: Sendable, Equatable {
  /// What the command line may say otherwise. Relative paths start at the machine's current folder.
  package struct Options: Sendable, Equatable {
    package var library: String?
    package var socket: String?

    package init(library: String? = nil, socket: String? = nil) {
      self.library = library
      self.socket = socket
    }
  }

  /// The folder of the library, absolute.
  package let library: String
  /// For everything that can be made or fetched again.
  package let caches: String
  /// For what outlives the daemon and belongs to no library: the log, the last clocks, the device id.
  package let state: String
  /// `config.toml`.
  package let configuration: String
  /// What the daemon says in its log and to its first client: a runtime folder that it did not trust.
  package let warnings: [Text]
  private let socketPath: String

  package var log: String { state + "/log" }

  /// - Throws: when a path needs the home folder and nobody knows it, and for an option that is empty, which a script
  ///   gives by mistake and which would make a library of the current folder.
  package init(
    environment: [String: String], options: Options = Options(), machine: Machine = .this
  ) throws(PathsError) {
    for (name, value) in [("--library", options.library), ("--socket", options.socket)] where value?.isEmpty == true {
      throw PathsError(text: Text("paths.emptyOption", ["option": name]))
    }
    let folders = BaseFolders(environment: environment, home: machine.home)
    let usualLibrary = try folders.folder("XDG_DATA_HOME", ".local/share")
    library = options.library.map { Self.absolute($0, from: machine.currentFolder) } ?? usualLibrary
    caches = try folders.folder("XDG_CACHE_HOME", ".cache")
    state = try folders.folder("XDG_STATE_HOME", ".local/state")
    configuration = try folders.folder("XDG_CONFIG_HOME", ".config") + "/config.toml"
    // Only one library can have the socket that clients look for first. The others, like a default library without a
    // runtime folder, keep theirs inside and name it in their lock file.
    var socket = library + "/run/s"
    var warnings: [Text] = []
    if library == usualLibrary, let runtime = folders.variable("XDG_RUNTIME_DIR") {
      if machine.isPrivateFolder(runtime) {
        socket = Self.joined(runtime, "commonplace.sock")
      } else {
        warnings.append(Text("paths.runtimeFolder", ["path": runtime, "socket": socket]))
      }
    }
    if let given = options.socket {
      socket = Self.absolute(given, from: machine.currentFolder)
      warnings = []
    }
    socketPath = socket
    self.warnings = warnings
  }

  /// The longest path of a Unix socket in bytes: `sun_path` has 108, the last one is NUL.
  package static let longestSocketPath = 107

  /// Where the daemon listens. Asked for only by who needs a socket: a private daemon may lie as deep as it likes.
  ///
  /// - Throws: for a path that no socket address can hold.
  package func socket() throws(PathsError) -> String {
    let length = socketPath.utf8.count
    guard length <= Self.longestSocketPath else {
      throw PathsError(
        text: Text(
          "paths.socketTooLong",
          ["path": socketPath, "length": String(length), "limit": String(Self.longestSocketPath)]))
    }
    return socketPath
  }

  /// Without `.`, doubled and trailing slashes, so that one folder written in two ways is still the default library.
  /// `..` stays: what it means depends on links.
  private static func absolute(_ path: String, from folder: String) -> String {
    let full = path.hasPrefix("/") ? path : joined(folder, path)
    return "/" + full.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  fileprivate static func joined(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// The base folders of the specification.
  private struct BaseFolders {
    let environment: [String: String]
    /// What the user database says.
    let home: @Sendable () -> String?

    /// A variable that names a folder. Relative paths are to be ignored, says the specification, and empty ones are
    /// none.
    func variable(_ name: String) -> String? {
      guard let path = environment[name], path.hasPrefix("/") else { return nil }
      return Paths.absolute(path, from: "/")
    }

    /// Our folder in the one that the variable names, otherwise in the usual one below the home folder.
    func folder(_ name: String, _ usual: String) throws(PathsError) -> String {
      if let base = variable(name) { return Paths.joined(base, "commonplace") }
      guard let home = variable("HOME") ?? home().map({ Paths.absolute($0, from: "/") }) else {
        throw PathsError(text: Text("paths.noHome", ["variable": name]))
      }
      return Paths.joined(home, usual + "/commonplace")
    }
  }
}

/// Why there is no path, as a sentence that says what to do.
package struct PathsError: Error, Equatable {
  package let text: Text
}
