import Contract
import Store
import Wire

/// The parts of a text that the user writes, such as a diary entry, and that is stored byte for byte.
///
/// Lines end at LF, CRLF or CR. The title is the first line with a character that is not white space, without its line
/// end; the body is everything after that line's end.
package struct TitledText {
  /// The maximal length of the whole text, in Unicode scalars.
  package static let maximumLength = 1_000_000

  package let text: String
  private let titleRange: Range<String.Index>
  private let bodyStart: String.Index

  package init(_ text: String) {
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
  package init(title: String, body: String?) {
    self.init(body.map { title + "\n" + $0 } ?? title)
  }

  package var title: String { String(text.unicodeScalars[titleRange]) }
  /// The name: the title without the signs of a Markdown heading, so that `# Rain` is called Rain. Signs
  /// without text after them are the name.
  package var name: String {
    let title = text.unicodeScalars[titleRange]
    let signs = title.prefix { $0 == "#" }
    let rest = title[signs.endIndex...]
    guard (1...6).contains(signs.count), rest.first?.properties.isWhitespace == true,
      let start = rest.firstIndex(where: { !$0.properties.isWhitespace })
    else { return String(title) }
    return String(rest[start...])
  }
  package var body: String { String(text.unicodeScalars[bodyStart...]) }
  /// White space only, or nothing: not stored.
  package var isBlank: Bool { titleRange.isEmpty }

  /// Checks the length of the whole text, which the limits of its fields do not limit.
  ///
  /// - Throws: `invalidParams` for `field`, which made the text too long.
  package func requireLength(of field: String) throws(RPCError) {
    guard text.unicodeScalars.count > Self.maximumLength else { return }
    throw .invalidParams(
      field: field, reason: Text("param.length.maximum", ["maximum": String(Self.maximumLength)]))
  }

  /// The text with lines after its last, which begin on a line of their own.
  ///
  /// - Throws: `invalidParams` for `text`, if the whole is too long.
  package func appending(_ lines: String) throws(RPCError) -> String {
    var whole = text
    if let last = whole.utf8.last, last != UInt8(ascii: "\n"), last != UInt8(ascii: "\r") {
      whole += whole.contains("\r\n") ? "\r\n" : "\n"
    }
    whole += lines
    try TitledText(whole).requireLength(of: "text")
    return whole
  }

  /// The text with another title or body. The text before the title and its line end stay.
  package func replacing(title: String?, body: String?) -> String {
    let scalars = text.unicodeScalars
    var lineEnd = String(scalars[titleRange.upperBound..<bodyStart])
    if body != nil, lineEnd.isEmpty { lineEnd = "\n" }
    return String(scalars[..<titleRange.lowerBound]) + (title ?? self.title) + lineEnd + (body ?? self.body)
  }

  /// The beginning of the body on one line, for a list.
  package var preview: String {
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

extension TitledText {
  /// Longer first lines are paragraphs, not titles.
  private static let longestTitle = 100

  /// The title for search and links if the first line is a paragraph: its beginning, cut between words if possible.
  /// Words in a title count eightfold, and are suggested as completions. For search the whole text is then the body, so
  /// that no word is split. Nil if the first line may be a title.
  package var titleBeginning: String? {
    let title = title
    guard title.utf8.count > Self.longestTitle,
      let end = title.index(title.startIndex, offsetBy: Self.longestTitle, limitedBy: title.endIndex),
      end < title.endIndex
    else { return nil }
    let middle = title.index(title.startIndex, offsetBy: Self.longestTitle / 2)
    return title[..<(title[middle..<end].lastIndex(where: \.isWhitespace) ?? end)] + "…"
  }
}

extension TitledText {
  /// The name of a text that begins with a picture: its first words outside of pictures, or the label of the first
  /// picture. Empty if it has neither.
  var nameBesidePictures: String {
    var label: String?
    let beginning = String(text.unicodeScalars.prefix(Self.scannedLength))
    for line in beginning.split(whereSeparator: \.isNewline) {
      let words = line.replacing(/!\[([^\[\]]*)\]\([^()]*\)/) { match in
        label = label ?? String(match.output.1)
        return ""
      }
      let rest = String(words.drop(while: \.isWhitespace))
      if !rest.isBlank { return TitledText(rest).name }
    }
    return label ?? ""
  }

  /// In Unicode scalars: every row of a list calls it.
  private static let scannedLength = 2_000
}

extension Snapshot {
  /// The display name of an item with this text: its name without Markdown, shortened for a list.
  package func name(of text: TitledText) -> String {
    let name = text.name.hasPrefix("![") ? text.nameBesidePictures : text.name
    if name.isEmpty { return words(Text("day.noTitle")) }
    // Enough for the signs of Markdown: a title may be a whole text.
    let plain = MarkdownLabel.plain(String(name.prefix(600)))
    let beginning = plain.prefix(120)
    return beginning.endIndex == plain.endIndex ? plain : beginning + "…"
  }
}
