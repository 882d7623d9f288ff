import Contract
import Wire

/// A format of citations for other programs.
package enum CitationFormat: String, Choice {
  case bibtex, csl, ris

  package static let note =
    "`bibtex`: entries for BibTeX or biber; `csl`: CSL-JSON for Pandoc, Zotero and citeproc; `ris`: RIS for EndNote and "
    + "other reference managers."
}

/// A list of bibliographic items as a file.
package enum Bibliography {
  /// - Parameter items: each with its citation key as `id`.
  package static func text(of items: [CSLItem], as format: CitationFormat) -> String {
    switch format {
    case .bibtex: items.map { BibTeX.entry($0, key: $0["id"] ?? "item") }.joined(separator: "\n")
    case .ris: items.map { RIS.entry($0, key: $0["id"] ?? "item") }.joined(separator: "\r\n")
    case .csl: JSONValue.array(items.map { .object($0.json) }).description + "\n"
    }
  }
}
