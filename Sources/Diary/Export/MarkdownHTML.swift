import Exchange
import Kit

/// A text in Markdown as HTML, for reading and printing: headings, paragraphs, lists, quotes, code, emphasis, links and
/// pictures. HTML in the text is shown as it is written. A line end in a paragraph is a line break, since people write
/// diaries so.
///
/// The cost is linear in the length of the text, and every tag that is opened is closed.
struct MarkdownHTML {
  /// What a link leads to.
  enum Target {
    /// A file that can be shown in the page.
    case picture(String)
    case page(String)
  }

  /// The target of a link; nil if the page cannot lead there, so that only its text is shown.
  typealias Targets = (_ destination: Substring) -> Target?

  private let target: Targets
  /// The level of the first heading, less 1.
  private let depth: Int
  private var html = ""
  private var paragraph: [Substring] = []
  /// The open lists, from the outermost, by their indentation.
  private var lists: [(indentation: Int, tag: String)] = []
  private var fence: Substring?

  /// - Parameter level: the level of a heading with one `#`.
  static func html(of text: String, level: Int = 1, target: @escaping Targets) -> String {
    var page = MarkdownHTML(target: target, depth: level - 1)
    page.read(text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)[...], quotes: 0)
    return page.html
  }

  private init(target: @escaping Targets, depth: Int) { (self.target, self.depth) = (target, depth) }

  // MARK: - Blocks

  private static let mostQuotes = 8
  private static let mostLists = 16

  private mutating func read(_ given: ArraySlice<Substring>, quotes: Int) {
    var lines = given
    while let line = lines.popFirst() {
      if let open = fence {
        if Self.fence(of: line).map({ $0.hasPrefix(open) }) ?? false, line.trimmed.allSatisfy({ $0 == open.first }) {
          html += "</code></pre>\n"
          fence = nil
        } else {
          html += SharedText.escaped(line) + "\n"
        }
        continue
      }
      let indentation = line.prefix { $0 == " " || $0 == "\t" }.count
      let rest = line.dropFirst(indentation)
      if rest.isEmpty {
        endParagraph()
      } else if let mark = Self.fence(of: line) {
        endBlocks()
        html += "<pre><code>"
        fence = mark
      } else if rest.first == ">", quotes < Self.mostQuotes {
        endBlocks()
        var quoted = [Self.unquoted(rest)]
        while let next = lines.first, next.drop(while: { $0 == " " }).first == ">" {
          quoted.append(Self.unquoted(next.drop { $0 == " " }))
          lines.removeFirst()
        }
        html += "<blockquote>\n"
        read(quoted[...], quotes: quotes + 1)
        html += "</blockquote>\n"
      } else if let (level, title) = Self.heading(rest) {
        endBlocks()
        let tag = "h\(min(level + depth, 6))"
        html += "<\(tag)>\(inline(title))</\(tag)>\n"
      } else if Self.isRule(rest) {
        endBlocks()
        html += "<hr>\n"
      } else if let (tag, item) = Self.item(rest) {
        endParagraph()
        begin(tag, at: indentation)
        html += "<li>"
        paragraph = [item]
        endParagraph(isItem: true)
      } else {
        if indentation == 0, !lists.isEmpty, paragraph.isEmpty { endLists(from: 0) }
        paragraph.append(rest)
      }
    }
    if fence != nil { html += "</code></pre>\n" }
    fence = nil
    endBlocks()
  }

  private mutating func endBlocks() {
    endParagraph()
    endLists(from: 0)
  }

  private mutating func endParagraph(isItem: Bool = false) {
    if paragraph.isEmpty { return }
    let text = paragraph.map { inline($0.trimmed[...]) }.joined(separator: "<br>\n")
    html += isItem ? text : "<p>\(text)</p>\n"
    paragraph = []
  }

  /// Begins the next item of a list, in the list that is open there or in a new one.
  private mutating func begin(_ tag: String, at indentation: Int) {
    let place = lists.firstIndex { indentation <= $0.indentation } ?? lists.endIndex
    if place < lists.endIndex, lists[place].indentation == indentation || place == lists.endIndex - 1,
      lists[place].tag == tag
    {
      endLists(from: place + 1)
      html += "</li>\n"
      return
    }
    endLists(from: min(place, Self.mostLists))
    lists.append((indentation, tag))
    html += "\n<\(tag)>\n"
  }

  private mutating func endLists(from place: Int) {
    while lists.count > place {
      html += "</li>\n</\(lists.removeLast().tag)>\n"
    }
  }

  private static func fence(of line: Substring) -> Substring? {
    let rest = line.drop { $0 == " " }
    guard let first = rest.first, first == "`" || first == "~" else { return nil }
    let mark = rest.prefix { $0 == first }
    return mark.count >= 3 && !(first == "`" && rest.dropFirst(mark.count).contains("`")) ? mark : nil
  }

  private static func unquoted(_ line: Substring) -> Substring {
    let rest = line.dropFirst()
    return rest.first == " " ? rest.dropFirst() : rest
  }

  private static func heading(_ line: Substring) -> (level: Int, title: Substring)? {
    let level = line.prefix { $0 == "#" }.count
    let rest = line.dropFirst(level)
    guard (1...6).contains(level), rest.first == " " else { return nil }
    return (level, rest.trimmed[...])
  }

  private static func isRule(_ line: Substring) -> Bool {
    let marks = line.filter { $0 != " " }
    guard let first = marks.first, "-*_".contains(first) else { return false }
    return marks.count >= 3 && marks.allSatisfy { $0 == first }
  }

  private static func item(_ line: Substring) -> (tag: String, text: Substring)? {
    let number = line.prefix { $0.isASCII && $0.isNumber }
    let rest = line.dropFirst(number.count)
    guard number.count < 10, let mark = rest.first, number.isEmpty ? "-*+".contains(mark) : ".)".contains(mark),
      rest.dropFirst().first == " "
    else { return nil }
    var text = rest.dropFirst(2).drop { $0 == " " }
    for (box, sign) in [("[ ] ", "☐ "), ("[x] ", "☑ "), ("[X] ", "☑ ")] where text.hasPrefix(box) {
      text = (sign + text.dropFirst(box.count))[...]
    }
    return (number.isEmpty ? "ul" : "ol", text)
  }

  // MARK: - Text in a line

  /// A mark of emphasis that may be closed by an equal one.
  private struct Opening {
    var mark: String
    /// The index of its piece.
    var piece: Int
  }

  private static let tags = ["**": "strong", "__": "strong", "*": "em", "_": "em", "~~": "s"]

  private func inline(_ text: Substring, isLabel: Bool = false) -> String {
    let characters = Array(text)
    var pieces: [String] = []
    var openings: [Opening] = []
    var place = 0
    // The lengths of runs of backticks that no later run ends.
    var unclosed: Set<Int> = []
    while place < characters.count {
      let character = characters[place]
      let next = place + 1 < characters.count ? characters[place + 1] : nil
      switch character {
      case "\\" where next.map { $0.isASCII && ($0.isPunctuation || $0.isSymbol) } ?? false:
        pieces.append(SharedText.escaped(String(characters[place + 1])))
        place += 2
      case "`":
        let length = Self.run(in: characters, at: place)
        let isCode = length <= Self.longestRun && !unclosed.contains(length)
        let end = !isCode ? nil : Self.run(of: length, in: characters, after: place + length)
        if end == nil { unclosed.insert(length) }
        let code = end.map { String(characters[(place + length)..<$0]) }
        pieces.append(code.map { "<code>\(SharedText.escaped($0))</code>" } ?? String(repeating: "`", count: length))
        place = end.map { $0 + length } ?? place + length
      case "!" where next == "[" && !isLabel, "[" where !isLabel:
        let isPicture = character == "!"
        if let found = Self.link(in: characters, at: isPicture ? place + 1 : place) {
          pieces.append(shown(found.label, found.destination, isPicture: isPicture))
          place = found.end
        } else {
          pieces.append(String(character))
          place += 1
        }
      case "*", "_", "~":
        // Only up to 3 marks differ in their meaning, and the rest of a long run would be counted again at each of them.
        let run = Self.run(in: characters, at: place, most: 4)
        // The marks of `**_both_**` are closed in their order, and so are those of three asterisks.
        let isSingle = run == 3 && openings.last?.mark == String(character)
        let length = isSingle ? 1 : min(run, 2)
        let mark = String(repeating: character, count: length)
        let (before, after) = (
          place > 0 ? characters[place - 1] : " ",
          place + length < characters.count ? characters[place + length] : " "
        )
        // Not in a word: some_name_of_a_file.
        let isInWord = character == "_" && (before.isLetter || before.isNumber) && (after.isLetter || after.isNumber)
        let tag = isInWord ? nil : Self.tags[mark]
        if let tag, !before.isWhitespace, let open = openings.lastIndex(where: { $0.mark == mark }) {
          pieces[openings[open].piece] = "<\(tag)>"
          pieces.append("</\(tag)>")
          openings.removeSubrange(open...)
        } else {
          if tag != nil, !after.isWhitespace, openings.count < 64 {
            openings.append(Opening(mark: mark, piece: pieces.count))
          }
          pieces.append(mark)
        }
        place += length
      default:
        pieces.append(SharedText.escaped(String(character)))
        place += 1
      }
    }
    return pieces.joined()
  }

  private func shown(_ label: Substring, _ destination: Substring, isPicture: Bool) -> String {
    switch target(destination) {
    case .picture(let path) where isPicture:
      return "<img src=\"\(SharedText.escaped(path))\" alt=\"\(SharedText.escaped(label))\">"
    case .picture(let url), .page(let url):
      return "<a href=\"\(SharedText.escaped(url))\">\(inline(label.isEmpty ? url[...] : label, isLabel: true))</a>"
    case nil: return inline(label, isLabel: true)
    }
  }

  /// The most backticks around code: each length may be searched to the end of the text once.
  private static let longestRun = 8

  /// The number of equal characters from a place on, of which no more than `most` are counted.
  private static func run(in characters: [Character], at place: Int, most: Int = .max) -> Int {
    characters[place...].prefix(most).prefix { $0 == characters[place] }.count
  }

  /// The beginning of the next run of so many backticks.
  private static func run(of length: Int, in characters: [Character], after start: Int) -> Int? {
    var place = start
    while let next = characters[place...].firstIndex(of: "`") {
      let found = run(in: characters, at: next)
      if found == length { return next }
      place = next + found
    }
    return nil
  }

  /// The most characters of a label, and of a destination.
  private static let longest = 2_000

  /// `[label](destination)` that begins here; a label has no brackets, and a destination no blanks.
  private static func link(
    in characters: [Character], at start: Int
  ) -> (label: Substring, destination: Substring, end: Int)? {
    let label = characters[(start + 1)...].prefix(longest).prefix { $0 != "]" && $0 != "[" }
    let middle = start + 1 + label.count
    guard middle + 1 < characters.count, characters[middle] == "]", characters[middle + 1] == "(" else { return nil }
    let destination = characters[(middle + 2)...].prefix(longest).prefix { $0 != ")" && $0 != "[" && !$0.isWhitespace }
    let end = middle + 2 + destination.count
    guard end < characters.count, characters[end] == ")" else { return nil }
    var address = String(destination)[...]
    if address.first == "<", address.last == ">" { address = address.dropFirst().dropLast() }
    return (String(label)[...], address, end + 1)
  }
}
