import Contract
import Glibc
import Kit
import Store
import Wire

enum SetUpSync: ExternalReadMethod {
  static let name = "sync/setUp"
  static let summary =
    "Shares the library with other devices over the target of `[sync]` in config.toml, or over a given one, encrypted, and "
    + "runs once. Without a code it makes a new shared library, and the result has the code for the other devices; with "
    + "one it joins that library: both keep all that they have."
  static let effects: Effects = [.reads, .writes, .network]
  static let doing = Text("doing.sync")
  static let errors: [ErrorKind] = [
    .notAllowed, .unauthorized, .notFound, .exists, .newerLibrary, .unreachable, .invalidURL,
  ]
  static let paramEffects: [String: Effects] = ["url": .files]

  struct Params: Payload {
    var code: String?
    var name: String?
    var again: Bool?
    var dryRun: Bool?
    var target: SyncSettings.Kind?
    var url: String?
    var credential: String?
    var bucket: String?
    var region: String?
    var prefix: String?
    static let example = Params(
      code: "CP-0V3Q8-6Q0VC-4YFEB-9H8D2-W5K1T-3M7RN", name: "laptop", again: nil, dryRun: nil, target: nil, url: nil,
      credential: nil, bucket: nil, region: nil, prefix: nil)
    static let fields = [
      "code": "The code of a shared library, as `sync/code` shows it on another device.",
      "name": "The name of this device for people. Default: the machine's.",
      "again":
        "Write everything anew: the files of the shared library are gone. Where only its file `space` is damaged, that one.",
      "dryRun": "Only count what would be exchanged.",
      "target": "The kind of the target, if config.toml names none. It is remembered on this machine.",
      "url": "With `target`: the absolute path of the folder, or the URL of the WebDAV folder or of the S3 endpoint.",
      "credential":
        "The name of a credential in config.toml, whose secret is `user:password`, or `key ID:secret key` for S3.",
      "bucket": "The bucket, for S3.", "region": "The region, for S3. Default: us-east-1.",
      "prefix": "A folder in the bucket, for S3.",
    ]
    static let secrets: Set<String> = ["code"]
    static let limits: [String: FieldLimits] = [
      "code": .length(1...200), "name": FieldLimits(minimumLength: 1, maximumLength: 100, notBlank: true),
      "url": .length(1...4_096, notBlank: true), "credential": .length(1...256, notBlank: true),
      "bucket": .length(1...256, notBlank: true), "region": .length(1...256, notBlank: true),
      "prefix": .length(0...1_024),
    ]

    /// The given target; nil for that of config.toml.
    func given(_ settings: SyncSettings) throws(RPCError) -> GivenTarget? {
      guard target != nil || url != nil else { return nil }
      for (field, isMissing) in [("target", target == nil), ("url", url == nil)] where isMissing {
        throw .invalidParams(field: field, reason: Text("param.missing", ["field": field]))
      }
      guard settings.kind == nil else { throw SyncProblem.targetConfigured }
      guard let target, let url else { return nil }
      return try GivenTarget(
        target, place: url, credential: credential, bucket: bucket, region: region, prefix: prefix)
    }
  }

  /// The items of two libraries before they are joined, by their ids.
  struct Counts: Payload, Equatable {
    var onlyThere: Int
    var onlyHere: Int
    var both: Int
    static let example = Counts(onlyThere: 812, onlyHere: 90, both: 40)
    static let fields = [
      "onlyThere": "The number of items that only the shared library has.",
      "onlyHere": "The number of items that only this library has.", "both": "The number of items that both have.",
    ]
  }

  struct Result: Payload {
    var isNew: Bool
    var code: String?
    var received: Int
    var counts: Counts?
    static let example = Result(
      isNew: true, code: "CP-0V3Q8-6Q0VC-4YFEB-9H8D2-W5K1T-3M7RN", received: 0, counts: nil)
    static let fields = [
      "isNew": "Whether the shared library was made now.",
      "code": "The code of a library that was made now: keep it, and enter it on the other devices.",
      "received": "The number of items that were received from other devices.",
      "counts": "Present for a dry run, which changes nothing.",
    ]
  }

  typealias Plan = Params
  typealias Fetched = Result

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Params {
    if let path = params.url { try FileConfinement.requireOwn(path, madeBy: nil, for: snapshot.feature.confinement) }
    return params
  }

  static func fetch(_ params: Params, with services: Services, progress: Progress) async throws -> Result {
    try await SyncProblem.translating {
      let given = try params.given(services.settings().sync)
      let target = try SyncConnection.target(services, given: given)
      let library = SharedLibrary(services)
      let step = try await step(params, at: target, library, SecretFile(services))
      if params.dryRun == true {
        var counts = Counts(onlyThere: 0, onlyHere: try await library.items().count, both: 0)
        if case .join(let space, let secret, _) = step {
          let found = try await library.counts(of: space, secret, at: target, progress: progress)
          counts = Counts(onlyThere: found.onlyThere, onlyHere: found.onlyHere, both: found.both)
        }
        return Result(isNew: step.isNew, code: nil, received: 0, counts: counts)
      }
      try await take(step, params, at: target, given, library, services)
      let counts = try await services.sync.run(with: services, progress: progress)
      return Result(isNew: step.isNew, code: step.newSecret?.code, received: counts.received, counts: nil)
    }
  }

  static func finish(_ result: Result, of plan: Params, in snapshot: Snapshot) throws -> Result { result }

  /// What is to be done with the space at the target.
  private enum Step {
    case join(Space, SpaceSecret, SharedLibrary.Sharing)
    case writeAgain(Space, SpaceSecret)
    /// Only the file of the space is damaged, which has nothing that this library does not know.
    case restore(Space, SpaceSecret)
    case make(SpaceSecret)

    var isNew: Bool { newSecret != nil }
    var restoresSpace: Bool { if case .restore = self { true } else { false } }
    var newSecret: SpaceSecret? { if case .make(let secret) = self { secret } else { nil } }
  }

  /// Writes nothing.
  private static func step(
    _ params: Params, at target: any SyncTarget, _ library: SharedLibrary, _ file: SecretFile
  ) async throws -> Step {
    let shared = try await library.space()
    let given = try params.code.map { try Self.secret($0) }
    let known = try await file.read()
    let there: Space?
    do { there = try await SyncConnection.space(at: target) } catch let error as RPCError {
      guard error == SyncProblem.damagedSpace, params.again == true, let shared, known.count == 1,
        try await target.space()?.generation == shared.generation
      else { throw error }
      guard given == nil || given == known[0] else { throw SyncProblem.wrongCode }
      return .restore(Space(id: bytes(shared.space), generation: shared.generation, secret: known[0]), known[0])
    }
    if let there {
      if let shared, there.hexadecimal != shared.space { throw SyncProblem.twoSpaces }
      if let shared, there.generation < shared.generation { throw SyncProblem.replacedKey }
      // A known secret: setting up was interrupted before the library noted it.
      let interrupted = shared == nil ? known.first { there.isOpened(by: $0, trustingName: true) } : nil
      guard let code = given ?? interrupted else {
        throw shared == nil ? SyncProblem.codeRequired : SyncProblem.alreadyShared
      }
      let isOpened =
        shared.map { there.isOpened(by: code, of: known, after: $0.generation) }
        ?? there.isOpened(by: code, trustingName: true)
      guard isOpened else { throw SyncProblem.wrongCode }
      let isSameKey = shared.map { $0.generation == there.generation && known.contains(code) } ?? true
      return .join(there, code, isSameKey ? .joined : .rejoined)
    }
    if let shared {
      guard params.again == true else { throw SyncProblem.targetGone }
      guard let secret = given ?? known.first else { throw SyncProblem.needsCode }
      return .writeAgain(Space(id: bytes(shared.space), generation: shared.generation, secret: secret), secret)
    }
    if given != nil { throw SyncProblem.targetGone }
    return .make(.make())
  }

  private static func take(
    _ step: Step, _ params: Params, at target: any SyncTarget, _ given: GivenTarget?, _ library: SharedLibrary,
    _ services: Services
  ) async throws {
    // The name of a library that is shared already stays.
    let isShared = try await library.space() != nil
    let name = params.name ?? (isShared ? nil : machineName)
    let (space, secret, sharing): (Space, SpaceSecret, SharedLibrary.Sharing) =
      switch step {
      case .join(let space, let secret, let sharing): (space, secret, sharing)
      case .writeAgain(let space, let secret): (space, secret, .anew)
      case .restore(let space, let secret): (space, secret, .joined)
      case .make(let secret): (Space(secret: secret), secret, .anew)
      }
    // Before the space, which nobody else could ever open, and beside the former one until the library has it: after a
    // failure or a crash, whichever opens the space is in use.
    let file = SecretFile(services)
    let former = try await file.read()
    try await file.write(former.filter { $0 != secret }.prefix(1) + [secret])
    do {
      if sharing == .anew || step.restoresSpace { try await target.putSpace(space.fileName, space.bytes) }
      // Once it has the space: a place that refuses it must neither replace a former one nor bar the way to another one.
      try await given?.write(services)
      try await library.share(in: space, name: name, sharing)
    } catch {
      // The code of a new library may be the only one that opens it.
      if !former.isEmpty, step.newSecret == nil { try? await file.write(former) }
      throw error
    }
    try await file.write([secret])
  }

  private static func secret(_ code: String) throws(RPCError) -> SpaceSecret {
    do throws(SpaceCodeError) { return try SpaceSecret(code: code) } catch {
      throw error == .newer ? SyncProblem.needsUpgrade : SyncProblem.badCode
    }
  }

  private static func bytes(_ digits: String) -> [UInt8] {
    let digits = Array(digits)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0..<$0 + 2]), radix: 16) ?? 0 }
  }

  private static var machineName: String {
    var name = utsname()
    guard uname(&name) == 0 else { return "?" }
    return withUnsafeBytes(of: &name.nodename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
