/// What this build is.
package enum Version {
  package static let current = "0.1.0"
  /// Grows when methods or fields are added; nothing of an earlier level ever disappears.
  package static let protocolLevel = 1
}
