import Wire

/// Where in the life of a long request a progress notification stands; the names are LSP's.
package enum ProgressStep: String, Sendable {
  case begin, report, end
}

/// The progress that has not left yet: for each token its beginning, the latest report, and its end.
///
/// A peer may miss reports, but sees every beginning before the rest and every end of what it saw begin. So it is never
/// more than three messages a token, and a peer that is over its limit is given no new beginnings.
struct ProgressQueue {
  private struct Entry {
    var token: RequestID
    var begin: [UInt8]?
    var report: [UInt8]?
    var end: [UInt8]?

    var isEmpty: Bool { begin == nil && report == nil && end == nil }

    mutating func popFirst() -> [UInt8]? {
      if begin != nil { return begin.take() }
      if report != nil { return report.take() }
      return end.take()
    }
  }

  private var entries: [Entry] = []
  /// The tokens that were begun here and not ended, whether their beginning has left or not.
  private var begun: Set<RequestID> = []

  var isEmpty: Bool { entries.isEmpty }

  /// Takes a step in, or drops it: reports and ends of what was never begun, and while there is no room everything but
  /// the ends that are owed.
  mutating func add(_ bytes: [UInt8], step: ProgressStep, token: RequestID, hasRoom: Bool) {
    switch step {
    case .begin:
      guard hasRoom else { return }
      begun.insert(token)
      entries.append(Entry(token: token, begin: bytes))
    case .report:
      guard hasRoom, begun.contains(token) else { return }
      entries[openEntry(of: token)].report = bytes
    case .end:
      guard begun.remove(token) != nil else { return }
      entries[openEntry(of: token)].end = bytes
    }
  }

  /// The next to leave; tokens in the order in which they had something to say.
  mutating func popFirst() -> [UInt8]? {
    guard !entries.isEmpty else { return nil }
    let bytes = entries[0].popFirst()
    if entries[0].isEmpty { entries.removeFirst() }
    return bytes
  }

  mutating func removeAll() {
    entries = []
    begun = []
  }

  /// A token may be used again while the end of its first use still waits; that one is closed to newer steps.
  private mutating func openEntry(of token: RequestID) -> Int {
    if let index = entries.lastIndex(where: { $0.token == token && $0.end == nil }) { return index }
    entries.append(Entry(token: token))
    return entries.count - 1
  }
}
