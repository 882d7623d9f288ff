/// The changes that a write would make; the member `dryRun` of its reply if the request has `dryRun: true`.
package struct DryRunReport: Payload {
  package var changes: [ChangePayload]?
  package var reset: [String]?

  package static let example = DryRunReport(changes: [.example], reset: nil)
  package static let fields = [
    "changes":
      "The items that would change, at most 1,000, as `changes/didCommit` would list them. Their revisions, and the ids of "
      + "new items, are those of this run only.",
    "reset": "The collections with changes, instead of `changes`, if more items would change.",
  ]

  package init(changes: [ChangePayload]?, reset: [String]?) {
    (self.changes, self.reset) = (changes, reset)
  }
}
