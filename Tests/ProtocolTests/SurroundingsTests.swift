import Testing

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
      "Sources/Daemon/Daemon.swift",
    ]
    var places: [String] = []
    for source in Self.sources {
      for match in source.code.matches(of: forbidden) {
        if match.output.contains("timeIntervalSinceNow"), waiting.contains(source.path) { continue }
        places.append(source.path)
      }
    }
    #expect(places == ["Sources/commonplace/Finding/WallClock.swift"])
  }

  @Test("no code asks the machine for its locale, its zone or its calendar: they are the client's")
  func localeAndZone() {
    let forbidden =
      /\b(?:Locale|TimeZone|Calendar|NSLocale|NSTimeZone)\.(?:current|autoupdatingCurrent|system|default|local)\b|\bsetlocale\(|\blocaltime(?:_r)?\(/
    for source in Self.sources {
      #expect(source.code.firstMatch(of: forbidden) == nil, "\(source.path) asks the machine")
    }
    // ICU writes dates only where a reader is given along.
    let users = Self.sources.filter { $0.code.contains("DateFormatter(") }.map(\.path)
    #expect(users == ["Sources/Display/DateWriter.swift"])
  }

  @Test("today is worked out in one place, for one reader")
  func today() {
    let known: Set = [
      // The day itself, its notification, the settings' zone, and days in other programs' files.
      "Sources/Features/Kernel/Days.swift", "Sources/Features/Session/DidChangeDay.swift",
      "Sources/Daemon/RunningLibrary.swift", "Sources/Features/Diary/Import/ImportedEntry.swift",
      "Sources/Display/DayClock.swift",
    ]
    for source in Self.sources where !known.contains(source.path) {
      #expect(!source.code.contains("DayClock("), "\(source.path) works out a day of its own")
    }
  }

  @Test("a text for people is named by its key: no sentence stands where a client would read it")
  func sentences() {
    var count = 0
    for source in Self.sources {
      for line in source.lines where !line.drop(while: \.isWhitespace).hasPrefix("//") {
        for match in line.matches(of: /\bText\(\s*"((?:[^"\\]|\\.)*)"/) {
          count += 1
          #expect(!match.output.1.contains(" "), "\(source.path) has a sentence for a key: \(match.output.1)")
        }
        // Where an error, a confirmation or a status takes words, a literal may only be a key or one word.
        for match in line.matches(of: /\b(?:message|advice|sentence|reason|hint|warning)\w*: "((?:[^"\\]|\\.)*)"/) {
          let words = match.output.1
          guard words.contains(" "), !isExample(line, in: source) else { continue }
          Issue.record("\(source.path) has a sentence without a key: \(words)")
        }
      }
    }
    #expect(count > 100)
  }

  @Test("every text that is declared is used somewhere, and every key that is written is declared")
  func keys() {
    var declared: Set<String> = []
    var written: Set<String> = []
    var prefixes: Set<String> = []
    for source in Self.sources {
      let text = source.lines.filter { !$0.drop(while: \.isWhitespace).hasPrefix("//") }.joined(separator: "\n")
      let entries = text.matches(of: /(?:\bEntry|\.init)\(\s*"([^"]+)",\s*en:/)
      for entry in entries { declared.insert(String(entry.output.1)) }
      let rest = text.replacing(/(?:\bEntry|\.init)\(\s*"([^"]+)",\s*en:/, with: "")
      for match in rest.matches(of: /"([a-z]\w*(?:\.[A-Za-z]\w*)+)"/) { written.insert(String(match.output.1)) }
      // A key that is put together: what stands before the place.
      for match in rest.matches(of: /"([a-z]\w*(?:\.\w+)*\.?)\\\(/) { prefixes.insert(String(match.output.1)) }
    }
    #expect(declared.count > 200)
    let families = Set(declared.map { $0.prefix { $0 != "." } })
    // Names of files and of hosts look like keys.
    let others = written.filter { key in
      families.contains(key.prefix { $0 != "." }) && !declared.contains(key) && !key.hasSuffix(".advice")
    }
    #expect(others.sorted() == Self.otherWords.sorted())
    for key in declared.sorted() where !key.hasSuffix(".advice") && !written.contains(key) {
      #expect(prefixes.contains { key.hasPrefix($0) && !$0.isEmpty }, "\(key) is said nowhere")
    }
  }

  private static let otherWords: [String] = []

  /// Examples show what a client may read, in English.
  private func isExample(_ line: Substring, in source: Repository.Source) -> Bool {
    var seen: Substring?
    for other in source.lines {
      if let found = other.firstMatch(of: /static (?:let|var) (\w+)/) { seen = found.output.1 }
      if other == line { return seen == "example" || seen == "fields" }
    }
    return false
  }
}
