import Display
import Foundation

/// A file of `Sources/Display/Languages` as the people see it who edit it.
package struct LanguageFile {
  package struct Line {
    package var key: String
    /// Without escapes.
    package var sentence: String
  }

  package static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources/Display/Languages")

  package let language: Language
  package private(set) var lines: [Line] = []
  /// Lines that are neither empty nor a comment nor a key and its sentence.
  package private(set) var misread: [String] = []

  package init(_ language: Language) throws {
    self.language = language
    let file = Self.folder.appending(path: language.rawValue + ".txt")
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
      guard let separator = line.range(of: " = ") else {
        misread.append(String(line))
        continue
      }
      let sentence = String(line[separator.upperBound...])
        .replacing(/\\(.)/) { $0.output.1 == "n" ? "\n" : String($0.output.1) }
      lines.append(Line(key: String(line[..<separator.lowerBound]), sentence: sentence))
    }
  }

  /// The keys of all files: each has those of the English one.
  package static func keys() throws -> Set<String> { Set(try LanguageFile(.english).lines.map(\.key)) }
}
