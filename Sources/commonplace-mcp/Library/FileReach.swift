import Glibc
import Wire

/// The files that an agent with the permission `files` may read and write: those below the folders that the user named,
/// but never the configuration, the state and the library of the daemon.
struct FileReach: Sendable {
  /// Without symbolic links, as `realPath` answers them.
  var folders: [String] = []
  var closed: [String] = []

  /// The params with paths that have no symbolic links: the daemon follows none (`session/confine`), so a link that
  /// somebody creates after this check leads nowhere.
  ///
  /// - Parameter paths: the params that are paths, or lists of them.
  /// - Throws: `ToolFailure` for a path that is out of reach.
  func resolved(_ params: JSONObject, paths names: [String]) throws(ToolFailure) -> JSONObject {
    var resolved = params
    for name in names {
      // The daemon refuses anything else.
      if let path = params[name]?.stringValue { resolved[name] = .string(try destination(path, of: name)) }
      guard let elements = params[name]?.arrayValue else { continue }
      var paths: [JSONValue] = []
      for element in elements {
        if let path = element.stringValue {
          paths.append(.string(try destination(path, of: name)))
        } else {
          paths.append(element)
        }
      }
      resolved[name] = .array(paths)
    }
    // `changes/resolve` has the URL of an item as its `value`.
    let urls = params["field"] == "url" ? ["url", "value"] : ["url"]
    for name in urls where params[name]?.stringValue.map(Self.isFileURL) ?? false {
      throw ToolArguments.failure(name, "\(name) is not for files; pass path.")
    }
    return resolved
  }

  /// Whether the daemon would read it as the URL of a file: it ignores blanks before it.
  private static func isFileURL(_ text: String) -> Bool {
    String(text.unicodeScalars.drop { !$0.properties.isAlphabetic }.prefix(5)).lowercased() == "file:"
  }

  private func destination(_ path: String, of name: String) throws(ToolFailure) -> String {
    guard !folders.isEmpty else {
      throw ToolArguments.failure(
        name, "This session may use no folder. Tell the user, who can start the server with --files and a folder.")
    }
    guard let real = Self.destination(of: path), folders.contains(where: { Self.contains($0, real) }) else {
      throw ToolArguments.failure(
        name,
        "\(name) is an absolute path of a file below \(folders.joined(separator: ", ")), in a folder that exists.")
    }
    // The daemon leaves out closed folders below this one.
    guard !closed.contains(where: { Self.contains($0, real) }) else {
      throw ToolArguments.failure(name, "\(name) is of the daemon's own folders, which are out of reach.")
    }
    return real
  }

  private static func contains(_ folder: String, _ path: String) -> Bool {
    sameBytes(folder, path) || path.utf8.starts(with: (folder.hasSuffix("/") ? folder : folder + "/").utf8)
  }

  /// The path without symbolic links; of a file that does not exist yet, in its folder. Nil if it leads nowhere.
  private static func destination(of path: String) -> String? {
    guard path.hasPrefix("/"), !path.utf8.contains(0) else { return nil }
    if let real = realPath(path) { return real }
    var status = stat()
    // A symbolic link to a file that does not exist would be followed by the one who creates it.
    guard lstat(path, &status) != 0, errno == ENOENT else { return nil }
    let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    guard let last = parts.last, last != ".", last != "..",
      let folder = realPath("/" + parts.dropLast().joined(separator: "/"))
    else { return nil }
    return folder.hasSuffix("/") ? folder + last : folder + "/" + last
  }

  /// - Returns: nil if there is no such file.
  static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(validatingCString: resolved)
  }
}
