import Store
import Wire

/// A link in a text that is made from the library: `[[commonplace:/documents/0192#page=2][A paper]]`.
package enum LabelledLink {
  /// - Parameters:
  ///   - link: a stable link.
  ///   - label: the words for people. Brackets in it would end the link.
  package static func text(to link: String, labelled label: String) -> String {
    let sound = label.replacing("[", with: "(").replacing("]", with: ")")
    var scalars = String.UnicodeScalarView()
    for scalar in sound.unicodeScalars { scalars.append(scalar.isLineEndOrControl ? " " : scalar) }
    return "[[\(link)][\(String(scalars))]]"
  }
}
