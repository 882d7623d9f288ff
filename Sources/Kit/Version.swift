/// The version of this build.
package enum Version {
  package static let current = "0.1.0"
  /// Increases when methods or fields are added; nothing of an earlier level is ever removed.
  package static let protocolLevel = 1
}
