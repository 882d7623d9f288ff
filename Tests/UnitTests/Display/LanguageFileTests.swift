import Foundation
import TestSupport
import Testing

@testable import Display

/// What must be true of each file of `Sources/Display/Languages`.
@Suite("The files of languages") struct LanguageFileTests {
  @Test("each file is a language, and each language a file")
  func files() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: LanguageFile.folder.path)
    #expect(Set(names) == Set(Language.allCases.map { $0.rawValue + ".txt" }))
  }

  @Test("a file has the keys of the English one in the same order, each once", arguments: Language.allCases)
  func keys(language: Language) throws {
    let file = try LanguageFile(language)
    #expect(file.misread == [])
    let keys = file.lines.map(\.key)
    #expect(keys.count > 1_500)
    #expect(Set(keys).count == keys.count)
    let english = try LanguageFile(.english).lines.map(\.key)
    #expect(Set(english).subtracting(keys).sorted() == [])
    #expect(keys == english)
  }

  @Test("a sentence has the places of the English one, and is not empty", arguments: Language.allCases)
  func places(language: Language) throws {
    let english = Dictionary(uniqueKeysWithValues: try LanguageFile(.english).lines.map { ($0.key, $0.sentence) })
    for line in try LanguageFile(language).lines {
      let other = try #require(english[line.key])
      #expect(line.sentence.contains { !$0.isWhitespace }, "\(line.key)")
      #expect(Template(line.sentence).places == Template(other).places, "\(line.key)")
      #expect(Self.words(line.sentence) == Self.words(other), "\(line.key)")
    }
  }

  /// The places that are filled with words or sentences of the language: `type.expected`.
  private static func words(_ sentence: String) -> Set<String> {
    Set(sentence.matches(of: /\{(\w+\.\w+)\}/).map { String($0.output.1) })
  }

  @Test("the program has each sentence as the file has it", arguments: Language.allCases)
  func embedded(language: Language) throws {
    for line in try LanguageFile(language).lines {
      #expect(Catalogue().word(line.key, in: language) == line.sentence, "\(line.key)")
    }
  }

  @Test("an advice has a sentence that it follows")
  func advice() throws {
    let keys = try LanguageFile.keys()
    for key in keys where key.hasSuffix(".advice") { #expect(keys.contains(String(key.dropLast(7))), "\(key)") }
  }

  @Test("sentences are in their language")
  func scripts() throws {
    func has(_ text: String, _ scalars: ClosedRange<UInt32>...) -> Bool {
      text.unicodeScalars.contains { scalar in scalars.contains { $0.contains(scalar.value) } }
    }
    for language in Language.allCases {
      for line in try LanguageFile(language).lines {
        let isHangul = has(line.sentence, 0xAC00...0xD7A3)
        let isKana = has(line.sentence, 0x3041...0x30FA)
        let isHan = has(line.sentence, 0x4E00...0x9FFF)
        #expect(!isHangul || language.rawValue == "ko", "\(language) \(line.key)")
        #expect(!isKana || language.rawValue == "ja", "\(language) \(line.key)")
        #expect(!isHan || ["ja", "zh"].contains(language.rawValue), "\(language) \(line.key)")
        // Nothing but its places, or called the same everywhere.
        let words = line.sentence.replacing(/\{[^}]*\}/, with: "")
        let isWord = words.contains { $0.isLetter && $0.isLowercase }
        if language != .english, isWord, !Self.everywhere.contains(line.key) {
          #expect(isHangul || isKana || isHan, "\(language) \(line.key): \(line.sentence)")
        }
      }
    }
  }

  /// Sentences that have no word of their language.
  private static let everywhere: Set = ["type.null"]

  @Test("errors and parameters are whole sentences", arguments: Language.allCases)
  func sentences(language: Language) throws {
    for line in try LanguageFile(language).lines where line.key.hasPrefix("error.") || line.key.hasPrefix("param.") {
      #expect(line.sentence.last.map { ".?。？".contains($0) } == true, "\(line.key)")
    }
  }
}
