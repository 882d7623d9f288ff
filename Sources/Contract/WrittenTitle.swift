/// A title in a link to its item.
package enum WrittenTitle {
  /// `[[A title]]`, which means this title even if it contains a bar or a link of its own: `[[See \[\[Dune\]\]]]`.
  package static func link(to title: String) -> String {
    var link = "[["
    for character in title {
      if "\\|[]".contains(character) { link.append("\\") }
      link.append(character)
    }
    return link + "]]"
  }
}
