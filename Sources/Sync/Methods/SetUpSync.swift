import Contract
import Glibc
import Kit
import Store
import Wire

enum SetUpSync: ExternalReadMethod {
  static let name = "sync/setUp"
  static let summary =
    "Shares the library with other devices over the target of `[sync]` in config.toml, encrypted, and runs once. Without "
    + "a code it makes a new shared library, and the result has the code for the other devices; with one it joins that "
    + "library: both keep all that they have."
  static let since = 1
  static let effects: Effects = [.reads, .writes, .network]
  static let doing = Text("doing.sync")
  static let errors: [ErrorKind] = [.notAllowed, .unauthorized, .notFound, .exists, .newerLibrary, .unreachable]

  struct Params: Payload {
    var code: String?
    var name: String?
    var again: Bool?
    static let example = Params(code: "CP-0V3Q8-6Q0VC-4YFEB-9H8D2-W5K1T-3M7RN", name: "laptop", again: nil)
    static let fields = [
      "code": "The code of a shared library, as `sync/code` shows it on another device.",
      "name": "The name of this device for people. Default: the machine's.",
      "again": "Write everything anew: the files of the shared library are gone.",
    ]
    static let secrets: Set<String> = ["code"]
    static let limits: [String: FieldLimits] = [
      "code": .length(1...200), "name": FieldLimits(minimumLength: 1, maximumLength: 100, notBlank: true),
    ]
  }

  struct Result: Payload {
    var isNew: Bool
    var code: String?
    var received: Int
    static let example = Result(isNew: true, code: "CP-0V3Q8-6Q0VC-4YFEB-9H8D2-W5K1T-3M7RN", received: 0)
    static let fields = [
      "isNew": "Whether the shared library was made now.",
      "code": "The code of a library that was made now: keep it, and enter it on the other devices.",
      "received": "The number of items that came from other devices.",
    ]
  }

  typealias Plan = Params
  typealias Fetched = Result

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Params { params }

  static func fetch(_ params: Params, with services: Services, progress: Progress) async throws -> Result {
    do {
      let result = try await setUp(params, services)
      let counts = try await services.sync.run(with: services, progress: progress)
      return Result(isNew: result.isNew, code: result.code, received: counts.received)
    } catch is CancellationError {
      throw CancellationError()
    } catch let failure as FileFailure {
      throw RPCError(failure)
    } catch {
      throw RPCError(ofSync: error)
    }
  }

  static func finish(_ result: Result, of plan: Params, in snapshot: Snapshot) throws -> Result { result }

  private static func setUp(_ params: Params, _ services: Services) async throws -> (isNew: Bool, code: String?) {
    let target = try SyncConnection.target(services)
    let (library, file) = (SharedLibrary(services), SecretFile(services))
    let there = try SyncConnection.newest(try await target.spaces())
    let shared = try await library.space()
    let given = try params.code.map { try Self.secret($0) }
    let known = try await file.read()
    if let there, let shared, there.hexadecimal != shared.space { throw SyncProblem.twoSpaces }
    if let there {
      // A known secret: setting up was interrupted before the library noted it.
      guard let code = given ?? (shared == nil ? known : nil) else {
        throw shared == nil ? SyncProblem.codeRequired : SyncProblem.alreadyShared
      }
      guard there.isOpened(by: code) else { throw given == nil ? SyncProblem.codeRequired : SyncProblem.wrongCode }
      try await file.write(code)
      try await library.share(in: there, name: params.name ?? (shared == nil ? machineName : nil), isNew: false)
      return (false, nil)
    }
    if let shared {
      guard params.again == true else { throw SyncProblem.targetGone }
      guard let secret = given ?? known else { throw SyncProblem.needsCode }
      let space = Space(id: bytes(shared.space), generation: shared.generation, secret: secret)
      try await file.write(secret)
      try await target.putSpace(space.fileName, space.bytes)
      try await library.share(in: space, name: params.name, isNew: true)
      return (false, nil)
    }
    if given != nil { throw SyncProblem.targetGone }
    let secret = SpaceSecret.make()
    let space = Space(secret: secret)
    // Before the space: nobody else could ever open it.
    try await file.write(secret)
    try await target.putSpace(space.fileName, space.bytes)
    try await library.share(in: space, name: params.name ?? machineName, isNew: true)
    return (true, secret.code)
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
