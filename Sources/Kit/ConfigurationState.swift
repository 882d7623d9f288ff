import Wire

/// How config.toml is, for those who tell people of it. Features ask for what holds by `Services.books` and the like.
package struct ConfigurationState: Sendable {
  package struct Mistake: Sendable {
    /// From 1; nil if it concerns the file as a whole.
    package var line: Int?
    /// The key's whole path, such as `pdf.workers`; nil if it concerns no key.
    package var key: String?
    package var text: Text

    package init(line: Int?, key: String?, text: Text) {
      (self.line, self.key, self.text) = (line, key, text)
    }
  }

  package var path: String
  package var isThere: Bool
  /// What is wrong with the file as it is now; then what it said before holds.
  package var mistake: Mistake?
  /// What is allowed and yet cannot work as it is written.
  package var warnings: [Text]
  /// The keys whose new values count at the next start.
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
