/// A language that the daemon speaks to people, by its code: `Languages` has a file of that name.
package enum Language: String, CaseIterable, Sendable {
  case english = "en"
  case japanese = "ja"
  case korean = "ko"
  /// In simplified characters, also where a tag names the traditional ones.
  case chinese = "zh"

  /// The language of a BCP 47 tag (`ko-KR`) or of a POSIX locale (`ko_KR.UTF-8`, `C`).
  ///
  /// Whatever is not spoken here is answered in English, the language a stranger most likely reads.
  package init(tag: String) {
    let primary = tag.prefix { $0 != "-" && $0 != "_" && $0 != "." && $0 != "@" }
    self = Language(rawValue: primary.lowercased()) ?? .english
  }
}
