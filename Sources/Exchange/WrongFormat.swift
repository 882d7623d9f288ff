import Kit

/// A file that is not what its format says, from the outside: nothing of it can be read.
package struct WrongFormat: Error, Equatable {
  /// What was wrong: a word of the catalogue's family `reason`, or with `isMissing` what was missing.
  package var reason: String
  /// Whether `reason` is a part that was missing, as the format itself spells it (`END:VTODO`, the member of an object).
  package var isMissing = false
  /// The line where it was seen, from 1.
  package var line: Int?
  /// In an archive, the file where it was seen.
  package var file: String?

  package init(reason: String, line: Int? = nil, file: String? = nil) {
    self.reason = reason
    self.line = line
    self.file = file
  }

  /// A part that was missing.
  package init(missing part: String, line: Int? = nil) {
    self.init(reason: part, line: line)
    isMissing = true
  }
}
