import Wire

/// Members that the params of every request may contain in addition to its own. The daemon reads them, not the method.
package struct RequestOptions: Payload {
  package var view: String?
  package var workDoneToken: JSONValue?
  package var partialResultToken: JSONValue?
  package var dryRun: Bool?
  package var reason: String?

  package static let example = RequestOptions(
    view: "search-as-you-type", workDoneToken: "fetch-1", partialResultToken: "hits-1", dryRun: true,
    reason: "The talk was moved to Friday.")
  package static let fields = [
    "view": "A newer request of the same client, method and view ends this one with `superseded`.",
    "workDoneToken": "A string or integer chosen by the client, which `$/progress` uses to report progress.",
    "partialResultToken":
      "A string or integer chosen by the client. Methods that support it send parts of the result with `$/progress` as "
      + "they arrive.",
    "dryRun":
      "`true`: a write is rolled back instead of committed, and its reply has the changes that it would have made as the "
      + "member `dryRun`. Methods that need the network, a worker or a file refuse it, unless they have a `dryRun` of their "
      + "own or are marked *dry run*.",
    "reason": "Why the change is made; `changes/log` shows it with the commit.",
  ]
  package static let limits: [String: FieldLimits] = ["view": .length(1...256), "reason": .length(1...500)]

  static let names = Set(fields.keys)

  package init(
    view: String? = nil, workDoneToken: JSONValue? = nil, partialResultToken: JSONValue? = nil, dryRun: Bool? = nil,
    reason: String? = nil
  ) {
    (self.view, self.workDoneToken, self.partialResultToken) = (view, workDoneToken, partialResultToken)
    (self.dryRun, self.reason) = (dryRun, reason)
  }
}
