import CICU

/// A locale's name, validated and in canonical form (`ko-KR`).
package struct LocaleTag: Sendable, Hashable {
  package let identifier: String

  package static let english = LocaleTag(checked: "en")

  /// Accepts BCP 47 (`ko-KR`, `zh-hant-tw`) and POSIX (`ko_KR.UTF-8`, `C`) names.
  ///
  /// `nil` for a language or region that is not in ISO 639 or ISO 3166: otherwise a typing error would silently give
  /// English dates.
  package init?(_ text: String) {
    let name = text.prefix { $0 != "." && $0 != "@" }
    if name == "C" || name == "POSIX" {
      self = .english
      return
    }
    var parts = name.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }[...]
    guard let language = parts.popFirst()?.lowercased(), Self.isLanguage(language) else { return nil }
    var result = [language]
    if let script = parts.first, script.count == 4, script.allSatisfy(Self.isLetter) {
      result.append(script.prefix(1).uppercased() + script.dropFirst().lowercased())
      parts.removeFirst()
    }
    if let region = parts.first, Self.isRegion(region) {
      result.append(region.uppercased())
      parts.removeFirst()
    } else if let region = parts.first, region.count == 2 {
      return nil
    }
    // Variants and extensions (`-u-ca-buddhist`) change how dates are written; ICU ignores unknown ones.
    guard parts.allSatisfy({ (1...8).contains($0.count) && $0.allSatisfy { Self.isLetter($0) || Self.isDigit($0) } })
    else { return nil }
    result += parts.map { $0.lowercased() }
    identifier = result.joined(separator: "-")
  }

  private init(checked identifier: String) {
    self.identifier = identifier
  }

  /// ICU is queried only for the rare languages of three letters.
  private static func isLanguage(_ code: String) -> Bool {
    LocaleCodes.languages.contains(code[...])
      || code.count == 3 && cicu_is_language(code)
  }

  private static func isRegion(_ part: Substring) -> Bool {
    part.count == 3 && part.allSatisfy(isDigit)
      || part.count == 2 && LocaleCodes.regions.contains(part.uppercased()[...])
  }

  private static func isLetter(_ character: Character) -> Bool { character.isASCII && character.isLetter }
  private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
}
