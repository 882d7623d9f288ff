import Wire

/// Members that the params of every request may contain in addition to its own. The daemon reads them, not the method.
package struct RequestOptions: Payload {
  package var view: String?
  package var workDoneToken: JSONValue?
  package var partialResultToken: JSONValue?

  package static let example = RequestOptions(
    view: "search-as-you-type", workDoneToken: "fetch-1", partialResultToken: "hits-1")
  package static let fields = [
    "view": "A newer request of the same client, method and view ends this one with `superseded`.",
    "workDoneToken": "A string or integer chosen by the client, which `$/progress` uses to report progress.",
    "partialResultToken":
      "A string or integer chosen by the client. Methods that support it send parts of the result with `$/progress` as "
      + "they arrive.",
  ]
  package static let limits: [String: FieldLimits] = ["view": .length(1...256)]

  static let names = Set(fields.keys)

  package init(view: String? = nil, workDoneToken: JSONValue? = nil, partialResultToken: JSONValue? = nil) {
    self.view = view
    self.workDoneToken = workDoneToken
    self.partialResultToken = partialResultToken
  }

  /// Decodes the options of a request, ignoring other params.
  package init(of params: JSONValue) throws(RPCError) {
    self = try Self.decode(from: try named(params), strict: false)
    for (name, token) in [("workDoneToken", workDoneToken), ("partialResultToken", partialResultToken)] {
      switch token {
      case nil, .string, .integer: break
      case let other?: throw .wrongType(.field(.root, name), expected: "string or integer", found: other)
      }
    }
  }
}
