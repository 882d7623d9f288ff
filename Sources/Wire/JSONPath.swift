/// The path of a value in a message.
///
/// A path is created for every field that is decoded, and only used in errors, so creating one at the top level, where
/// nearly all fields are, allocates nothing.
package struct JSONPath: Sendable {
  private final class Parent: Sendable {
    let path: JSONPath
    init(_ path: JSONPath) { self.path = path }
  }

  private enum Step {
    case root
    case field(String)
    case element(Int)
  }

  /// Nil for the root and its direct members.
  private let parent: Parent?
  private let step: Step

  package static let root = JSONPath(parent: nil, step: .root)

  package static func field(_ path: JSONPath, _ name: String) -> JSONPath {
    JSONPath(parent: path.asParent, step: .field(name))
  }

  package static func element(_ path: JSONPath, _ index: Int) -> JSONPath {
    JSONPath(parent: path.asParent, step: .element(index))
  }

  package var isRoot: Bool {
    if case .root = step { true } else { false }
  }

  /// The path in a client's notation: `lines[2].text`. The root is `params`, since only a request's params are decoded
  /// in this way.
  package var text: String {
    switch step {
    case .root: "params"
    case .field(let name): parent.map { "\($0.path.text).\(name)" } ?? name
    case .element(let index): "\((parent?.path ?? .root).text)[\(index)]"
    }
  }

  var codingPath: [any CodingKey] {
    let before = parent?.path.codingPath ?? []
    switch step {
    case .root: return before
    case .field(let name): return before + [JSONKey(stringValue: name)]
    case .element(let index): return before + [JSONKey(stringValue: String(index))]
    }
  }

  private var asParent: Parent? {
    isRoot ? nil : Parent(self)
  }
}
