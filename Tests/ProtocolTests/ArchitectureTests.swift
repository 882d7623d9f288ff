import Features
import Foundation
import Testing
import Wire

/// The targets as the guide to the architecture draws them: what may be imported where, who may name whom.
@Suite struct ArchitectureTests {
  private static let sources = Repository.sources(under: "Sources")

  @Test("the top level holds what a stranger looks for, and nothing else")
  func topLevel() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Repository.root).filter { !$0.hasPrefix(".") }
    // The resolved versions are made by every build.
    let expected: Set = ["Package.swift", "README.md", "Sources", "Tests", "protocol.md", "scripts"]
    #expect(Set(names).subtracting(["Package.resolved"]) == expected)
  }

  @Test("every package is named in the one version that was tested, also those that only packages need")
  func exactVersions() throws {
    let manifest = try #require(Repository.text("Package.swift"))
    let named = manifest.matches(of: /\.package\(url: "[^"]*\/([^"\/]+)", exact: "([0-9.]+)"\)/)
    #expect(named.count == manifest.ranges(of: ".package(").count)
    // What a build has taken: a package that is not named would float with its own dependencies.
    let resolved = try #require(Repository.text("Package.resolved"))
    let taken = try JSONParser.parse(resolved)["pins"]?.arrayValue ?? []
    #expect(!taken.isEmpty)
    for pin in taken {
      let (name, version) = (pin["identity"]?.stringValue, pin["state"]?["version"]?.stringValue)
      #expect(named.contains { String($0.1) == name && String($0.2) == version }, "\(pin)")
    }
  }

  @Test(
    "a dependency is imported only where it belongs",
    arguments: [
      ("NIO", ["Link", "commonplace-web"]), ("CPage", ["commonplace-web"]), ("CPoppler", ["commonplace-pdf"]),
      ("CCurl", ["HTTP"]),
      ("CScan", ["commonplace-pdf"]), ("CSplash", ["commonplace-pdf"]),
      ("CArchive", ["Zip"]), ("CXML", ["Markup"]), ("CPCRE", ["Documents"]), ("CCrypto", ["Crypto"]),
      ("ArgumentParser", ["commonplace"]), ("CTOML", ["Daemon"]), ("CTokenizer", ["SearchEngine"]),
      ("CStore", ["SQLite", "SearchEngine", "Store"]), ("CICU", ["Display", "HTTP"]), ("CUTF8Proc", ["Display"]),
      ("CSandbox", ["PDF", "commonplace", "commonplace-pdf", "Daemon"]),
    ])
  func importsOfDependencies(prefix: String, targets: [String]) {
    let users = Self.sources.filter { $0.imports.contains { $0.hasPrefix(prefix) } }
    for source in users {
      #expect(targets.contains { source.path.hasPrefix("Sources/\($0)/") }, "\(source.path) imports \(prefix)")
    }
  }

  private static let features: Set = [
    "Boards", "Books", "Diary", "Documents", "Files", "Notes", "Projects", "Search", "Sync", "System", "Texts",
  ]

  @Test(
    "J21 a target imports no target beside or above it: what the library does knows neither transport nor front end",
    arguments: [
      ("Wire", []), ("Contract", ["Wire"]), ("Link", ["Wire"]), ("Client", ["Contract", "Link", "Wire"]),
      ("SQLite", ["Wire"]), ("SearchEngine", ["SQLite", "Threads", "Wire"]), ("Crypto", []), ("Threads", []),
      ("Store", ["Contract", "Crypto", "SQLite", "SearchEngine", "Threads", "Wire"]), ("Display", ["Wire"]),
      ("HTTP", ["Crypto", "Threads", "Wire"]), ("PDF", ["Threads", "Wire"]), ("Zip", []),
      ("Markup", ["Contract", "Wire"]),
      ("Kit", ["Contract", "Display", "HTTP", "PDF", "SQLite", "SearchEngine", "Store", "Threads", "Wire"]),
      ("Exchange", ["Contract", "Display", "Kit", "SQLite", "SearchEngine", "Store", "Threads", "Wire", "Zip"]),
    ])
  func importsOfTargets(target: String, allowed: [String]) {
    let strange = Self.ours(importedBy: target).subtracting(allowed)
    #expect(strange.isEmpty, "\(target) imports \(strange)")
  }

  @Test("J21 a feature imports no other feature, and nothing that connects or runs it", arguments: features)
  func importsOfFeatures(feature: String) {
    let below: Set = [
      "Contract", "Crypto", "Display", "Exchange", "HTTP", "Kit", "Markup", "PDF", "SQLite", "SearchEngine", "Store",
      "Threads", "Wire", "Zip",
    ]
    let strange = Self.ours(importedBy: feature).subtracting(below)
    #expect(strange.isEmpty, "\(feature) imports \(strange)")
  }

  /// The targets of this project that a target imports.
  private static func ours(importedBy target: String) -> Set<String> {
    let ours = Set(sources.compactMap { $0.path.split(separator: "/").dropFirst().first.map(String.init) })
    let sources = sources.filter { $0.path.hasPrefix("Sources/\(target)/") }
    #expect(!sources.isEmpty)
    return sources.reduce(into: Set()) { $0.formUnion($1.imports) }.intersection(ours)
  }

  @Test(
    "G29 what lies under the protocol is tested without transport, client and daemon",
    arguments: [
      "Boards", "Books", "Contract", "Display", "Documents", "Exchange", "HTTP", "Kit", "Markup", "PDF", "Search",
      "SearchEngine", "Store", "Sync", "Wire", "Zip",
    ])
  func testsOfTheCore(folder: String) {
    let tests = Repository.sources(under: "Tests/UnitTests/\(folder)")
    #expect(tests.contains { $0.text.contains("@Test") })
    for test in tests {
      let strange = test.imports.intersection(["Client", "Daemon", "Link"]).union(
        test.imports.filter { $0.hasPrefix("NIO") })
      #expect(strange.isEmpty, "\(test.path) imports \(strange)")
    }
  }

  @Test("a target declares every module that it imports, and no other")
  func declaredImports() throws {
    let manifest = try #require(Repository.text("Package.swift"))
    // What comes with the toolchain and the system.
    let given: Set = ["Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization", "Testing"]
    var count = 0
    // Test targets get theirs through TestSupport, which declares all of them.
    for target in manifest.split(separator: "\n    .") where target.contains("arget(\n") {
      let name = try #require(target.firstMatch(of: /name: "([\w-]+)"/)?.output.1)
      let path = target.firstMatch(of: /path: "([\w\/]+)"/)?.output.1 ?? "Sources/\(name)"
      let sources = Repository.sources(under: String(path))
      guard !sources.isEmpty, !target.hasPrefix("testTarget"), name != "TestDaemonProgram" else { continue }
      let dependencies = target.firstMatch(of: /(?s)dependencies: \[(.*?)\n      \]/)?.output.1 ?? ""
      // What is declared for another platform only fixes a version.
      let declared = dependencies.matches(of: /\n        (?:\.product\(name: )?"(\w+)"(?!.*windows)/).map {
        String($0.output.1)
      }
      let imported = sources.reduce(into: Set<String>()) { $0.formUnion($1.imports) }.subtracting(given)
      #expect(imported.subtracting(declared) == [], "\(name) imports what it does not declare")
      #expect(Set(declared).subtracting(imported) == [], "\(name) declares what it does not import")
      count += 1
    }
    #expect(count > 10)
  }

  /// With its classes and ICU's data the program would be 45 MB larger, and start later.
  @Test("nobody imports Foundation: FoundationEssentials has what is needed of it")
  func noFoundation() {
    for source in Self.sources {
      let whole = source.imports.filter { $0.hasPrefix("Foundation") && $0 != "FoundationEssentials" }
      #expect(whole.isEmpty, "\(source.path) imports \(whole)")
    }
  }

  @Test("Wire, which everything else rests on, imports nothing")
  func wireImportsNothing() {
    for source in Self.sources where source.path.hasPrefix("Sources/Wire/") {
      #expect(source.imports.isEmpty, "\(source.path) imports \(source.imports)")
    }
  }

  @Test("the command line knows no collection by its name: what it says of items is what their features declare")
  func commandLineNamesNoCollection() {
    let names = AllFeatures.features.flatMap(\.collections).map(\.name)
    #expect(names.count > 10)
    for source in Repository.sources(under: "Sources/commonplace") {
      // The notes and files of a report, and the number of conflicts, are no collections.
      let file = source.path.split(separator: "/").last!
      let ofReport = ["ReplyFailures.swift": "notes", "Adding.swift": "files", "Sync.swift": "conflicts"][file]
      for name in names where name != ofReport {
        #expect(!source.text.contains("\"\(name)\""), "\(source.path) names \(name)")
      }
    }
  }

  /// Without its version a name is there only where the headers are: on the machines of those who build.
  @Test("a library that is loaded while the program runs is named with its version")
  func loadedLibraries() throws {
    var names: [Substring] = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: Repository.root + "/Sources") {
      guard path.hasSuffix(".c"), let text = Repository.text("Sources/" + path) else { continue }
      names += text.matches(of: /"(lib[^"]*\.so[^"]*)"/).map(\.output.1)
    }
    #expect(names.count > 3)
    for name in names { #expect(name.wholeMatch(of: /lib[\w+-]+\.so\.(\d+|%d)/) != nil, "\(name) has no version") }
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
    for source in Repository.sources(under: "Tests") where !known.contains(source.path) && source.text.contains("sleep")
    {
      #expect(source.code.firstMatch(of: /\bu?sleep\s*\(/) == nil, "\(source.path) sleeps")
    }
  }

  @Test("nothing is left to be done later, and nothing is printed to standard output by a library")
  func noLeftovers() {
    for source in Self.sources {
      // As a whole text the word is the title of the first column of a board, or what moves a card there.
      if ["TODO", "FIXME", "XXX"].contains(where: source.text.contains) {
        let text = source.text.replacing(/"(Move To )?TODO"/, with: "")
        #expect(text.firstMatch(of: /\b(TODO|FIXME|XXX)\b/) == nil, "\(source.path) leaves something open")
      }
      guard !source.path.hasPrefix("Sources/commonplace"), source.text.contains("print(") else { continue }
      #expect(source.code.firstMatch(of: /(^|[^.\w])print\(/) == nil, "\(source.path) prints")
    }
  }

  /// Swift 6.3, optimized, forgets the first member of `return (place, .success(try await page()))`: the caller reads
  /// what lay in memory before. Debug builds, which all tests run, are right.
  @Test("no tuple waits for one of its members: in a release build the others are lost")
  func noHalfMadeTuples() {
    for source in Self.sources where source.text.contains("await ") {
      let tuple = source.code.firstMatch(of: /(return|\{|=) \([^\n]*, (\.\w+\()?(try )?await [^\n]*/)
      #expect(tuple == nil, "\(source.path): \(tuple?.output.0 ?? "")")
    }
  }
}
