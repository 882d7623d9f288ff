import Contract
import Store
import Wire

/// The message that a list is empty, which names what the list would contain: “No cards yet.”, “No headings.”
enum EmptyList {
  /// Nil for a method whose result is no list. `words` are those of the command line.
  static func message(of method: MethodDescription, asked words: [String], _ collections: [ItemCollection]) -> Text? {
    guard case .object(let result) = method.result else { return nil }
    guard let element = result[field: "items"]?.shape.element else {
      // A result that is one list under another name.
      return result.fields.count == 1 && result.fields[0].shape.element != nil ? named(method) : nil
    }
    guard let collection = ListedItems.collection(of: element, collections) else { return named(method) }
    // An id determines the list's owner; any other parameter except paging narrows the list.
    let isNarrowed = words.contains { word in
      let name = String(word.prefix { $0 != "=" && $0 != ":" })
      guard let field = method.params.field(at: [name]) else { return true }
      return !field.isIDField && !["after", "limit", "offset", "sort"].contains(name)
    }
    return Text(isNarrowed ? "table.noMatch" : "table.noItems", ["item": collection])
  }

  private static func named(_ method: MethodDescription) -> Text { Text("table.noneOf", ["list": method.name]) }
}
