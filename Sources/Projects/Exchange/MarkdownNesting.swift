import Exchange
import Wire

/// The tasks of a Markdown list in which the next line may be nested, from the outermost to the innermost.
struct MarkdownNesting<Key> {
  private var open: [(indentation: Int, key: Key)] = []

  /// The number of tasks.
  var depth: Int { open.count }

  /// Ends the tasks to which a text between tasks does not belong.
  mutating func pass(_ text: String) {
    for line in TextLine.lines(of: text) where !line.text.allSatisfy(\.isWhitespace) {
      end(before: MarkdownTaskLine.indentation(of: line.text))
    }
  }

  /// The task in which this one is nested, which becomes the innermost one.
  mutating func enter(_ head: MarkdownTaskLine, as key: Key) -> Key? {
    end(before: MarkdownTaskLine.indentation(of: head.front))
    defer { open.append((head.indentation, key)) }
    return open.last?.key
  }

  private mutating func end(before indentation: Int) {
    while let last = open.last, indentation < last.indentation { open.removeLast() }
  }
}
