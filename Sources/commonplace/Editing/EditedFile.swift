import Contract
import Wire

/// An item as a file for an editor: its fields, and below them its text.
///
///     ---
///     title: Return the book
///     deadline: 2026-11-21
///     tags: [errands]
///     priority:
///     ---
///
///     To the library.
struct EditedFile {
  /// Fields by the names of the params of the method that changes the item; null for those without a value.
  var fields: JSONObject
  /// Nil for an item without a text of its own.
  var text: String?

  /// An invalid line, by its number in the file.
  struct Mistake: Error {
    var line: Int
    var content: String
  }

  /// - Parameters:
  ///   - remarks: lines that are shown as comments.
  ///   - hints: how the value of a field is written, by its name; shown as a comment beside a field without one.
  func written(_ style: FieldValue.Style, remarks: [String] = [], hints: [String: String] = [:]) -> String {
    var lines = [style.fence] + remarks.map { "# " + $0 }
    for member in fields.members {
      let value = FieldValue.text(of: member.value, style)
      // TOML has no null value.
      let isComment = value.isEmpty && style == .toml
      var line = (isComment ? "# " : "") + member.key + style.sign + (value.isEmpty ? "" : " " + value)
      if value.isEmpty || member.value == [], let hint = hints[member.key] { line += (isComment ? " " : "  # ") + hint }
      lines.append(line)
    }
    lines.append(style.fence)
    let content = text.map { text in "\n" + text + (text.last?.isNewline == false ? "\n" : "") } ?? ""
    return lines.joined(separator: "\n") + "\n" + content
  }

  /// Parses an edited file. Missing fields keep their values.
  ///
  /// - Parameter original: the content that was written into the file.
  /// - Throws: `Mistake`.
  static func read(_ content: String, original: EditedFile, _ shape: Shape) throws(Mistake) -> EditedFile {
    var file = original
    // Some editors save with line ends of their own; a text without such line ends gets none of them.
    let hasReturns = original.text?.utf8.contains(UInt8(ascii: "\r")) == true
    let content = hasReturns ? content : content.replacing("\r\n", with: "\n")
    var lines = content.split(separator: "\n", omittingEmptySubsequences: false)[...]
    guard let style = [FieldValue.Style.yaml, .toml].first(where: { $0.fence == lines.first.map(trimmed) }) else {
      throw Mistake(line: 1, content: lines.first.map(String.init) ?? "")
    }
    lines.removeFirst()
    var number = 1
    while true {
      number += 1
      guard let line = lines.popFirst() else { throw Mistake(line: number, content: style.fence) }
      var written = trimmed(line)
      if written == style.fence { break }
      if written.isEmpty || written.hasPrefix("#") { continue }
      guard let sign = written.firstIndex(of: style == .yaml ? ":" : "=") else {
        throw Mistake(line: number, content: written)
      }
      let key = trimmed(written[..<sign])
      guard original.fields[key] != nil, let field = shape.field(at: [key]) else {
        throw Mistake(line: number, content: written)
      }
      do {
        var value = try FieldValue.value(of: String(written[written.index(after: sign)...]), field.shape)
        // A list may also have one element per line.
        if value.isNull, case .array(let element) = field.shape {
          var elements: [JSONValue] = []
          while let next = lines.first.map(trimmed), next.hasPrefix("- "), style == .yaml {
            lines.removeFirst()
            (number, written) = (number + 1, next)
            elements.append(try FieldValue.value(of: String(next.dropFirst(2)), element))
          }
          value = .array(elements)
        }
        file.fields[key] = value
      } catch {
        throw Mistake(line: number, content: written)
      }
    }
    guard let before = original.text else { return file }
    if lines.first.map(trimmed)?.isEmpty == true, lines.count > 1 { lines.removeFirst() }
    var text = lines.joined(separator: "\n")
    // Editors end a file with a line end, which is not part of the text.
    if text.last == "\n", before.last?.isNewline != true { text.removeLast() }
    file.text = text
    return file
  }

  private static func trimmed(_ line: Substring) -> String {
    String(line.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}
