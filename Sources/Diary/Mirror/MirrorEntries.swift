import Contract
import Display
import Glibc
import Kit
import Store
import Wire

enum MirrorEntries: ExternalWriteMethod {
  static let name = "diary/mirror"
  static let summary =
    "Mirrors the diary to a folder of Markdown files, one way. Without a path, updates the folder and returns its "
    + "state. Text that the user wrote into a file is never overwritten; `diary/import` imports it."
  static let since = 1
  static let effects: Effects = [.writes, .files]
  static let doing = Text("doing.mirrorEntries")
  static let errors: [ErrorKind] = [.diskFull, .exists, .notAllowed, .notFound]

  struct Params: Payload {
    var path: Patch<String>
    static let example = Params(path: .value("/home/ann/diary"))
    static let fields = [
      "path":
        "An absolute path that does not exist yet, or the folder of a mirror of this library. `null` ends the mirror "
        + "and leaves the folder unchanged."
    ]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  struct Result: Payload {
    enum State: String, Choice {
      case off, current, paused
    }

    var state: State
    var path: String?
    var files: Int?
    var edited: [String]?
    var setAside: [String]?
    var display: String?
    static let example = Result(
      state: .current, path: "/home/ann/diary", files: 12, edited: nil, setAside: nil, display: nil)
    static let fields = [
      "state":
        "`current`: the folder matched the library at the time of the reply; `paused`: nothing is written to it.",
      "path": "The folder.", "files": "The number of entries in it.",
      "edited":
        "The edited files, at most 100, whose entries have not changed; absent if none. They stay; `diary/import` "
        + "imports them.",
      "setAside":
        "The edited files, at most 100, that were renamed because their entries changed too or were removed, and whose "
        + "text the diary lacks; absent if none. They stay; `diary/import` imports them.",
      "display": "Why the mirror is paused, or that files were edited, for people.",
    ]
  }

  struct Plan: Sendable {
    var params: Params
    var stored: MirrorSetting?
  }

  struct Fetched: Sendable {
    var setting: MirrorSetting?
    var outcome: DiaryMirror.Outcome?
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    let stored = try MirrorSetting.stored(in: snapshot)
    if !params.path.isAbsent { try requireOwn(stored, in: snapshot) }
    return Plan(params: params, stored: stored)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    let path = plan.params.path.applied(to: plan.stored?.path)
    guard let path else {
      await services.diaryMirror.settle()
      return Fetched(setting: nil, outcome: nil)
    }
    var setting = plan.stored ?? MirrorSetting(path: path)
    // Also for the old path: giving it again creates a missing folder, or reports what is in its place.
    if !plan.params.path.isAbsent {
      setting = MirrorSetting(path: path, confinement: FileConfinement.current)
      try await create(path, for: services.library.identity)
    }
    return Fetched(setting: setting, outcome: await services.diaryMirror.pass(setting, with: services))
  }

  private static func requireOwn(_ stored: MirrorSetting?, in snapshot: Snapshot) throws {
    guard let stored else { return }
    try FileConfinement.requireOwn(stored.path, madeBy: stored.confinement, for: snapshot.feature.confinement)
  }

  private static func create(_ path: String, for library: LibraryIdentity) async throws {
    let marker = MirrorSetting.marker(of: library)
    do {
      try await onThread { _ in
        // The folder of a mirror that was ended may be used again.
        if (try? MirrorFolder(opening: path, marker: marker)) != nil { return }
        try MirrorFolder.create(path, marker: marker)
      }
    } catch let failure as FileFailure {
      throw failure.errno == EEXIST ? RPCError(.exists, text: Text("file.exists", ["path": path])) : RPCError(failure)
    }
  }

  static func finish(_ fetched: Fetched, of plan: Plan, in transaction: Transaction) throws -> Result {
    if !plan.params.path.isAbsent, fetched.setting != plan.stored {
      // Another client may have made one meanwhile.
      try requireOwn(MirrorSetting.stored(in: transaction.snapshot), in: transaction.snapshot)
      try MirrorSetting.set(fetched.setting, in: transaction)
      let services = transaction.services
      transaction.afterCommit {
        // Includes the commits between the pass and this.
        if fetched.setting != nil { services.diaryMirror.wake(services) } else { services.diaryMirror.end() }
      }
    }
    let (reader, catalogue) = (transaction.reader, transaction.services.catalogue)
    switch fetched.outcome {
    case nil: return Result(state: .off)
    case .current(let files, let edited, let setAside):
      var result = Result(state: .current, path: fetched.setting?.path, files: files)
      if !edited.isEmpty { result.edited = Array(edited.prefix(100)) }
      if !setAside.isEmpty { result.setAside = Array(setAside.prefix(100)) }
      var texts: [Text] = []
      if !edited.isEmpty { texts.append(Text("diary.mirror.edited", arguments(of: edited))) }
      if !setAside.isEmpty { texts.append(Text("diary.mirror.setAside", arguments(of: setAside))) }
      let sentences = texts.map { catalogue.string(for: $0, language: reader.language) }
      if !sentences.isEmpty { result.display = reader.language.joined(sentences) }
      return result
    case .paused(let reason):
      let sentences = [
        catalogue.string(for: reason, language: reader.language),
        catalogue.advice(on: reason, language: reader.language),
      ]
      return Result(
        state: .paused, path: fetched.setting?.path,
        display: reader.language.joined(sentences.compactMap(\.self)))
    }
  }

  private static func arguments(of names: [String]) -> [String: String] {
    ["count": String(names.count), "names": names.prefix(3).joined(separator: ", ")]
  }
}
