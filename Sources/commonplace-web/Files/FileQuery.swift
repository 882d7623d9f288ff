import Wire

/// The query of a `/file` URL: which method is called and what of its reply is the file.
struct FileQuery: Sendable {
  /// `documents/render`
  var method: String
  /// `{"id": "0192", "page": 2, "width": 1000}`
  var params: JSONObject
  /// The member of the reply that contains the path, such as `images.0.path`, or the bytes in base64, in `data`.
  var member: [String]
  /// The name under which a browser saves it; of an upload, the file's name.
  var name: String?
  /// The param of an upload that takes the bytes in base64.
  var field: String
  /// What requests for several files of one reply have in common, so that the method is called once for all of them.
  var reply: String?
  /// A URL with a version never answers anything else, so that the browser need not ask again.
  var isImmutable: Bool

  /// The header of an upload that contains its params, percent-encoded. Unlike a URL it may contain a password.
  static let paramsHeader = "commonplace-params"

  /// Parses `method=…&params=…`, percent-encoded; nil without a method, or if the params are no JSON object.
  ///
  /// - Parameter header: The value of `paramsHeader`, which replaces `params`.
  init?(_ query: Substring, paramsHeader header: String? = nil) {
    guard let values = Self.values(query), let method = values["method"], !method.isEmpty else { return nil }
    guard let text = header == nil ? values["params"] ?? "{}" : PercentEncoding.decoded(header!, isForm: true),
      let params = try? JSONParser.parse(Array(text.utf8)).objectValue
    else { return nil }
    self.method = method
    self.params = params
    let usual = params["inline"] == true ? "data" : "path"
    member = (values["member"] ?? usual).split(separator: ".").map(String.init)
    name = values["name"]
    field = values["field"] ?? "data"
    reply = values["reply"]
    isImmutable = values["v"] != nil
  }

  var containsBytes: Bool { member.last == "data" }

  /// The pairs of `application/x-www-form-urlencoded` text; nil if one is none, or is not UTF-8.
  static func values(_ text: Substring) -> [String: String]? {
    var values: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let value = PercentEncoding.decoded(parts[1], isForm: true) else { return nil }
      values[String(parts[0])] = value
    }
    return values
  }
}
