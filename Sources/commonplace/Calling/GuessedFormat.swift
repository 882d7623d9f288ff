import Contract
import Wire

/// The format of a file that a method is to write, from the ending of its name: `cards.ics`, `shelf.bib`. Imports tell
/// formats by the file itself.
enum GuessedFormat {
  /// Endings that differ from the formats' names.
  private static let formats = [
    "md": "markdown", "bib": "bibtex", "json": "csl", "txt": "todotxt", "ical": "ics", "ndjson": "jsonl",
  ]

  /// Adds `format` if the method needs one, it is not given, and the name of the file determines it.
  static func complete(_ params: inout JSONObject, of method: MethodDescription) {
    guard case .object(let shape) = method.params, shape.needs("format"), params["format"] == nil,
      case .choice(_, let choices)? = shape[field: "format"]?.shape, let path = params["path"]?.stringValue,
      let dot = path.split(separator: "/").last?.lastIndex(of: "."), dot > path.startIndex
    else { return }
    let ending = path[path.index(after: dot)...].lowercased()
    if let format = [ending, formats[ending]].compactMap(\.self).first(where: choices.contains) {
      params["format"] = .string(format)
    }
  }
}
