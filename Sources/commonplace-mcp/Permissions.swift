import Contract
import Wire

/// The permissions of an agent, fixed when the server starts: the effects that a method may have, and the collections
/// that the agent may see.
struct Permissions: Sendable {
  var effects: Effects = .reads
  /// Nil for all collections.
  var collections: Set<String>?
  var files = FileReach()

  static let names: [(name: String, effect: Effects)] = [
    ("read", .reads), ("write", .writes), ("destroy", .destroys), ("network", .network), ("files", .files),
  ]

  func allows(_ needed: Effects) -> Bool { effects.isSuperset(of: needed) }

  func admits(_ collection: String) -> Bool { collections?.contains(collection) ?? true }

  /// The names of the effects that are missing for a method, as `--allow` takes them.
  func missing(_ needed: Effects) -> [String] {
    Self.names.filter { needed.contains($0.effect) && !effects.contains($0.effect) }.map(\.name)
  }
}

extension Effects {
  /// The effects by their names in `rpc.discover`. An unknown name, of a newer daemon, counts as every effect.
  init(names: [String]) {
    self = names.reduce(into: []) { effects, name in
      let known: [Effects] = [.reads, .writes, .destroys, .files, .network]
      effects.formUnion(known.first { $0.names == [name] } ?? Effects(known))
    }
  }
}
