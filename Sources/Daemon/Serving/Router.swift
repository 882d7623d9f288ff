import Contract
import Kit
import Store
import Wire

/// All methods by name.
struct Router: Sendable {
  let routes: [String: Route]
  /// The clients' notifications with a handler, by name.
  let handlers: [String: NotificationHandler]
  private let names: [String]
  /// The features' notifications of a new day of the library.
  let dayTurned: [Feature.DayTurned]
  /// The features' notifications for a client that is notified from now on.
  let clientStarted: [@Sendable (Snapshot) throws -> [Notice]]

  init(_ features: [Feature]) {
    var routes: [String: Route] = [:]
    for route in features.flatMap(\.routes) {
      precondition(routes.updateValue(route, forKey: route.name) == nil, "two methods are named \(route.name)")
    }
    self.routes = routes
    var handlers: [String: NotificationHandler] = [:]
    for handler in features.flatMap(\.handlers) {
      precondition(
        handlers.updateValue(handler, forKey: handler.name) == nil, "two handlers are named \(handler.name)")
    }
    self.handlers = handlers
    names = routes.keys.sorted()
    dayTurned = features.compactMap(\.dayTurned)
    clientStarted = features.compactMap(\.clientStarted)
  }

  /// The route, or an error that names the nearest method.
  func route(_ method: String) throws(RPCError) -> Route {
    if let route = routes[method] { return route }
    var text = Text("error.methodNotFoundNoNearest", ["method": method])
    var data: JSONObject = ["method": .string(method)]
    if let nearest = likelyName(for: method, among: names) {
      text = Text("error.methodNotFound", ["method": method, "nearest": nearest])
      data["nearest"] = .string(nearest)
    }
    throw RPCError(code: RPCError.Code.methodNotFound, text: text, data: data)
  }
}
