/// A message for people, independent of language: a key of the message catalogue and its arguments.
///
/// It is rendered only where a client's language is known, so no code below the daemon depends on a language.
package struct Text: Sendable, Equatable {
  /// The stable key, for example `error.notFound`.
  package var key: String
  /// The values of the `{name}` placeholders in the catalogue's sentence.
  package var arguments: [String: String]

  package init(_ key: String, _ arguments: [String: String] = [:]) {
    self.key = key
    self.arguments = arguments
  }
}
