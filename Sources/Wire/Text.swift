/// A sentence for people, named and not yet spoken: a key of the message catalogue and what to fill in.
///
/// It becomes words only where a client's language is known, so nothing below the daemon speaks a language.
package struct Text: Sendable, Equatable {
  /// The stable key, for example `error.notFound`.
  package var key: String
  /// The values of the `{name}` places in the catalogue's sentence.
  package var arguments: [String: String]

  package init(_ key: String, _ arguments: [String: String] = [:]) {
    self.key = key
    self.arguments = arguments
  }
}
