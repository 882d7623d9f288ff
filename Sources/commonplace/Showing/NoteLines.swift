import Wire

/// Notes on single items, such as the rows of a file, in a paragraph each:
///
///     – line 2, The Great Gatsby: Your rating 4 was kept; the file says 5.
///     – line 7, C: Its URL has a user, a password or a token in it. (left out)
struct NoteLines {
  private static let mark = "– "

  let lines: [String]

  /// Nil if one of them has no sentence for people, or has an id to request it by.
  init?(_ notes: [JSONObject], on screen: Screen, width: Int) {
    let paragraphs = notes.compactMap { Self.paragraph($0, on: screen) }
    guard paragraphs.count == notes.count else { return nil }
    let indent = String(repeating: " ", count: Self.mark.count)
    lines = paragraphs.flatMap { paragraph in
      TerminalText.lines(paragraph, width: width - Self.mark.count).enumerated().map { index, line in
        (index == 0 ? Self.mark : indent) + line
      }
    }
  }

  private static func paragraph(_ note: JSONObject, on screen: Screen) -> String? {
    guard note["id"] == nil, let sentence = note["display"]?.stringValue else { return nil }
    // A line is found in the file more easily than an item is counted.
    let place = ["line", "number"].lazy.compactMap { name in
      note[name]?.integerValue.map { "\(screen.label(name)) \($0)" }
    }.first
    let named = [note["file"]?.stringValue, place, note["title"]?.stringValue].compactMap(\.self)
      .joined(separator: ", ")
    let outcome = note["skipped"] == true ? " (\(screen.label("skipped")))" : ""
    return TerminalText.line((named.isEmpty ? "" : named + ": ") + sentence + outcome, longest: 2_000)
  }
}
