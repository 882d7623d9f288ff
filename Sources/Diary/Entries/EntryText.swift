import Wire

/// The parts of an entry's text, which is stored byte for byte.
///
/// Lines end at LF, CRLF or CR. The title is the first line with a character that is not white space, without its line
/// end; the body is everything after that line's end.
struct EntryText {
  /// The maximal length of the whole text, in Unicode scalars.
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

  /// A text from a title and the body below it; without a body it is the title alone.
  init(title: String, body: String?) {
    self.init(body.map { title + "\n" + $0 } ?? title)
  }

  var title: String { String(text.unicodeScalars[titleRange]) }
  /// The entry's name: the title without the signs of a Markdown heading, so that `# Rain` is called Rain. Signs
  /// without text after them are the name.
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

  /// Checks the length of the whole text, which the limits of its fields do not limit.
  ///
  /// - Throws: `invalidParams` for `field`, which made the text too long.
  func requireLength(of field: String) throws(RPCError) {
    guard text.unicodeScalars.count > Self.maximumLength else { return }
    throw .invalidParams(
      field: field, reason: Text("param.length.maximum", ["maximum": String(Self.maximumLength)]))
  }

  /// The text with another title or body. The text before the title and its line end stay.
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
    // The limits also bound a body of white space.
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
