import Contract
import Wire

/// The parts of a list that follow the first one.
struct ListRemainder {
  let method: MethodDescription
  let conversation: Conversation

  /// A list that is not printed item by item is in memory; it ends after this number.
  private static let mostItems = 100_000

  /// The reply with the items of all parts. With `eachLine`, the items of all parts but the last are printed as they
  /// arrive, a line of JSON each, and the reply has the last ones.
  ///
  /// - Throws: `Failure` for a part that the daemon refuses.
  func completed(_ first: JSONValue, to params: JSONObject, eachLine: Bool) async throws(Failure) -> JSONValue {
    guard var whole = first.objectValue, var items = whole["items"]?.arrayValue else { return first }
    var reply = first
    var params = ListPaging.first(params, of: method)
    while items.count < Self.mostItems, let next = ListPaging.next(params, after: reply, of: method) {
      if eachLine {
        for item in items where !Terminal.write(json: item.description + "\n") { return .object(["items": []]) }
        items = []
      }
      params = next
      reply = try await conversation.ask(method.name, .object(params))
      items += reply["items"]?.arrayValue ?? []
      for name in ["hasMore", "next", "clock"] { whole[name] = reply[name] }
    }
    whole["items"] = .array(items)
    return .object(whole)
  }
}
