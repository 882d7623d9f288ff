import Contract
import Features
import Wire

/// All methods by name.
struct Router: Sendable {
  let routes: [String: Route]

  init(_ features: [Feature]) {
    var routes: [String: Route] = [:]
    for route in features.flatMap(\.routes) {
      precondition(routes.updateValue(route, forKey: route.name) == nil, "two methods are named \(route.name)")
    }
    self.routes = routes
  }

  /// The route, or an error that names the nearest method there is.
  func route(_ method: String) throws(RPCError) -> Route {
    if let route = routes[method] { return route }
    var text = Text("error.methodNotFoundNoNearest", ["method": method])
    var data: JSONObject = ["method": .string(method)]
    if let nearest = likelyName(for: method, among: routes.keys.sorted()) {
      text = Text("error.methodNotFound", ["method": method, "nearest": nearest])
      data["nearest"] = .string(nearest)
    }
    throw RPCError(code: RPCError.Code.methodNotFound, text: text, data: data)
  }
}
