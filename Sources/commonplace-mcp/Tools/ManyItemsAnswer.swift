import Wire

/// The reply of the daemon to a request for several items: which failed, and why.
struct ManyItemsAnswer {
  private let done: Int
  private let failed: [JSONValue]
  private let rest: Int

  private static let mostLines = 20

  /// Nil for the reply about one item.
  init?(_ reply: JSONValue) {
    guard let items = reply["items"]?.arrayValue, let failed = reply["failed"]?.arrayValue,
      failed.allSatisfy({ $0["id"]?.stringValue != nil && $0["failure"]?.objectValue != nil })
    else { return nil }
    done = items.count
    self.failed = failed
    rest = reply["rest"]?.arrayValue?.count ?? 0
  }

  /// Whether the method failed for every item.
  var hasFailed: Bool { done == 0 && !failed.isEmpty }

  /// How many of the items did not succeed; empty if all did.
  var summary: String {
    let count = done + failed.count
    var sentences: [String] = []
    if !failed.isEmpty { sentences.append("\(failed.count) of \(count) failed; the next block says which and why.") }
    if rest > 0 { sentences.append("\(rest) more were not reached: send the ids in `rest` again.") }
    return sentences.joined(separator: " ")
  }

  /// Each failure as a line, in the words of the daemon; nil if there is none.
  var lines: String? {
    guard !failed.isEmpty else { return nil }
    let lines = failed.prefix(Self.mostLines).map { entry in
      let failure = entry["failure"]
      let words = [failure?["message"], failure?["advice"]].compactMap { $0?.stringValue }.joined(separator: " ")
      let marks = [failure?["kind"], failure?["field"]].compactMap { $0?.stringValue }.joined(separator: ", ")
      return "- \(entry["id"]?.stringValue ?? ""): \(words)\(marks.isEmpty ? "" : " (\(marks))")"
    }
    let more = failed.count - lines.count
    return (lines + (more > 0 ? ["- \(more) more, which the structured content names."] : [])).joined(separator: "\n")
  }
}
