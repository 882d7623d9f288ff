import Testing

/// The house as the README draws it: what may be imported where, who may name whom.
@Suite struct ArchitectureTests {
  private static let sources = Repository.sources(under: "Sources")

  @Test(
    "a dependency is imported only where it belongs",
    arguments: [
      ("NIO", ["Link"]), ("GRDB", ["Store", "Features"]), ("CPoppler", ["commonplace-pdf"]), ("CCurl", ["HTTP"]),
      ("ArgumentParser", ["commonplace"]), ("TOMLKit", ["Daemon"]), ("CTokenizer", ["Store"]),
      ("CSandbox", ["PDF", "commonplace", "commonplace-pdf", "Daemon"]),
    ])
  func importsOfDependencies(prefix: String, targets: [String]) {
    let users = Self.sources.filter { $0.imports.contains { $0.hasPrefix(prefix) } }
    for source in users {
      #expect(targets.contains { source.path.hasPrefix("Sources/\($0)/") }, "\(source.path) imports \(prefix)")
    }
  }

  @Test(
    "a target imports no target beside or above it",
    arguments: [
      ("Wire", []), ("Contract", ["Wire"]), ("Link", ["Wire"]), ("Client", ["Contract", "Link", "Wire"]),
      ("Store", ["Contract", "Wire"]), ("Display", ["Wire"]), ("HTTP", []), ("PDF", ["Wire"]),
      ("Features", ["Contract", "Display", "HTTP", "PDF", "Store", "Wire"]),
    ])
  func importsOfTargets(target: String, allowed: [String]) {
    let ours: Set = [
      "Wire", "Contract", "Link", "Client", "Store", "Display", "HTTP", "PDF", "Features", "Daemon", "TestSupport",
    ]
    let sources = Self.sources.filter { $0.path.hasPrefix("Sources/\(target)/") }
    #expect(!sources.isEmpty)
    for source in sources {
      let strange = source.imports.intersection(ours).subtracting(allowed)
      #expect(strange.isEmpty, "\(source.path) imports \(strange)")
    }
  }

  @Test("Wire, which everything else rests on, imports nothing")
  func wireImportsNothing() {
    for source in Self.sources where source.path.hasPrefix("Sources/Wire/") {
      #expect(source.imports.isEmpty, "\(source.path) imports \(source.imports)")
    }
  }

  @Test("no file of one feature names a type of another")
  func featuresDoNotMeet() {
    let features = Repository.sources(under: "Sources/Features").filter { $0.path.split(separator: "/").count > 3 }
    let folders = Dictionary(grouping: features) { $0.path.split(separator: "/")[2] }
    #expect(folders.count > 3)
    for (folder, sources) in folders where folder != "Kernel" {
      let declared = sources.flatMap { declarations(in: $0.code) }
      for other in features where !other.path.hasPrefix("Sources/Features/\(folder)/") {
        // The kernel is what all features share; it may speak of what the session shows.
        guard !other.path.hasPrefix("Sources/Features/Kernel/") else { continue }
        let own = Set(folders[other.path.split(separator: "/")[2]]!.flatMap { declarations(in: $0.code) })
        let named = words(of: other.code)
        let strange = declared.filter { named.contains($0) && !own.contains($0) }
        #expect(strange.isEmpty, "\(other.path) names \(strange) of \(folder)")
      }
    }
  }

  @Test("a file has one idea and at most 300 lines of code")
  func fileLengths() {
    // A file may leave this list and none may join it.
    let known: Set = ["Sources/PDF/PoolLoop.swift"]
    for source in Self.sources where !known.contains(source.path) {
      #expect(source.codeLineCount <= 300, "\(source.path) has \(source.codeLineCount) lines of code")
    }
  }

  @Test("every test is named by a sentence")
  func testNames() {
    var count = 0
    for source in Repository.sources(under: "Tests") {
      for match in source.text.matches(of: /@Test(?:\(\s*"((?:[^"\\]|\\.)*)")?/) {
        // Not those that stand in a text or a comment, as here.
        let line = source.text[..<match.range.lowerBound].split(separator: "\n", omittingEmptySubsequences: false).last
        guard let line, line.allSatisfy(\.isWhitespace) else { continue }
        count += 1
        let name = match.output.1.map(String.init) ?? ""
        #expect(name.split(separator: " ").count > 2, "\(source.path): “\(name)” is no sentence")
      }
    }
    #expect(count > 100)
  }

  @Test("no test sleeps: it waits for what it waits for")
  func noSleep() {
    // A task that is cancelled while it sleeps for an hour waits for its cancellation.
    let known: Set = ["Tests/UnitTests/HTTP/DownloadRefusalTests.swift"]
    for source in Repository.sources(under: "Tests") where !known.contains(source.path) {
      #expect(source.code.firstMatch(of: /\bu?sleep\s*\(/) == nil, "\(source.path) sleeps")
    }
  }

  @Test("nothing is left to be done later, and nothing is printed to standard output by a library")
  func noLeftovers() {
    for source in Self.sources {
      #expect(source.text.firstMatch(of: /\b(TODO|FIXME|XXX)\b/) == nil, "\(source.path) leaves something open")
      guard !source.path.hasPrefix("Sources/commonplace") else { continue }
      #expect(source.code.firstMatch(of: /(^|[^.\w])print\(/) == nil, "\(source.path) prints")
    }
  }

  /// Types at the top level of a file that others could name.
  private func declarations(in code: String) -> [String] {
    code.matches(
      of:
        /(?m)^(?:package |public |internal )?(?:final |indirect )*(?:enum|struct|class|protocol|actor|typealias) (\w+)/
    )
    .map { String($0.output.1) }
  }

  private func words(of code: String) -> Set<String> {
    Set(code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
  }
}
