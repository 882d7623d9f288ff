import Contract
import Display
import Features
import Kit
import Testing
import Wire

/// The names that were promised before there was code, compared with what the daemon says of itself.
@Suite struct OutlineTests {
  private let reference = Protocol.reference(of: AllFeatures.features, catalogue: Catalogue())

  private struct Outline {
    var areas: [String: Set<String>] = [:]
    var later: Set<String> = []

    init(_ text: String) {
      var area = ""
      for line in text.split(separator: "\n") where !line.hasPrefix("#") {
        if let match = line.wholeMatch(of: /\[(\w+)\]( later)?/) {
          area = String(match.output.1)
          if match.output.2 != nil { later.insert(area) }
        } else if !line.hasSuffix(" later") {
          areas[area, default: []].insert(String(line))
        }
      }
    }
  }

  private func outline() throws -> Outline {
    Outline(try #require(Repository.text("Tests/ProtocolTests/outline-methods.txt")))
  }

  @Test("rpc.discover names the methods of the outline, all of them and no others")
  func names() throws {
    let outline = try outline()
    let document = reference.openRPC(title: "Commonplace", version: "1")
    let named = document["methods"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
    let byArea = Dictionary(grouping: named) { name in
      name.contains("/") ? String(name.prefix { $0 != "/" }) : "session"
    }.mapValues(Set.init)
    for (area, methods) in outline.areas where area != "notifications" {
      if outline.later.contains(area) {
        #expect(byArea[area] == nil, "\(area) is there: it is not one of later any more")
      } else {
        #expect(byArea[area] ?? [] == methods, "\(area)")
      }
    }
    #expect(Set(byArea.keys).subtracting(outline.areas.keys) == [])
  }

  @Test("the notifications are those of the outline")
  func notifications() throws {
    #expect(Set(reference.notifications.map(\.name)) == (try outline().areas["notifications"]))
  }

  @Test("every param that overwrites, forces or repairs declares that it destroys")
  func paramEffects() throws {
    let destroying: Set = ["force", "overwrite", "rebuildIndex", "repair"]
    var found: Set<String> = []
    for method in reference.methods {
      guard case .object(let params) = method.params else { continue }
      for field in params.fields where destroying.contains(field.name) {
        #expect(field.effects == .destroys, "\(method.name): \(field.name)")
        found.insert(field.name)
      }
      for field in params.fields { #expect(method.effects.isDisjoint(with: field.effects), "\(method.name)") }
    }
    #expect(found == destroying)
  }

  @Test("rpc.discover is a whole OpenRPC document: what must be there is, and every reference leads somewhere")
  func openRPC() throws {
    let document = reference.openRPC(title: "Commonplace", version: "1")
    #expect(document["openrpc"]?.stringValue?.hasPrefix("1.3") == true)
    #expect(document["info"]?["title"] == "Commonplace")
    #expect(document["info"]?["version"] == "1")
    for method in try #require(document["methods"]?.arrayValue) {
      let name = method["name"]?.stringValue ?? ""
      #expect(!name.isEmpty && method["paramStructure"] == "by-name" && method["summary"] != nil)
      let params = try #require(method["params"]?.arrayValue, "\(name)")
      let names = params.compactMap { $0["name"]?.stringValue }
      #expect(names.count == params.count && Set(names).count == names.count, "\(name)")
      for param in params { #expect(param["schema"]?.objectValue != nil, "\(name)") }
      // OpenRPC 1.3: required params come before optional ones.
      let required = params.map { $0["required"] == true }
      #expect(required == required.sorted { $0 && !$1 }, "\(name)")
      #expect(method["result"]?["name"] != nil && method["result"]?["schema"] != nil, "\(name)")
      #expect(method["x-effects"]?.arrayValue != nil, "\(name)")
    }
    for reference in references(in: document) {
      let steps = reference.split(separator: "/").dropFirst()
      #expect(steps.reduce(document) { $0[String($1)] ?? .null } != .null, "\(reference) leads nowhere")
    }
  }

  private func references(in value: JSONValue) -> Set<String> {
    switch value {
    case .object(let object):
      object.members.reduce(into: []) { found, member in
        if member.key == "$ref", let target = member.value.stringValue { found.insert(target) }
        found.formUnion(references(in: member.value))
      }
    case .array(let elements): elements.reduce(into: []) { $0.formUnion(references(in: $1)) }
    default: []
    }
  }
}
