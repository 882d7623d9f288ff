import Display
import Wire

/// The paths of the daemon's files, by the XDG Base Directory Specification.
///
/// Depends only on the environment, the options and the `Machine`.
package struct Paths: Sendable, Equatable {
  /// Paths given on the command line. Relative paths start at the machine's current folder.
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
  /// The folder for data that can be generated or fetched again.
  package let caches: String
  /// The folder for data that outlives the daemon and belongs to no library: the log, the last clocks, the device id.
  package let state: String
  /// `config.toml`.
  package let configuration: String
  /// Messages for the log and the first client: a runtime folder that is not trusted.
  package let warnings: [Text]
  /// Whether the library, the state and the configuration are those of an environment without XDG variables.
  package let areUsual: Bool
  private let socketPath: String

  package var log: String { state + "/log" }
  /// The socket of a library that does not have the usual one.
  package var ownSocket: String { library + "/run/s" }

  /// - Throws: `PathsError` if a path needs the home folder and it is unknown, and for an empty option, which is a
  ///   mistake of a script and would create a library in the current folder.
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
    let usual = BaseFolders(environment: environment.filter { $0.key == "HOME" }, home: machine.home)
    areUsual =
      (try? usual.folder("XDG_DATA_HOME", ".local/share")) == library
      && (try? usual.folder("XDG_STATE_HOME", ".local/state")) == state
      && (try? usual.folder("XDG_CONFIG_HOME", ".config")).map { $0 + "/config.toml" } == configuration
    // Only one library can have the socket at which clients look first. The others, like a default library without a
    // runtime folder, have theirs inside and name it in their lock file.
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

  /// The path of the daemon's socket. Only called if a socket is needed: a private daemon's path may be longer.
  ///
  /// - Throws: `PathsError` for a path that does not fit into a socket address.
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

  /// Normalizes a path: without `.`, doubled and trailing slashes, so that another spelling of the default library's
  /// path is recognized. `..` is preserved, since its meaning depends on links.
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
    /// The home folder in the user database.
    let home: @Sendable () -> String?

    /// The folder named by a variable. Relative paths must be ignored according to the specification, and empty ones
    /// count as unset.
    func variable(_ name: String) -> String? {
      guard let path = environment[name], path.hasPrefix("/") else { return nil }
      return Paths.absolute(path, from: "/")
    }

    /// Our folder in the one that the variable names, otherwise in the default one below the home folder.
    func folder(_ name: String, _ usual: String) throws(PathsError) -> String {
      if let base = variable(name) { return Paths.joined(base, "commonplace") }
      guard let home = variable("HOME") ?? home().map({ Paths.absolute($0, from: "/") }) else {
        throw PathsError(text: Text("paths.noHome", ["variable": name]))
      }
      return Paths.joined(home, usual + "/commonplace")
    }
  }
}

/// Why a path could not be determined, as a message with advice.
package struct PathsError: Error, Equatable {
  package let text: Text
}
