import Wire

/// The kind of a progress notification of a long request, with the names of LSP.
package enum ProgressStep: String, Sendable {
  case begin, report, end
}

/// Unsent progress: for each token its beginning, the latest report, and its end.
///
/// A peer may miss reports, but gets every beginning before the rest, and the end of everything that it saw begin. So
/// there are never more than three messages per token, and a peer beyond its limit gets no new beginnings.
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
  /// The tokens that were begun and not ended, whether or not their beginning was sent.
  private var begun: Set<RequestID> = []

  var isEmpty: Bool { entries.isEmpty }

  /// Adds a step, or drops it: reports and ends of tokens that were never begun, and without room everything except the
  /// ends of begun tokens.
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

  /// The next message to send; tokens in the order of their first unsent step.
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

  /// A token may be reused while the end of its first use still waits: its newest entry is the one that is open.
  private mutating func openEntry(of token: RequestID) -> Int {
    if let index = entries.lastIndex(where: { $0.token == token }) { return index }
    entries.append(Entry(token: token))
    return entries.count - 1
  }
}
