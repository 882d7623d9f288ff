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
    let nearest = nearestName(to: method, among: routes.keys.sorted())
    throw RPCError(
      code: RPCError.Code.methodNotFound,
      text: nearest.map { Text("error.methodNotFound", ["method": method, "nearest": $0]) }
        ?? Text("error.methodNotFoundNoNearest", ["method": method]),
      data: nearest.map { ["method": .string(method), "nearest": .string($0)] } ?? ["method": .string(method)])
  }
}
