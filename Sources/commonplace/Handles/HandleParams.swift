import Contract
import Store
import Wire

/// Params with handles in the place of ids.
///
/// The text of such a param may be an id after all. If the method refuses it as unknown, which changes nothing, it is
/// looked up then. A filter, which would only find nothing, and an element of a list of ids are looked up before the
/// call.
struct HandleParams {
  /// A param that may be a handle.
  private struct IDParam {
    var field: ObjectShape.Field
    var isNeeded: Bool
    /// The position in a list of ids.
    var index: Int?
    var handle: Handle
  }

  private let method: MethodDescription
  private let place: Place
  private(set) var params: JSONObject
  private var open: [IDParam] = []
  /// The documents of marks that were named by their numbers: a method of documents may refer to those.
  private var documents: [(param: IDParam, id: String)] = []

  init(_ params: JSONObject, of method: MethodDescription, in place: Place) throws(Failure) {
    (self.params, self.method, self.place) = (params, method, place)
    guard case .object(let shape) = method.params else { return }
    for field in shape.fields where field.isIDField {
      let isOwn = sameBytes(field.name, "id") && !shape.needs(field.name) && method.effects.contains(.writes)
      let texts = params[field.name].map { $0.arrayValue ?? [$0] } ?? []
      for (index, text) in texts.enumerated() {
        guard let text = text.stringValue, !ShortIDs.isUUID(text) else { continue }
        let handle = Handle(text)
        // The id of a new item is chosen by the caller.
        if isOwn, case .maybeID = handle { continue }
        open.append(
          IDParam(
            field: field, isNeeded: shape.needs(field.name),
            index: params[field.name]?.arrayValue == nil ? nil : index, handle: handle))
      }
    }
    try resolveNames(in: shape)
    try resolveFromList()
  }

  /// A param that takes an item by its id or title as a text, such as `board`, may be a number too, if that item of the
  /// list is of the collection with its name.
  private mutating func resolveNames(in shape: ObjectShape) throws(Failure) {
    func isNamed(_ collection: String, _ field: ObjectShape.Field) -> Bool {
      collection.lowercased().hasSuffix(field.name.lowercased() + "s")
    }
    for field in shape.fields where field.shape == .string && !field.isIDField {
      guard case .number(let number)? = params[field.name]?.stringValue.map(Handle.init),
        place.voice.collections.contains(where: { isNamed($0.name, field) })
      else { continue }
      let items = TerminalList(place)?.read() ?? []
      guard number <= items.count else { throw place.notListed(number) }
      let item = items[number - 1]
      if let collection = item.collection, isNamed(collection, field) { params[field.name] = .string(item.id) }
    }
  }

  /// Items shown on this terminal have precedence.
  private mutating func resolveFromList() throws(Failure) {
    guard !open.isEmpty else { return }
    let items = TerminalList(place)?.read() ?? []
    for param in open {
      switch param.handle {
      case .number(let number):
        guard number <= items.count else { throw place.notListed(number) }
        let item = items[number - 1]
        // A removal must mean exactly the item that the number shows.
        if let document = item.document, !method.effects.contains(.destroys) { documents.append((param, document)) }
        set(item.id, at: param)
      case .maybeID(let text):
        let found = Set(items.map(\.id).filter { ShortIDs.matches(text, $0) })
        if found.count == 1, let id = found.first { set(id, at: param) }
      case .title: break
      }
    }
  }

  /// The params for the check of their shape, before the titles in them are looked up by the daemon.
  var checkable: JSONObject {
    var copy = self
    for param in open { if case .title = param.handle { copy.set(TextForm.id.sample, at: param) } }
    return copy.params
  }

  /// Whether a handle has to be looked up before the call.
  var needsLookup: Bool { open.contains { !isTried($0) } }
  /// Whether a handle may be looked up after the method did not find the item.
  var mayBeLookedUp: Bool { !open.isEmpty || !documents.isEmpty }

  /// What is wrong if the only handle is no item's id or title. An id of the daemon's own is reported by the method.
  func unknown(by lookup: ItemLookup) async -> Failure? {
    guard open.count == 1, let param = open.first, !ShortIDs.isUUID(param.handle.text) else { return nil }
    let preferred = preferred(for: param.field, lookup.collections)
    return place.noItem(param.handle.text, similar: await lookup.similar(to: param.handle, in: preferred))
  }

  /// Whether the lookup waits for the method to report an unknown id. An unknown one of several fails alone, and a
  /// filter only finds nothing.
  private func isTried(_ param: IDParam) -> Bool {
    guard case .maybeID(let text) = param.handle else { return false }
    return param.index == nil && (param.isNeeded || !ShortIDs.mayBePart(text))
  }

  /// - Parameter all: also the handles that were tried as ids.
  /// - Throws: `Failure` if several items match, or if none has the title.
  mutating func resolve(all: Bool, by lookup: ItemLookup) async throws(Failure) {
    if all { for (param, document) in documents { set(document, at: param) } }
    for param in open where all || !isTried(param) {
      let preferred = self.preferred(for: param.field, lookup.collections)
      let found: [ListedItem]
      do {
        let candidates = try await lookup.candidates(for: param.handle, in: preferred)
        // A removal must mean exactly one item.
        found = method.effects.contains(.destroys) ? candidates : candidates.preferringOpen
      } catch {
        throw place.voice.failure(error)
      }
      let ids = Set(found.map(\.id))
      // A write to `card-1`, which somebody has removed, must not change `card-10`.
      let isPartOfOwn = method.effects.contains(.writes) && found.contains { $0.isBegun(by: param.handle) }
      guard ids.count <= 1, !isPartOfOwn else { throw place.ambiguous(param.handle.text, found) }
      if let id = ids.first {
        set(id, at: param)
      } else if case .title(let title) = param.handle {
        throw place.noItem(title, similar: await lookup.similar(to: param.handle, in: preferred))
      }
    }
  }

  /// The collections that an id may belong to, by the names of the field and the method.
  private func preferred(for field: ObjectShape.Field, _ collections: [ItemCollection]) -> [String] {
    guard sameBytes(field.name, "id") else {
      return collections.map(\.name).filter { sameBytes($0, field.name) || sameBytes($0, field.name + "s") }
    }
    let results = collections.filter { $0.shape() == method.result }
    guard results.isEmpty else { return results.map(\.name) }
    return collections.filter { sameBytes($0.name, method.area) || $0.isSilent && isListed($0) }.map(\.name)
  }

  /// Whether a method of the same area lists the collection: only those mean past searches.
  private func isListed(_ collection: ItemCollection) -> Bool {
    let list = Shape.array(collection.shape())
    return MethodNames.routes.contains { route in
      methodArea(of: route.name) == method.area && route.description.result.field(at: ["items"])?.shape == list
    }
  }

  private mutating func set(_ id: String, at param: IDParam) {
    if let index = param.index, var list = params[param.field.name]?.arrayValue, index < list.count {
      list[index] = .string(id)
      params[param.field.name] = .array(list)
    } else {
      params[param.field.name] = .string(id)
    }
    open.removeAll { sameBytes($0.field.name, param.field.name) && $0.index == param.index }
  }
}
