import Contract
import Wire

/// How a list is paged through, by what its method takes and its replies state.
enum ListPaging {
  /// The params of the first part, which is as large as the method gives unless a size was given.
  static func first(_ params: JSONObject, of method: MethodDescription) -> JSONObject {
    var params = params
    if params["limit"] == nil, let most = method.params.field(at: ["limit"])?.limits.maximum {
      params["limit"] = .integer(Int64(most))
    }
    return params
  }

  /// The params of the part that follows a reply; nil at the end of the list.
  static func next(_ params: JSONObject, after reply: JSONValue, of method: MethodDescription) -> JSONObject? {
    guard reply["hasMore"] == true, let items = reply["items"]?.arrayValue, !items.isEmpty else { return nil }
    var params = params
    if let next = reply["next"], method.params.field(at: ["after"]) != nil {
      (params["after"], params["offset"]) = (next, nil)
    } else if method.params.field(at: ["offset"]) != nil {
      params["offset"] = .integer((reply["offset"]?.integerValue ?? 0) + Int64(items.count))
    } else {
      return nil
    }
    return params
  }
}
