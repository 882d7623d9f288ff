import Contract
import Daemon
import Display
import Features
import Foundation
import Kit
import TestSupport
import Testing
import Wire

/// The protocol as its rows describe it.
@Suite struct ReferenceTests {
  private let reference = Protocol.reference(of: AllFeatures.features, catalogue: Catalogue())

  @Test("every row has a sentence, a note for each field, an example that is read back, and a name of its own")
  func problems() {
    #expect(reference.problems == [])
    #expect(reference.methods.count > 15)
  }

  @Test("params are read or refused as the schema says, for the least, the most and everything wrong")
  func instances() {
    for method in reference.methods {
      for instance in SchemaInstances.all(of: method.params) {
        // LSP's own methods ignore the members that they do not know.
        let isAccepted = instance.isAccepted || method.isLanguageServer && instance.label.hasPrefix("a member")
        let error = method.readsParams(instance.value)
        #expect((error == nil) == isAccepted, "\(method.name): \(instance.label): \(error?.text.key ?? "read")")
      }
    }
  }

  @Test(
    "params that read themselves are read as their fields say: examples, the least, the most, nulls, what is unknown")
  func params() throws {
    for method in reference.methods {
      var instances = SchemaInstances.all(of: method.params).map { ($0.label, $0.value) }
      instances.append(("the example", method.exampleParams))
      if case .object(let shape) = method.params, case .object(let example) = method.exampleParams {
        for field in shape.fields where field.presence != .required {
          var with = example
          with[field.name] = .null
          instances.append(("\(field.name) is null", .object(with)))
        }
        // Every request may carry these; no payload has them.
        instances.append(("options", .object(JSONObject(example.members + [.init(key: "view", value: "a")]))))
      }
      var count = 0
      for (label, value) in instances {
        guard let (byItself, byCodable) = try method.readsBothWays(value) else { continue }
        // The members of a dictionary have no order.
        let isEqual = try byItself == byCodable || JSONParser.parse(byItself) == JSONParser.parse(byCodable)
        #expect(isEqual, "\(method.name): \(label)")
        count += 1
      }
      // At least the example, the least and the most.
      #expect(count >= 3, "\(method.name)")
    }
  }

  @Test("a result that writes itself is written as its fields say, whatever is in it")
  func results() throws {
    for method in reference.methods {
      let least = SchemaInstances.minimum(of: method.result)
      for instance in [least, SchemaInstances.maximum(of: method.result), method.exampleResult] {
        let (byItself, byCodable) = try method.writesResult(instance)
        #expect(
          String(decoding: byItself, as: UTF8.self) == String(decoding: byCodable, as: UTF8.self), "\(method.name)")
      }
    }
  }

  @Test("a method says that its result gives the clock exactly if it does")
  func clocks() {
    for route in AllFeatures.features.flatMap(\.routes) {
      guard case .object(let result) = route.description.result else { continue }
      #expect(route.givesClock == (result[field: "clock"] != nil), "\(route.name)")
    }
  }

  /// They ask what the daemon itself has in memory, or look up a few rows.
  private static let quick: Set<String> = ["search/history", "search/random", "search/suggest", "session/status"]

  @Test("what may take long says in words of its own what it does, and only what is quick does not")
  func doing() {
    let catalogue = Catalogue()
    var wordless: Set<String> = []
    for route in AllFeatures.features.flatMap(\.routes) {
      guard case .external(let doing, _) = route.body else { continue }
      #expect(catalogue.word(doing.key, in: .english) != nil, "\(route.name): \(doing.key)")
      if doing.key == "doing.something" { wordless.insert(route.name) }
    }
    #expect(wordless == Self.quick)
  }

  @Test("every kind of error has a sentence and advice")
  func errors() {
    let catalogue = Catalogue()
    for error in reference.errors {
      #expect(catalogue.word("error.\(error.name)", in: .english) != nil, "\(error.name)")
      #expect(error.meaning.hasSuffix("."), "\(error.name)")
    }
  }

  @Test("the guide explains config.toml as the settings are declared")
  func configuration() throws {
    let guide = try #require(Repository.text("Sources/commonplace/Commonplace.docc/Configuration.md"))
    #expect(guide.contains("```toml\n" + Configuration.page + "```\n"))
  }

  @Test("protocol.md is what the code says")
  func page() throws {
    if Repository.isRegenerating { try Repository.write(reference.markdown, to: "protocol.md") }
    #expect(
      Repository.text("protocol.md") == reference.markdown,
      "run scripts/regenerate, or REGENERATE=1 scripts/test --filter ProtocolTests")
  }

  @Test("the present level is frozen as it is, and nothing of an earlier one has gone")
  func levels() throws {
    let present = ProtocolLevel.frozen(
      level: Version.protocolLevel, methods: reference.methods, notifications: reference.notifications)
    for level in 1...Version.protocolLevel {
      let path = "Tests/ProtocolTests/level-\(level).json"
      let isPresent = level == Version.protocolLevel
      let known = Repository.text(path)
      if isPresent, Repository.isRegenerating { try Repository.write(pretty(present), to: path) }
      let frozen = try JSONParser.parse(try #require(Repository.text(path), "\(path) is missing"))
      #expect(ProtocolLevel.breaks(from: frozen, to: present) == [])
      if isPresent, !Repository.isRegenerating {
        #expect(known == pretty(present), "run REGENERATE=1 scripts/test --filter ProtocolTests")
      }
    }
  }

  /// A line for each method, so that a change can be read.
  private func pretty(_ level: JSONValue) -> String {
    var lines = ["{\"level\":\(level["level"] ?? .null)"]
    for group in ["methods", "notifications"] {
      let rows = level[group]?.objectValue?.members ?? []
      let written = rows.map { "  \(JSONValue.string($0.key)):\($0.value)" }
      lines.append(",\"\(group)\":{\n" + written.joined(separator: ",\n") + "\n}")
    }
    return lines.joined() + "}\n"
  }
}
