import Client
import Contract
import Daemon
import Wire

/// The commits of a notification, as the log has them.
struct ReportedCommits {
  /// Whether the commits are undos or redos: an undo of an addition removes an item, but is not a removal to people.
  enum Turn {
    case undone, redone
  }

  /// For several commits reported as one, the time of the last and the names of all clients.
  private(set) var at: Instant?
  private(set) var client = ""
  /// The same names as the log has them.
  private(set) var names: [String] = []
  /// The method of these commits, if they have the same.
  private(set) var label: String?
  /// Nil for other commits, for several commits that differ in this, and if some of them are missing from the log.
  private(set) var turn: Turn?

  /// The most commits that the log returns at once.
  private static let most: Int64 = 500

  /// Missing data are left open: a change must be reported in any case.
  init(of params: JSONValue, asking client: Client) async {
    guard let since = params["since"]?.integerValue, let clock = params["clock"]?.integerValue else {
      self.init(log: [], since: 0, clock: 0)
      return
    }
    // And the commit before them, which shows that none of them is missing.
    let limit = min(max(clock - since, 1) + 1, Self.most)
    let log = try? await client.call("changes/log", ["after": .string(String(clock + 1)), "limit": .integer(limit)])
    self.init(log: log?["items"]?.arrayValue ?? [], since: since, clock: clock)
  }

  /// - Parameter log: from it, the commits after `since`, up to `clock`, newest first.
  init(log: [JSONValue], since: Int64, clock: Int64) {
    let commits = log.filter { ($0["clock"]?.integerValue ?? 0) > since }
    var names: [String] = []
    for name in commits.reversed().compactMap({ $0["client"]?.stringValue }) where !names.contains(name) {
      names.append(name)
    }
    at = commits.first?["at"]?.stringValue.flatMap(Instant.init)
    self.names = names.filter { !$0.isEmpty }
    client = LogLine.escaped(self.names.joined(separator: ", "))
    let labels = Set(commits.map { $0["label"]?.stringValue ?? "" })
    label = labels.count == 1 ? labels.first.flatMap { $0.isEmpty ? nil : $0 } : nil
    // The log omits searches, and drops its oldest commits.
    let isWhole = commits.count < log.count || Int64(commits.count) == clock - since
    let turns = Set(commits.map(Self.turn))
    turn = isWhole && turns.count == 1 ? turns.first ?? nil : nil
  }

  private static func turn(of commit: JSONValue) -> Turn? {
    switch commit["action"]?.stringValue {
    case "undo": .undone
    case "redo": .redone
    default: nil
    }
  }
}

extension ReportedCommits.Turn {
  /// The sentence about an undone or redone change.
  func text(of words: String) -> Text {
    switch self {
    case .undone: Text("watch.undone", ["what": words])
    case .redone: Text("watch.redone", ["what": words])
    }
  }

  /// The original change of an undo's or redo's change.
  func original(of change: JSONValue) -> JSONValue {
    guard self == .undone, var changed = change.objectValue else { return change }
    switch change["kind"] {
    case "added": changed["kind"] = "removed"
    case "removed": changed["kind"] = "added"
    default: break
    }
    return .object(changed)
  }
}
