import HTTP
import Markup
import Wire

/// How a Discourse key is sent: in headers, never in a query.
enum DiscourseKey {
  @Sendable static func headers(_ secret: Secret) -> HTTPHeaders {
    // A user's key has hexadecimal digits only.
    guard let colon = secret.value.firstIndex(of: ":") else { return ["User-Api-Key": secret.value] }
    return [
      "Api-Username": String(secret.value[..<colon]),
      "Api-Key": String(secret.value[secret.value.index(after: colon)...]),
    ]
  }
}

/// How Discourse's responses are classified. It has three kinds of "too many requests", and an error in a success.
enum DiscourseResponses {
  @Sendable static func judge(_ response: HTTPResponse) -> ServiceDecision {
    if response.status == 429 { return .retryLater(after: wait(response)) }
    // An overloaded site finds nothing, and reports that inside a successful response.
    if response.status == 200, response.finalURL.target.contains("/search.json") {
      let answer = try? JSONParser.parse([UInt8](response.body))
      if let error = answer?["grouped_search_result"]?["error"], !error.isNull { return .retryLater(after: nil) }
    }
    return ServiceDecision.usual(response)
  }

  /// From the application: JSON with `extras.wait_seconds`. From a proxy before it: plain text, "retry again in N
  /// seconds". From the search: nothing. `Retry-After` is read by the client.
  private static func wait(_ response: HTTPResponse) -> Duration? {
    let body = [UInt8](response.body.prefix(1 << 16))
    if let answer = try? JSONParser.parse(body) {
      let extras = ServiceFields(answer["extras"])
      return extras?.count("wait_seconds").map { .seconds($0) }
    }
    let words = String(decoding: body.prefix(1000), as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard let place = words.indices.first(where: { words[$0].hasPrefix("second") && $0 > 0 }),
      let seconds = Int(words[place - 1]), seconds >= 0
    else { return nil }
    return .seconds(seconds)
  }
}

/// The categories of a forum, including subcategories.
enum DiscourseCategories {
  /// In the forum's order, each subcategory after its parent, whose name precedes its own.
  static func boards(_ categories: [JSONValue], inside outer: String? = nil, depth: Int = 0) -> [FetchedBoard] {
    var boards: [FetchedBoard] = []
    var names: [String: String] = [:]
    for category in categories {
      guard let fields = ServiceFields(category), let id = fields.id("id"), depth < 4 else { continue }
      let own = fields.text("name") ?? ""
      let parent = fields.id("parent_category_id").flatMap { names[$0] } ?? outer
      let name = parent.map { "\($0) / \(own)" } ?? own
      names[id] = name
      boards.append(FetchedBoard(id: id, displayName: name, total: fields.count("topic_count")))
      boards += Self.boards(fields.list("subcategory_list"), inside: name, depth: depth + 1)
    }
    var seen: Set<String> = []
    return boards.filter { seen.insert($0.id).inserted }
  }
}
