import Client
import Contract
import Features
import Kit
import TestSupport
import Testing
import Wire

@Suite("Items that are not there") struct UnknownItemTests {
  @Test("every method of one item says which is not there, with the same kind of error, and changes nothing")
  func unknown() async throws {
    let daemon = try await TestDaemon.started()
    let client = try await daemon.client()
    let clock = try await client.call("session/status")["library"]?["clock"]
    var asked = 0
    for route in AllFeatures.features.flatMap(\.routes) {
      let method = route.description
      guard let field = method.params.field(at: ["id"]), field.shape == .text(.id) || field.limits.form == .id,
        var params = method.exampleParams.objectValue, params["id"] != nil, !Self.findNothing.contains(method.name),
        field.presence == .required || method.resultOfMany != nil
      else { continue }
      params["id"] = "no-such-item"
      params["dryRun"] = nil
      let failure = try await client.failure(method.name, .object(params))
      #expect(failure?.kind == "notFound", "\(method.name) \(params): \(String(describing: failure))")
      asked += 1
      // Of these two the item is known, or may be of any collection: a conflict or a removal is not there.
      guard !["changes/resolve", "changes/restore"].contains(method.name) else { continue }
      #expect(failure?.data?["id"] == "no-such-item", "\(method.name): \(String(describing: failure?.data))")
      #expect(failure?.data?["collection"]?.stringValue?.isEmpty == false, "\(method.name)")
    }
    #expect(asked > 50, "\(asked)")
    #expect(try await client.call("session/status")["library"]?["clock"] == clock)
    await daemon.stop()
  }

  /// Methods for which an unknown id is none of an item that must be there.
  private static let findNothing: Set<String> = [
    "changes/history", "diary/discardDraft", "notes/discardDraft", "projects/discardDraft",
  ]
}
