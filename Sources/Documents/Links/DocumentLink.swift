import Contract
import Store

/// A stable link to a document, to one of its pages or to a highlight:
///
///     commonplace:/documents/0192                  the document
///     commonplace:/documents/0192#page=3           its page 3, from 0 as everywhere in the protocol
///     commonplace:/documents/0192#highlight=0193   the highlight, on whatever page it is now
///
/// A highlight is found by its own id, so that its link still leads to it when a new version of the file has moved it
/// to another page, or its marks were adopted by another document.
package struct DocumentLink: Hashable, Sendable {
  package var document: DocumentID
  package var place: Place?

  package enum Place: Hashable, Sendable {
    case page(Int)
    case highlight(HighlightID)
  }

  package init(_ document: DocumentID, _ place: Place? = nil) {
    self.document = document
    self.place = place
  }

  package var text: String {
    var link = StableLink(collection: DocumentRecord.collectionName, item: document.text)
    switch place {
    case nil: break
    case .page(let page): link.places = [.init(name: "page", value: String(page))]
    case .highlight(let highlight): link.places = [.init(name: "highlight", value: highlight.text)]
    }
    return link.text
  }
}

extension DocumentLink {
  /// Nil for a text that is not a link to a document, or that has a place in an unsupported form: places are not
  /// guessed. If a link names a page and a highlight, the highlight is used.
  package init?(_ text: String) {
    guard let link = StableLink(text), link.collection == DocumentRecord.collectionName,
      let document = DocumentID(validating: link.item)
    else { return nil }
    self.document = document
    for part in link.places {
      switch part.name {
      case "page":
        // Digits only: no sign, and no number that does not fit.
        guard !part.value.isEmpty, part.value.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
          let page = Int(part.value)
        else { return nil }
        if place == nil { place = .page(page) }
      case "highlight":
        guard let highlight = HighlightID(validating: part.value) else { return nil }
        place = .highlight(highlight)
      default: return nil
      }
    }
  }
}

extension Mark {
  /// The link of its page, for a bookmark or memo, of which a page has at most one. An orphan is on no page of the
  /// present file.
  var link: String { DocumentLink(DocumentID(unchecked: document), isOrphan ? nil : .page(page)).text }
}
