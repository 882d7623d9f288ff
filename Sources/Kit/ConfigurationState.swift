import Wire

/// The state of config.toml, for reports to users. Features read effective values from `Services.books` and the like.
package struct ConfigurationState: Sendable {
  package struct Mistake: Sendable {
    /// From 1; nil if it concerns the file as a whole.
    package var line: Int?
    /// The full path of the key, such as `pdf.workers`; nil if it concerns no key.
    package var key: String?
    package var text: Text

    package init(line: Int?, key: String?, text: Text) {
      (self.line, self.key, self.text) = (line, key, text)
    }
  }

  package var path: String
  package var isThere: Bool
  /// The error in the file as it is now; the settings of the last valid version then remain in effect.
  package var mistake: Mistake?
  /// Settings that are valid and yet cannot work.
  package var warnings: [Text]
  /// The keys whose new values take effect at the next start.
  package var waiting: [String]
  package var settings: StatusReport.Settings

  package init(
    path: String, isThere: Bool, mistake: Mistake?, warnings: [Text], waiting: [String],
    settings: StatusReport.Settings
  ) {
    self.path = path
    self.isThere = isThere
    self.mistake = mistake
    self.warnings = warnings
    self.waiting = waiting
    self.settings = settings
  }
}
