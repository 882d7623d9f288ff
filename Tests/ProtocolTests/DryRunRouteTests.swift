import Contract
import Features
import Kit
import Testing
import Wire

@Suite struct DryRunRouteTests {
  @Test("every method that is no pure read has a dry run, or refuses one before it does anything")
  func everyRoute() throws {
    var refusals = 0
    for route in AllFeatures.features.flatMap(\.routes) {
      let method = route.description
      guard !method.effects.isDisjoint(with: [.writes, .files, .network]) else { continue }
      if case .object(let params) = method.params, params[field: "dryRun"] != nil { continue }
      if method.canRehearse {
        // It ends in a transaction, which is rolled back.
        guard case .external = route.body else {
          Issue.record("\(method.name) is a plain write")
          continue
        }
        #expect(method.effects.contains(.writes) && !method.effects.contains(.files), "\(method.name)")
        continue
      }
      var params = method.exampleParams.objectValue ?? [:]
      params["dryRun"] = true
      let failure = #expect(throws: RPCError.self, "\(method.name)") {
        switch route.body {
        // Rolled back at the end of its transaction.
        case .write, .longWrite: throw RPCError.invalidParams(field: "dryRun", reason: Text("param.noDryRun"))
        case .read(_, let decode): _ = try decode(.object(params))
        case .external(_, let decode): _ = try decode(.object(params))
        case .detached(let decode): _ = try decode(.object(params))
        case .control: Issue.record("\(method.name) runs without a transaction")
        }
      }
      #expect(failure?.data["field"] == "dryRun", "\(method.name)")
      refusals += 1
    }
    #expect(refusals > 20)
  }
}
