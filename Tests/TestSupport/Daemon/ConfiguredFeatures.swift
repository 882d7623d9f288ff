import Daemon
import Kit

extension DaemonSettings {
  /// Changes what config.toml states for features.
  package mutating func configure(_ change: (inout FeatureSettings) -> Void) {
    var settings = configured()
    change(&settings)
    configured = { [settings] in settings }
  }
}
