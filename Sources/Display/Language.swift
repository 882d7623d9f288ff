/// A language of texts for people, by its code: `Languages` has a file of that name.
package enum Language: String, CaseIterable, Sendable {
  case english = "en"
  case japanese = "ja"
  case korean = "ko"
  /// In simplified characters, also for tags of traditional ones.
  case chinese = "zh"

  /// The language of a BCP 47 tag (`ko-KR`) or of a POSIX locale (`ko_KR.UTF-8`, `C`).
  ///
  /// English for unsupported languages, since most people can read it.
  package init(tag: String) {
    let primary = tag.prefix { $0 != "-" && $0 != "_" && $0 != "." && $0 != "@" }
    self = Language(rawValue: primary.lowercased()) ?? .english
  }

  /// Sentences one after another. Japanese and Chinese write no space after a full stop, which is as wide as a letter.
  package func joined(_ sentences: [String]) -> String {
    sentences.joined(separator: self == .japanese || self == .chinese ? "" : " ")
  }
}
