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
  ///   - files: for each item the path of a PDF beside the list, in ASCII letters, digits, `/`, `-`, `_` and `.`; empty if
  ///     none has one. CSL-JSON has no place for it.
  package static func text(
    of items: [CSLItem], as format: CitationFormat, files: [String?] = []
  ) -> String {
    func entries(_ entry: (CSLItem, String, String?) -> String) -> [String] {
      items.enumerated().map { entry($1, $1["id"] ?? "item", files.isEmpty ? nil : files[$0]) }
    }
    return switch format {
    case .bibtex: entries { BibTeX.entry($0, key: $1, file: $2) }.joined(separator: "\n")
    case .ris: entries { RIS.entry($0, key: $1, file: $2) }.joined(separator: "\r\n")
    case .csl: JSONValue.array(items.map { .object($0.json) }).description + "\n"
    }
  }
}
