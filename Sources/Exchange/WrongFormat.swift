import Kit

/// A file that does not conform to its format as a whole: nothing of it can be read.
package struct WrongFormat: Error, Equatable {
  /// The key of the reason in the catalogue's family `reason`; with `isMissing`, the missing part.
  package var reason: String
  /// Whether `reason` is a missing part, as the format itself spells it (`END:VTODO`, the member of an object).
  package var isMissing = false
  /// The line of the problem, from 1.
  package var line: Int?
  /// In an archive, the file with the problem.
  package var file: String?

  package init(reason: String, line: Int? = nil, file: String? = nil) {
    self.reason = reason
    self.line = line
    self.file = file
  }

  /// A missing part.
  package init(missing part: String, line: Int? = nil) {
    self.init(reason: part, line: line)
    isMissing = true
  }
}
