import System
import TestSupport
import Testing

@testable import Daemon

/// What must be given from outside: the clock, the zone, the locale; and the words that people see.
@Suite struct SurroundingsTests {
  private static let sources = Repository.sources(under: "Sources")

  @Test("the machine's clock is looked at in one place")
  func clock() {
    let forbidden =
      /\bDate\(\)|\bDate\.now|\bDate\(timeIntervalSinceNow|\bNSDate\b|CLOCK_REALTIME|gettimeofday|\btime\(nil\)/
    // A condition waits until a moment that Foundation wants as a date; nobody sees it.
    let waiting: Set = [
      "Sources/Store/Writing/WriteQueue.swift", "Sources/Store/Reading/ReaderThreads.swift",
      "Sources/Store/Files/LibraryPool.swift", "Sources/Daemon/Daemon.swift",
    ]
    // The age of a file: what wrote its time is this clock too.
    let files: Set = ["Sources/Documents/Adding/ReceivedFile.swift"]
    var places: [String] = []
    for source in Self.sources where Self.mentions(source, ["Date", "time(nil)", "CLOCK_", "gettimeofday"]) {
      for match in source.code.matches(of: forbidden) {
        if match.output.contains("timeIntervalSinceNow"), waiting.contains(source.path) { continue }
        if match.output.contains("time(nil)"), files.contains(source.path) { continue }
        places.append(source.path)
      }
    }
    #expect(places == ["Sources/commonplace/Finding/WallClock.swift"])
  }

  @Test("no code asks the machine for its locale, its zone or its calendar: they are the client's")
  func localeAndZone() {
    let forbidden =
      /\b(?:Locale|TimeZone|Calendar|NSLocale|NSTimeZone)\.(?:current|autoupdatingCurrent|system|default|local)\b|\bsetlocale\(|\blocaltime(?:_r)?\(/
    for source in Self.sources where Self.mentions(source, ["Locale", "Zone", "Calendar", "setlocale", "localtime"]) {
      #expect(source.code.firstMatch(of: forbidden) == nil, "\(source.path) asks the machine")
    }
    // ICU writes dates only where a reader is given along.
    let users = Self.sources.filter { $0.text.contains("LocalizedDateFormat(") }.map(\.path)
    #expect(users == ["Sources/Display/DateWriter.swift"])
  }

  @Test("today is worked out in one place, for one reader")
  func today() {
    let known: Set = [
      // The day itself, its notification, the settings' zone, and days in other programs' files.
      "Sources/Kit/Days.swift", "Sources/System/Session/DidChangeDay.swift",
      "Sources/Daemon/RunningLibrary.swift", "Sources/Diary/Import/ImportedEntry.swift",
      "Sources/Diary/Export/DayOneEntry.swift", "Sources/Exchange/LocalDateTime.swift",
      "Sources/Display/DayClock.swift",
    ]
    for source in Self.sources where !known.contains(source.path) && source.text.contains("DayClock(") {
      #expect(!source.code.contains("DayClock("), "\(source.path) works out a day of its own")
    }
  }

  @Test("a text for people is named by its key: no sentence stands where a client would read it")
  func sentences() {
    // What a program answers the daemon; no person reads it.
    let unspoken: Set = ["Sources/Client/Session.swift"]
    // Where an error, a confirmation or a status takes words, a literal may only be a key or one word.
    let places =
      ["message", "advice", "sentence", "reason", "hint", "warning", "title", "display", "label"]
      .flatMap { ["\($0): ", "\($0)\": "] } + Self.bareReasons
    var (count, reasons) = (0, 0)
    for source in Self.literals where !unspoken.contains(source.path) {
      for literal in source.literals where !literal.isExample {
        if literal.before.hasSuffix("Text(") {
          count += 1
          #expect(!literal.text.contains(" "), "\(source.path) has a sentence for a key: \(literal.text)")
        } else if places.contains(where: literal.before.hasSuffix) {
          reasons += 1
          // What is put together of names and numbers is no sentence.
          let words = literal.text.replacing(/\\\(.*/, with: "")
          #expect(
            words.firstMatch(of: /\p{L} +\p{L}/) == nil, "\(source.path) has a sentence without a key: \(literal.text)")
        }
      }
    }
    #expect(count > 100 && reasons > 50)
  }

  /// Failures of the lower layers whose reason has no label.
  private static let bareReasons = [".unavailable(", ".damaged("]

  @Test("what a lower layer gives as a reason is a word that the languages have, and each is given")
  func reasons() throws {
    let family = "reason."
    let literals = Self.literals.flatMap(\.literals)
    let declared = Set(try LanguageFile.keys().filter { $0.hasPrefix(family) }.map { $0.dropFirst(family.count) })
    let places = ["reason: ", "\"reason\": "] + Self.bareReasons
    let given = Set(
      literals.filter { literal in !literal.isExample && places.contains(where: literal.before.hasSuffix) }
        .map { $0.text[...] }.filter { $0.wholeMatch(of: /[a-z][A-Za-z0-9]*/) != nil })
    #expect(declared.count > 40 && given.count > 30)
    #expect(given.subtracting(declared).sorted() == [])
    // The others are what the system itself calls its errors.
    let words = declared.filter { $0.wholeMatch(of: /[a-z][A-Za-z0-9]*/) != nil }
    #expect(words.subtracting(literals.map { $0.text[...] }).sorted() == [])
  }

  @Test("every sentence of the languages is used somewhere, and every key that is written is in them")
  func keys() throws {
    let declared = try LanguageFile.keys()
    var written: Set<String> = []
    var prefixes: Set<String> = []
    for literal in Self.literals.flatMap(\.literals) {
      // A key that is put together: what stands before the place.
      if let place = literal.text.range(of: #"\("#) { prefixes.insert(String(literal.text[..<place.lowerBound])) }
      if !literal.text.contains(" "), literal.text.contains(".") { written.insert(literal.text) }
    }
    // A word that a sentence takes from its language: `{type.expected}`.
    for line in try LanguageFile(.english).lines {
      for place in line.sentence.split(separator: "{", omittingEmptySubsequences: false).dropFirst() {
        if let point = place.prefix(while: { $0 != "}" }).firstIndex(of: ".") {
          prefixes.insert(String(place[...point]))
        }
      }
    }
    #expect(declared.count > 200)
    let families = Set(declared.map { $0.prefix { $0 != "." } })
    let others = written.filter { key in
      key.allSatisfy { $0.isLetter || $0 == "." } && !key.hasSuffix(".") && families.contains(key.prefix { $0 != "." })
        && !declared.contains(key) && !key.hasSuffix(".advice")
    }
    #expect(others.subtracting(Setting.all.map(\.key)).sorted() == [])
    for key in declared.sorted() where !key.hasSuffix(".advice") && !written.contains(key) {
      #expect(prefixes.contains { !$0.isEmpty && key.hasPrefix($0) }, "\(key) is said nowhere")
    }
  }

  /// A string literal of one line.
  private struct Literal {
    var text: String
    /// The line before it.
    var before: Substring
    /// Examples show what a client may read, in English; notes are the reference's.
    var isExample: Bool
  }

  /// Read once for both tests.
  private static let literals = sources.map { (path: $0.path, literals: literals(in: $0)) }

  private static func literals(in source: Repository.Source) -> [Literal] {
    var found: [Literal] = []
    var isExample = false
    for line in source.lines {
      let content = line.utf8.drop { $0 == UInt8(ascii: " ") }
      if content.starts(with: "static ".utf8) || content.starts(with: "package static ".utf8) {
        isExample = ["example", "fields", "notes", "summary"].contains { line.contains(" \($0)") }
      }
      guard content.contains(UInt8(ascii: "\"")), !content.starts(with: "//".utf8), !line.contains("\"\"\"") else {
        continue
      }
      var rest = line[...]
      while let start = rest.utf8.firstIndex(of: UInt8(ascii: "\"")) {
        let first = rest.utf8.index(after: start)
        var end = first
        while end < rest.endIndex, rest.utf8[end] != UInt8(ascii: "\"") {
          if rest.utf8[end] == UInt8(ascii: "\\") { end = rest.utf8.index(after: end) }
          if end < rest.endIndex { end = rest.utf8.index(after: end) }
        }
        guard end < rest.endIndex else { break }
        let behind = rest.utf8.index(after: end)
        found.append(Literal(text: String(rest[first..<end]), before: line[..<start], isExample: isExample))
        rest = rest[behind...]
      }
    }
    return found
  }

  private static func mentions(_ source: Repository.Source, _ words: [String]) -> Bool {
    words.contains { source.text.contains($0) }
  }
}
