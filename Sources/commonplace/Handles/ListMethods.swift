import Contract
import Features
import Kit
import Store
import Synchronization

/// The methods that list the items of collections.
///
/// To describe a method, its params and results are probed, which for all methods takes longer than everything else that
/// a short command does. So only the methods of the collection's own feature that read are described, and only once.
enum ListMethods {
  private static let known = Mutex<[String: [MethodDescription]]>([:])

  /// The methods that list items of this collection without any param, and without network requests.
  static func methods(of collection: ItemCollection) -> [MethodDescription] {
    known.withLock { known in
      if let methods = known[collection.name] { return methods }
      let described = readers(of: collection.name).map(\.description)
      let methods = described.filter { lists($0, collection.shape()) }
      known[collection.name] = methods
      return methods
    }
  }

  /// The method that returns an item of this collection.
  static func method(returning collection: ItemCollection) -> MethodDescription? {
    let shape = collection.shape()
    return readers(of: collection.name).lazy.map(\.description).first { $0.result == shape }
  }

  private static func readers(of collection: String) -> [Route] {
    let feature = AllFeatures.features.first { $0.collections.contains { $0.name == collection } }
    return (feature?.routes ?? []).filter { route in
      switch route.body {
      case .read, .external: return !route.asksOutside
      case .control, .detached, .write, .longWrite: return false
      }
    }
  }

  static func lists(_ method: MethodDescription, _ shape: Shape) -> Bool {
    guard case .object(let params) = method.params, case .object(let result) = method.result else { return false }
    return !method.effects.contains(.network) && !method.effects.contains(.writes) && params.exactlyOne.isEmpty
      && params.fields.allSatisfy { $0.presence != .required } && result[field: "items"]?.shape == .array(shape)
  }
}
