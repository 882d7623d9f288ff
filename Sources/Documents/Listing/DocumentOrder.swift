import Kit
import SearchEngine
import Store

extension ListDocuments.Sort {
  var order: Keyset {
    switch self {
    case .added: .arrival
    case .recent: .change
    case .title: Keyset(.text("fold(title)"), .text("id"))
    case .read: Keyset(.integer("ifnull(lastReadAt, 0)"), .text("id")).descending
    }
  }
}

extension ItemListing<DocumentRecord> {
  /// Selects only documents whose title begins with, or contains, this text.
  mutating func narrow(toTitle query: String, _ match: ListDocuments.Match) {
    let folded = foldedText(query)
    if folded.isEmpty { return }
    switch match {
    // Compared as bytes, which is how the index on fold(title) sorts; U+10FFFF sorts after every letter.
    case .prefix: narrow("fold(title) >= ? AND fold(title) < ?", [.text(folded), .text(folded + "\u{10FFFF}")])
    case .substring: narrow("instr(fold(title), ?) > 0", [.text(folded)])
    }
  }
}
