import Client
import Contract
import Daemon
import Wire

/// The commits of which a notification tells, as the log has them.
struct ToldCommits {
  /// That what is told was done again the other way round: an undo of an addition removes, and is no removal to people.
  enum Turn {
    case undone, redone
  }

  /// Of several that are told as one, the last one's time and everybody's names.
  private(set) var at: Instant?
  private(set) var client = ""
  /// Nil of what somebody did, and of several commits that are not the same in this.
  private(set) var turn: Turn?

  /// An undo that was brought back and taken back over and over is followed so far.
  private static let longestChain = 20

  /// What is not known of them is left open: nothing is worse than a change of which nobody is told.
  init(of params: JSONValue, asking client: Client) async {
    guard let since = params["since"]?.integerValue, let clock = params["clock"]?.integerValue else { return }
    let log = await Self.log(through: clock, limit: min(max(clock - since, 1), 100), asking: client)
    let commits = log.filter { ($0["clock"]?.integerValue ?? 0) > since }
    var names: [String] = []
    for name in commits.reversed().compactMap({ $0["client"]?.stringValue }) where !names.contains(name) {
      names.append(name)
    }
    at = commits.first?["at"]?.stringValue.flatMap(Instant.init)
    self.client = LogLine.escaped(names.filter { !$0.isEmpty }.joined(separator: ", "))
    // Slices of one long undo among them, of which each says the same.
    var turns: [Turn?] = []
    for commit in commits where !turns.contains(nil) {
      let turn = await Self.turn(of: commit, asking: client)
      if !turns.contains(turn) { turns.append(turn) }
    }
    turn = turns.count == 1 ? turns[0] : nil
  }

  /// A commit says which one it took back. What took back an undo is a redo, and what took back that is an undo again.
  private static func turn(of commit: JSONValue, asking client: Client) async -> Turn? {
    var taken = commit["undoOf"]?.integerValue
    var steps = 0
    while let clock = taken, steps < longestChain {
      steps += 1
      // Of one that the log no longer knows nobody can tell.
      let log = await log(through: clock, limit: 1, asking: client)
      guard let before = log.first, before["clock"]?.integerValue == clock else { return nil }
      taken = before["undoOf"]?.integerValue
    }
    guard taken == nil, steps > 0 else { return nil }
    return steps.isMultiple(of: 2) ? .redone : .undone
  }

  /// Newest first.
  private static func log(through clock: Int64, limit: Int64, asking client: Client) async -> [JSONValue] {
    let params: JSONValue = ["after": .string(String(clock + 1)), "limit": .integer(limit)]
    let log = try? await client.call("changes/log", params)
    return log?["items"]?.arrayValue ?? []
  }
}

extension ToldCommits.Turn {
  /// What people call what is undone or redone.
  func text(of words: String) -> Text {
    switch self {
    case .undone: Text("watch.undone", ["what": words])
    case .redone: Text("watch.redone", ["what": words])
    }
  }

  /// The change that somebody had made, of the one that an undo or a redo made now.
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
