import Wire

/// The parts of an entry's text, which is kept byte for byte.
///
/// Lines end at LF, CRLF or CR. The title is the first line with a character that is not white space, without its line
/// end; the body is everything behind that line's end.
struct EntryText {
  /// Unicode scalars, all of them: what a client writes into an entry at once.
  static let maximumLength = 1_000_000

  let text: String
  private let titleRange: Range<String.Index>
  private let bodyStart: String.Index

  init(_ text: String) {
    self.text = text
    let scalars = text.unicodeScalars
    var start = scalars.startIndex
    var index = start
    var hasInk = false
    while index < scalars.endIndex {
      let scalar = scalars[index]
      guard scalar == "\n" || scalar == "\r" else {
        hasInk = hasInk || !scalar.properties.isWhitespace
        index = scalars.index(after: index)
        continue
      }
      let end = index
      index = scalars.index(after: index)
      if scalar == "\r", index < scalars.endIndex, scalars[index] == "\n" { index = scalars.index(after: index) }
      if hasInk {
        (titleRange, bodyStart) = (start..<end, index)
        return
      }
      start = index
    }
    (titleRange, bodyStart) = (start..<(hasInk ? scalars.endIndex : start), scalars.endIndex)
  }

  /// A text of a title and what stands below it; without a body it is the title alone.
  init(title: String, body: String?) {
    self.init(body.map { title + "\n" + $0 } ?? title)
  }

  var title: String { String(text.unicodeScalars[titleRange]) }
  /// What the entry is called: the title without the signs of a heading of Markdown, `# Rain` being called Rain. Signs
  /// with nothing behind them are all that there is.
  var name: String {
    let title = text.unicodeScalars[titleRange]
    let signs = title.prefix { $0 == "#" }
    let rest = title[signs.endIndex...]
    guard (1...6).contains(signs.count), rest.first?.properties.isWhitespace == true,
      let start = rest.firstIndex(where: { !$0.properties.isWhitespace })
    else { return String(title) }
    return String(rest[start...])
  }
  var body: String { String(text.unicodeScalars[bodyStart...]) }
  /// White space only, or nothing: not stored.
  var isBlank: Bool { titleRange.isEmpty }

  /// Refuses a text that has grown too long, by the name of the field that made it so: the limits of the fields do not
  /// know what they are put together with.
  func requireLength(of field: String) throws(RPCError) {
    guard text.unicodeScalars.count > Self.maximumLength else { return }
    throw .invalidParams(
      field: field, reason: Text("param.length.maximum", ["maximum": String(Self.maximumLength)]))
  }

  /// The same with another title or body. What stands before the title and how its line ends stay as they are.
  func replacing(title: String?, body: String?) -> String {
    let scalars = text.unicodeScalars
    var lineEnd = String(scalars[titleRange.upperBound..<bodyStart])
    if body != nil, lineEnd.isEmpty { lineEnd = "\n" }
    return String(scalars[..<titleRange.lowerBound]) + (title ?? self.title) + lineEnd + (body ?? self.body)
  }

  /// The beginning of the body on one line, for a list.
  var preview: String {
    var preview = String.UnicodeScalarView()
    var endsWord = false
    // The bounds hold for a body of blanks too.
    for scalar in text.unicodeScalars[bodyStart...].prefix(Self.previewLength * 10) {
      if preview.count == Self.previewLength { break }
      if scalar.properties.isWhitespace {
        endsWord = !preview.isEmpty
      } else {
        if endsWord { preview.append(" ") }
        endsWord = false
        preview.append(scalar)
      }
    }
    return String(preview)
  }

  private static let previewLength = 200
}
