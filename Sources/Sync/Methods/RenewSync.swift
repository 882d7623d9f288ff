import Contract
import Kit
import Store
import Wire

enum RenewSync: ExternalReadMethod {
  static let name = "sync/renew"
  static let summary =
    "Replaces the key of the shared library, for a device that was lost or given away: it gets nothing more, and nothing "
    + "that it writes is read. All other devices have to enter the new code; what they write until then is kept."
  static let effects: Effects = [.reads, .writes, .network]
  static let paramEffects: [String: Effects] = ["force": .destroys]
  static let doing = Text("doing.sync")
  static let errors: [ErrorKind] = [.notAllowed, .unauthorized, .notFound, .exists, .newerLibrary, .unreachable]

  struct Params: Payload {
    var force: Bool?
    static let example = Params(force: true)
    static let fields = [
      "force":
        "Whether to do it although the target has files that cannot be read: what only the lost device wrote into them is "
        + "lost."
    ]
  }

  struct Result: Payload {
    var code: String
    var note: String
    static let example = Result(
      code: "CP-0V3Q8-6Q0VC-4YFEB-9H8D2-W5K1T-3M7RN", note: "What the lost device has read it still has.")
    static let fields = [
      "code": "The new code: keep it, and enter it on the other devices.", "note": "What a new key cannot do.",
    ]
  }

  typealias Plan = Params
  typealias Fetched = SpaceSecret

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Params { params }

  static func fetch(_ params: Params, with services: Services, progress: Progress) async throws -> SpaceSecret {
    try await SyncProblem.translating {
      // All that lies under the old key is read first.
      _ = try await services.sync.run(with: services, progress: progress)
      let secret = try await services.sync.renewKey(isForced: params.force == true, with: services)
      _ = try await services.sync.run(with: services, progress: progress)
      return secret
    }
  }

  static func finish(_ secret: SpaceSecret, of plan: Params, in snapshot: Snapshot) throws -> Result {
    Result(code: secret.code, note: snapshot.words(Text("sync.renewed")))
  }
}
