import Store
import Wire

/// A text that was made from the library.
package struct RenderedText: Sendable {
  package var text: String
  /// In the order of the text.
  package var items: [TextItem]
  /// The headings in it.
  package var sections: [TextSection]
  package var isReadOnly: Bool

  /// The most bytes of a text. A longer one ends at a whole item, is read-only, and says so in its last line.
  package static let mostBytes = 4 << 20
  package static let languageID = "markdown"

  package init(text: String, items: [TextItem] = [], sections: [TextSection] = [], isReadOnly: Bool = false) {
    (self.text, self.items, self.sections, self.isReadOnly) = (text, items, sections, isReadOnly)
  }

  /// The item whose lines include a line, counted from 0.
  package func item(atLine line: Int) -> TextItem? {
    let place = items.partition { $0.lines.upperBound > line }
    return place < items.endIndex && items[place].lines.contains(line) ? items[place] : nil
  }
}

/// An item of the library in a text.
package struct TextItem: Sendable, Equatable, Codable {
  package var collection: String
  package var id: String
  /// Its anchor at the end of its first line; nil in a text of one item.
  package var anchor: String?
  /// Its title in one line, for messages and symbols.
  package var title: String
  /// The revision in the library.
  package var revision: Int64
  /// Its lines, counted from 0.
  package var firstLine: Int
  package var lineCount: Int
  /// The part of the text in which its position counts: the column of a card. Empty where the order means nothing.
  package var lane: String
  /// Its content in the text, without the anchor: the version with which a save is compared.
  package var content: String

  package var lines: Range<Int> { firstLine..<(firstLine + lineCount) }
  package var key: ItemKey { ItemKey(collection: collection, id: id) }

  package init(
    collection: String, id: String, anchor: String? = nil, title: String, revision: Int64 = 0, lines: Range<Int>,
    lane: String = "", content: String
  ) {
    (self.collection, self.id, self.anchor, self.title) = (collection, id, anchor, title)
    self.revision = revision
    (firstLine, lineCount, self.lane, self.content) = (lines.lowerBound, lines.count, lane, content)
  }
}

/// A heading, with all lines up to the next one.
package struct TextSection: Sendable, Equatable {
  package var title: String
  package var lines: Range<Int>
  /// The lane of the items in it.
  package var lane: String

  package init(title: String, lines: Range<Int>, lane: String = "") {
    (self.title, self.lines, self.lane) = (title, lines, lane)
  }
}

extension Array {
  /// The first index from which on `belongs` holds, for elements of which it holds only at the end.
  fileprivate func partition(_ belongs: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if belongs(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// The lines of a text as protocols count them: each ends at LF, and the last one has none.
package enum TextLines {
  package static func split(_ text: String) -> [Substring] {
    var lines: [Substring] = []
    var start = text.utf8.startIndex
    for index in text.utf8.indices where text.utf8[index] == UInt8(ascii: "\n") {
      lines.append(text[start..<index])
      start = text.utf8.index(after: index)
    }
    lines.append(text[start...])
    return lines
  }

  /// The number of line ends among the first bytes of a text.
  package static func count(in text: String, upTo bytes: Int) -> Int {
    text.utf8.prefix(bytes).reduce(0) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
  }
}
