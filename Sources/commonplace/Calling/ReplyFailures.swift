import Contract
import Wire

/// The failed items of a reply.
///
/// Such a result has a list `failed` whose members have a `failure` each, preceded by the number of tried items, or
/// beside the `items` that did not fail. A list of items that have failures of their own does not count: reading an old
/// failure is not a failure.
///
/// An import instead has the number of `skipped` items, beside the other counts, and `notes` that name them.
struct ReplyFailures {
  let failed: Int
  let tried: Int
  /// Whether all items failed.
  let isAll: Bool

  /// Nil if nothing failed, or if the result has no failures.
  init?(_ reply: JSONValue, of shape: Shape) {
    guard case .object(let result) = shape else { return nil }
    if let skips = Self(ofImport: reply, result) {
      self = skips
      return
    }
    guard case .array(.object(let element))? = result[field: "failed"]?.shape, element[field: "failure"] != nil else {
      return nil
    }
    // Items that were not reached are not done either.
    let failed = ["failed", "rest"].reduce(0) { $0 + (reply[$1]?.arrayValue?.count ?? 0) }
    guard failed > 0 else { return nil }
    let counts = result.fields.filter { $0.shape == .integer }.compactMap { reply[$0.name]?.integerValue.map(Int.init) }
    self.failed = failed
    // Without a count, each item that did not fail is listed.
    tried = max(counts.first ?? failed + (reply["items"]?.arrayValue?.count ?? 0), failed)
    isAll = failed >= tried && counts.dropFirst().allSatisfy { $0 == 0 }
  }

  private static let fates = ["added", "updated", "known", "undecided"]

  private init?(ofImport reply: JSONValue, _ result: ObjectShape) {
    // Each note of an import says whether its item was skipped.
    let hasNotes = result.fields.contains { member in
      guard case .array(.object(let note)) = member.shape else { return false }
      return note[field: "skipped"] != nil
    }
    guard hasNotes, let skipped = reply["skipped"]?.integerValue.map(Int.init), skipped > 0 else { return nil }
    let others = Self.fates.compactMap { reply[$0]?.integerValue.map(Int.init) }.reduce(0, +)
    (failed, tried, isAll) = (skipped, skipped + others, others == 0)
  }
}
