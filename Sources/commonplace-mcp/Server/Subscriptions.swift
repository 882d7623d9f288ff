import Synchronization
import Wire

/// The changes of which the client wants to know: by `subscriptions/listen` of this revision, and by
/// `resources/subscribe` of the earlier one.
final class Subscriptions: Sendable {
  struct Filter: Sendable {
    var uris: Set<String> = []
    var followsList = false
  }

  private struct State {
    var filters: [RequestID: Filter] = [:]
    var legacy: Set<String> = []
    /// Whether a client of the earlier revision has listed resources.
    var legacyFollowsList = false
  }

  static let most = 16
  static let mostURIs = 256

  private let state = Mutex(State())
  private let output: Output
  private let permissions: Permissions

  init(_ output: Output, _ permissions: Permissions) {
    (self.output, self.permissions) = (output, permissions)
  }

  /// Opens a stream, acknowledged as its first message.
  ///
  /// - Throws: `ProtocolError` for too many streams or resources.
  func open(_ id: RequestID, _ params: JSONValue) throws(ProtocolError) {
    guard let wanted = params["notifications"]?.objectValue else {
      throw .invalidParams("params.notifications is required: an object")
    }
    let listed = wanted["resourceSubscriptions"].map(\.arrayValue) ?? []
    guard let named = listed, named.allSatisfy({ $0.stringValue != nil }) else {
      throw .invalidParams("resourceSubscriptions is a list of strings")
    }
    for name in ["toolsListChanged", "promptsListChanged", "resourcesListChanged"]
    where wanted[name].map({ $0.boolValue == nil }) ?? false {
      throw .invalidParams("\(name) is true or false")
    }
    guard named.count <= Self.mostURIs else {
      throw .invalidParams("A subscription names at most \(Self.mostURIs) resources")
    }
    let uris = named.compactMap(\.stringValue).filter { uri in
      ResourceLink(uri).map { permissions.admits($0.collection) } ?? false
    }
    let filter = Filter(uris: Set(uris), followsList: wanted["resourcesListChanged"]?.boolValue == true)
    var accepted: JSONObject = [:]
    if filter.followsList { accepted["resourcesListChanged"] = true }
    if !uris.isEmpty { accepted["resourceSubscriptions"] = .array(uris.map { .string($0) }) }
    let isOpen = state.withLock { state in
      guard state.filters.count < Self.most else { return false }
      // Acknowledged under the lock, so that no notification precedes it.
      output.send(
        Self.notification("subscriptions/acknowledged", ["notifications": .object(accepted)], stream: id))
      state.filters[id] = filter
      return true
    }
    guard isOpen else { throw .invalidParams("At most \(Self.most) subscriptions are open at once") }
  }

  func isOpen(_ id: RequestID) -> Bool { state.withLock { $0.filters[id] != nil } }

  /// Whether the stream was open.
  func close(_ id: RequestID) -> Bool {
    state.withLock { $0.filters.removeValue(forKey: id) != nil }
  }

  /// All streams end, with the answer to their requests.
  func closeAll() -> [RequestID] {
    state.withLock { state in
      defer { state.filters = [:] }
      return Array(state.filters.keys)
    }
  }

  func subscribe(_ uri: String) throws(ProtocolError) {
    guard ResourceLink(uri).map({ permissions.admits($0.collection) }) == true else {
      throw .invalidParams("There is no such resource", data: ["uri": .string(String(uri.prefix(512)))])
    }
    let hasRoom = state.withLock { state in
      guard state.legacy.count < Self.mostURIs else { return false }
      state.legacy.insert(uri)
      return true
    }
    guard hasRoom else { throw .invalidParams("At most \(Self.mostURIs) resources are subscribed to at once") }
  }

  /// A client of the earlier revision is notified of every change of the list, without a subscription.
  func followList() {
    state.withLock { $0.legacyFollowsList = true }
  }

  func unsubscribe(_ uri: String) {
    state.withLock { _ = $0.legacy.remove(uri) }
  }

  /// Reports changes; nil if everything may have changed.
  func report(_ changes: [JSONValue]?) {
    let keys = changes.map { changes in
      Set(changes.map { "\($0["collection"]?.stringValue ?? "")/\($0["id"]?.stringValue ?? "")" })
    }
    let isOfList =
      changes?.contains { change in
        change["kind"] != "updated" && permissions.admits(change["collection"]?.stringValue ?? "")
      } ?? true
    func concerns(_ uri: String) -> Bool {
      guard let keys else { return true }
      return ResourceLink(uri).map { keys.contains("\($0.collection)/\($0.id)") } ?? false
    }
    state.withLock { state in
      for (id, filter) in state.filters {
        for uri in filter.uris.sorted() where concerns(uri) {
          output.send(Self.notification("resources/updated", ["uri": .string(uri)], stream: id))
        }
        if filter.followsList, isOfList {
          output.send(Self.notification("resources/list_changed", [:], stream: id))
        }
      }
      for uri in state.legacy.sorted() where concerns(uri) {
        output.send(Self.notification("resources/updated", ["uri": .string(uri)], stream: nil))
      }
      if state.legacyFollowsList, isOfList {
        output.send(Self.notification("resources/list_changed", [:], stream: nil))
      }
    }
  }

  private static func notification(_ name: String, _ params: JSONObject, stream: RequestID?) -> [UInt8] {
    var params = params
    if let stream { params["_meta"] = ["io.modelcontextprotocol/subscriptionId": stream.json] }
    return MessageBytes.notification(method: "notifications/\(name)", params: .object(params))
  }
}
