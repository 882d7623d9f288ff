import Wire

/// The protocol for authors of clients: as a page for people and as OpenRPC for programs, from the same rows.
package struct Reference: Sendable {
  package var methods: [MethodDescription]
  package var notifications: [NotificationDescription]
  package var errors: [ErrorDescription]
  /// Guarantees for clients, one sentence or paragraph each.
  package var promises: [String]
  package var items: [ItemDescription]

  /// Sorts rows by name, so that the document does not depend on the order of the features.
  package init(
    methods: [MethodDescription], notifications: [NotificationDescription], errors: [ErrorDescription],
    promises: [String], items: [ItemDescription] = []
  ) {
    self.methods = methods.sorted { ($0.area, $0.name) < ($1.area, $1.name) }
    self.notifications = notifications.sorted { ($0.area, $0.name) < ($1.area, $1.name) }
    self.errors = errors
    self.promises = promises
    self.items = items
  }

  /// The method's own failures, as far as they are described.
  func errors(of method: MethodDescription) -> [ErrorDescription] {
    method.errors.compactMap { kind in errors.first { $0.name == kind.rawValue } }
  }

  /// Problems in names, examples and fields of the whole protocol, one sentence each; tests require that there are
  /// none.
  package var problems: [String] {
    var found = methods.flatMap(\.problems) + notifications.flatMap(\.problems)
    let names = methods.map(\.name) + notifications.map(\.name)
    found += repeated(names).map { "\($0) is there twice" }
    found += repeated(errors.map(\.name)).map { "the error \($0) is described twice" }
    for method in methods {
      for kind in method.errors where !errors.contains(where: { $0.name == kind.rawValue }) {
        found.append("\(method.name) may fail with \(kind.rawValue), which is not described")
      }
    }
    return found
  }

  private func repeated(_ names: [String]) -> [String] {
    Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
  }
}
