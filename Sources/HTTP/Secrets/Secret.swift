/// A secret that hides its value: descriptions, dumps and interpolations of it are `***`.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The secret itself, for the header that carries it.
  package let value: String

  package init(_ value: String) { self.value = value }

  package var description: String { "***" }
  package var debugDescription: String { "***" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
