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
  /// - Parameters:
  ///   - items: each with its citation key as `id`.
  ///   - file: the path of a PDF beside the list, in ASCII letters, digits, `/`, `-`, `_` and `.`; CSL-JSON has no place
  ///     for it.
  package static func text(
    of items: [CSLItem], as format: CitationFormat, file: (CSLItem) -> String? = { _ in nil }
  ) -> String {
    switch format {
    case .bibtex: items.map { BibTeX.entry($0, key: $0["id"] ?? "item", file: file($0)) }.joined(separator: "\n")
    case .ris: items.map { RIS.entry($0, key: $0["id"] ?? "item", file: file($0)) }.joined(separator: "\r\n")
    case .csl: JSONValue.array(items.map { .object($0.json) }).description + "\n"
    }
  }
}
