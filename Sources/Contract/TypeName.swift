/// A type with another name in the reference and the schemas than in Swift.
package protocol NamedType {
  static var typeName: String { get }
}

/// The name of a type without modules: `MoveProject.Params`, and `ProjectPage` for a `Page<Project>`.
package func typeName(_ type: Any.Type) -> String {
  if let named = type as? any NamedType.Type { return named.typeName }
  // The reflected name is preceded by its module and, for a private type, `(unknown context at $1234)`. It is what
  // `String(reflecting:)` says, which first looks through the program for how this type wants to be printed.
  var depth = 0
  let name = _typeName(type, qualified: true).filter { character in
    if character == "(" { depth += 1 }
    defer { if character == ")" { depth -= 1 } }
    return depth == 0
  }
  return name.split { "<,> ".contains($0) }.map { part in
    let path = part.split(separator: ".")
    return (path.count > 1 ? path.dropFirst() : path[...]).joined(separator: ".")
  }
  .reversed().joined()
}
