import FoundationEssentials
import Glibc
import Wire

/// The items of the last list that was shown in this terminal, so that the next command can name them by their
/// numbers.
///
/// A file of the session, named after its leading process, the start time of that, and the terminal; one item per
/// line:
///
///     {"id":"019a…","title":"A paper","collection":…}
struct TerminalList {
  /// As many items as a file holds.
  static let limit = 1_000
  private static let mostBytes = 1 << 20
  /// With more sessions the oldest are removed.
  private static let mostSessions = 64

  private let folder: String
  private var path: String { folder + "/" + session }
  private let session: String

  /// Nil for a process without a terminal, in which no list was shown.
  init?(_ place: Place) {
    guard let session = Self.session, let socket = try? place.paths.socket() else { return nil }
    self.session = session
    // The runtime folder if the daemon's socket is in it; else the library's own folder for such files.
    let inside = place.folder.run + "/lists"
    folder = socket.hasPrefix(place.paths.library + "/") || place.options.socket != nil ? inside : socket + ".lists"
  }

  /// `4711-90210-34816`: the leader of the session, its start in ticks since boot, and the terminal's number.
  private static var session: String? {
    guard let own = words(of: "self"), own[4] != "0", let leader = words(of: own[3]) else { return nil }
    return "\(own[3])-\(leader[19])-\(own[4])"
  }

  /// The fields of a process in /proc after its name, which may contain anything: state, parent, group, session,
  /// terminal.
  private static func words(of process: some StringProtocol) -> [Substring]? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return nil }
    let words = text[text.index(after: end)...].split(separator: " ")
    return words.count > 19 ? words : nil
  }

  /// The items by their numbers, from 1; empty if no list was shown.
  func read() -> [ListedItem] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_uid == geteuid(), information.st_size <= Self.mostBytes
    else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(information.st_size))
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return [] }
    return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").prefix(Self.limit).compactMap {
      (try? JSONParser.parse(String($0))).flatMap(ListedItem.init)
    }
  }

  /// Replaces the list, except by an empty one: after a search without a hit, the numbers are those of the list that is
  /// still on the screen. A list that cannot be written is no failure: the reply is shown all the same.
  func write(_ items: [ListedItem]) {
    if items.isEmpty { return }
    mkdir(parentFolder(of: folder), 0o700)
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { return }
    forgetOldSessions()
    let text = items.prefix(Self.limit).map { $0.json.description + "\n" }.joined()
    guard text.utf8.count <= Self.mostBytes else { return }
    var name = Array((path + ".XXXXXX").utf8CString)
    // Mode 0600 from the first moment, and not another user's link.
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { return }
    let isWhole = Terminal.write(text, to: descriptor)
    close(descriptor)
    if !isWhole || rename(name, path) != 0 { unlink(name) }
  }

  private func forgetOldSessions() {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder), names.count >= Self.mostSessions
    else { return }
    let files = names.map { name in
      var information = stat()
      return (
        path: folder + "/" + name, time: stat(folder + "/" + name, &information) == 0 ? information.st_mtim.tv_sec : 0
      )
    }
    for file in files.sorted(by: { $0.time < $1.time }).prefix(names.count - Self.mostSessions + 1) {
      unlink(file.path)
    }
  }
}
