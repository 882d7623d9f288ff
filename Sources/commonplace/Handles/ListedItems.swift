import Contract
import Store
import Wire

/// The items of a reply in the order in which a table shows them, and the label for the id of each:
///
///     %1 9f3a
///     %2 4b20 page=12
struct ListedItems {
  let items: [ListedItem]
  /// By the id's other form in a table: `019a…`, or `019a… page=12` for a place in a document. An item in several rows,
  /// such as a document with several matching pages, has a label for each, in their order.
  let labels: [String: ArraySlice<String>]

  /// Nil for a reply that is not a list of items.
  ///
  /// - Parameter isItem: The reply is the only item.
  init?(
    _ reply: JSONValue, of method: MethodDescription, _ collections: [ItemCollection], isItem: Bool = false
  ) {
    guard case .object(let result) = method.result, let object = reply.objectValue else { return nil }
    var items: [ListedItem] = []
    var shown: [String] = []
    func add(_ elements: [JSONValue], _ shape: Shape?) {
      let collection = shape.flatMap { Self.collection(of: $0, collections) }
      for element in elements where items.count < TerminalList.limit {
        guard let item = ListedItem(element, collection: collection) else { continue }
        items.append(item)
        shown.append(ShownItem.id(element))
      }
    }
    if isItem, let item = ListedItem(reply, collection: Self.collection(of: method.result, collections)) {
      items.append(item)
      shown.append(ShownItem.id(reply))
    }
    // In the table's order: the entries of a day before its other items, and columns one after the other.
    for name in ["entries", "items"] {
      add(object[name]?.arrayValue ?? [], result[field: name]?.shape.element)
    }
    if let agenda = ReplyAgenda(reply) {
      for part in agenda.sections.flatMap(\.parts) {
        let shape = result[field: part.member] ?? result[field: "days"]?.shape.element?.field(at: [part.member])
        add(part.items, shape?.shape.element)
      }
    } else if items.isEmpty {
      for member in object.members {
        let inner = result[field: member.key]?.shape.element?.field(at: ["items"])?.shape.element
        for list in member.value.arrayValue ?? [] { add(list["items"]?.arrayValue ?? [], inner) }
      }
    }
    guard !items.isEmpty else { return nil }
    self.items = items
    let short = ShortIDs.labels(of: items.map(\.id))
    var labels: [String: ArraySlice<String>] = [:]
    for (index, text) in shown.enumerated() {
      let item = items[index]
      labels[text, default: []].append(
        "%\(index + 1) " + (short[item.id] ?? item.id) + text.dropFirst(item.id.utf8.count))
    }
    self.labels = labels
  }

  /// The collection whose items have this shape.
  static func collection(of shape: Shape, _ collections: [ItemCollection]) -> String? {
    guard case .object(let object) = shape, object.fields.contains(where: { sameBytes($0.name, "id") }) else {
      return nil
    }
    return collections.first { $0.shape() == shape }?.name
  }
}

extension Shape {
  /// The shape of a list's elements.
  var element: Shape? {
    if case .array(let element) = self { element } else { nil }
  }
}
