import Contract
import FoundationEssentials
import Glibc
import Wire

/// The text after `key=`, parsed as the method's field requires.
///
/// A text that cannot be parsed stays a text, so that the shape check refuses it by name.
struct PairValue {
  /// Nil for an unknown name.
  let field: ObjectShape.Field?
  let environment: [String: String]

  func value(of text: String) -> JSONValue {
    guard let field else { return .string(text) }
    return value(of: text, as: field.shape, form: field.limits.form)
  }

  private func value(of text: String, as shape: Shape, form: TextForm?) -> JSONValue {
    switch shape {
    case .string where form == .absolutePath, .text(.absolutePath):
      .string(AbsolutePath.of(text, in: environment))
    case .string, .text, .choice: .string(text)
    case .boolean:
      switch text {
      case "true": .bool(true)
      case "false": .bool(false)
      default: .string(text)
      }
    case .integer, .number: number(text) ?? .string(text)
    case .array(let element): list(text, of: element, form: form)
    case .any, .null, .dictionary, .object, .recursion: (try? JSONParser.parse(text)) ?? .string(text)
    }
  }

  private func number(_ text: String) -> JSONValue? {
    guard let value = try? JSONParser.parse(text), value.doubleValue != nil else { return nil }
    return value
  }

  private func list(_ text: String, of element: Shape, form: TextForm?) -> JSONValue {
    if text.first == "[", let list = try? JSONParser.parse(text), list.arrayValue != nil { return list }
    return .array([value(of: text, as: element, form: form)])
  }
}

extension Shape {
  var isList: Bool {
    if case .array = self { true } else { false }
  }
}

/// Paths as a shell's user means them. The daemon runs in another folder and accepts absolute paths only.
enum AbsolutePath {
  static func of(_ path: String, in environment: [String: String]) -> String {
    // A shell expands `~` at the beginning of a word, not after `key=`.
    var path = path
    if path == "~" || path.hasPrefix("~/"), let home = environment["HOME"], home.hasPrefix("/") {
      path = home + path.dropFirst()
    }
    guard !path.isEmpty else { return path }
    let folder = path.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath
    var whole = folder == "/" ? "" : folder
    // “backups/.” is “backups”.
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let parent = parent(of: whole) { whole = parent } else { whole += "/" + part }
    }
    return whole.isEmpty ? "/" : whole
  }

  /// The folder to which “..” leads: through a link, the parent of the folder that it leads to. Nil for a folder that
  /// does not exist, which is left to the system.
  private static func parent(of folder: String) -> String? {
    var information = stat()
    guard lstat(folder.isEmpty ? "/" : folder, &information) == 0 else { return nil }
    switch information.st_mode & S_IFMT {
    case S_IFDIR: return String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)])
    case S_IFLNK:
      guard let path = realpath(folder + "/..", nil) else { return nil }
      defer { free(path) }
      let real = String(cString: path)
      return real == "/" ? "" : real
    default: return nil
    }
  }

  /// Whether a path leads to a folder, through links too.
  static func isFolder(_ path: String) -> Bool {
    var information = stat()
    return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
  }
}

/// The input of this command.
enum Input {
  /// All of it, up to its end.
  static func all() -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(STDIN_FILENO, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return bytes }
      bytes += part[..<count]
    }
  }
}
