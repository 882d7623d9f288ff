import Contract
import Display
import Glibc
import Kit
import Store
import Wire

/// The method that mirrors a collection, the same for all of them.
package enum MirrorItems<Item: MirroredItem>: ExternalWriteMethod {
  package static var name: String { "\(Item.collectionName)/mirror" }
  package static var summary: String {
    "Mirrors the collection to a folder of Markdown files, one way, with the files that its texts show. Without a path, "
      + "updates the folder and returns its state. Text that the user wrote into a file is never overwritten; "
      + "`\(Item.collectionName)/import` imports it."
  }
  package static var effects: Effects { [.writes, .files] }
  package static var doing: Text { Text(Item.mirrorTexts.doing) }
  package static var errors: [ErrorKind] { [.diskFull, .exists, .notAllowed, .notFound] }
  package typealias Params = MirrorParams
  package typealias Result = MirrorReport

  package struct Plan: Sendable {
    fileprivate var params: Params
    fileprivate var stored: MirrorSetting?
  }

  package struct Fetched: Sendable {
    fileprivate var setting: MirrorSetting?
    fileprivate var outcome: MirrorOutcome?
  }

  /// - Throws: `RPCError` of the kind `notAllowed` for a mirror of another confinement, `DatabaseError`.
  package static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    let stored = try MirrorSetting.stored(of: Item.self, in: snapshot)
    if !params.path.isAbsent { try requireOwn(stored, in: snapshot) }
    return Plan(params: params, stored: stored)
  }

  /// - Throws: `RPCError` for a folder that cannot be created.
  package static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    let path = plan.params.path.applied(to: plan.stored?.path)
    guard let path else {
      await services.mirror(of: Item.self).settle()
      return Fetched(setting: nil, outcome: nil)
    }
    var setting = plan.stored ?? MirrorSetting(path: path)
    // Also for the old path: giving it again creates a missing folder, or reports what is in its place.
    if !plan.params.path.isAbsent {
      setting = MirrorSetting(path: path, confinement: FileConfinement.current)
      try await create(path, for: services.library.identity)
    }
    return Fetched(setting: setting, outcome: await services.mirror(of: Item.self).pass(setting, with: services))
  }

  private static func requireOwn(_ stored: MirrorSetting?, in snapshot: Snapshot) throws {
    guard let stored else { return }
    try FileConfinement.requireOwn(stored.path, madeBy: stored.confinement, for: snapshot.feature.confinement)
  }

  private static func create(_ path: String, for library: LibraryIdentity) async throws {
    let marker = MirrorSetting.marker(of: Item.self, in: library)
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

  /// - Throws: as `prepare`.
  package static func finish(_ fetched: Fetched, of plan: Plan, in transaction: Transaction) throws -> Result {
    if !plan.params.path.isAbsent, fetched.setting != plan.stored {
      // Another client may have made one meanwhile.
      try requireOwn(MirrorSetting.stored(of: Item.self, in: transaction.snapshot), in: transaction.snapshot)
      try MirrorSetting.set(fetched.setting, of: Item.self, in: transaction)
      let services = transaction.services
      transaction.afterCommit {
        // Includes the commits between the pass and this.
        if fetched.setting != nil {
          services.mirror(of: Item.self).wake(services)
        } else {
          services.mirror(of: Item.self).end()
        }
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
      if !edited.isEmpty { texts.append(Text(Item.mirrorTexts.edited, arguments(of: edited))) }
      if !setAside.isEmpty { texts.append(Text(Item.mirrorTexts.setAside, arguments(of: setAside))) }
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

package struct MirrorParams: Payload {
  package var path: Patch<String>
  package static let example = MirrorParams(path: .value("/home/ann/diary"))
  package static let fields = [
    "path":
      "An absolute path that does not exist yet, or the folder of a mirror of this library. `null` ends the mirror "
      + "and leaves the folder unchanged."
  ]
  package static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
}

package struct MirrorReport: Payload {
  package enum State: String, Choice {
    case off, current, paused
  }

  package var state: State
  package var path: String?
  package var files: Int?
  package var edited: [String]?
  package var setAside: [String]?
  package var display: String?
  package static let example = MirrorReport(
    state: .current, path: "/home/ann/diary", files: 12, edited: nil, setAside: nil, display: nil)
  package static let fields = [
    "state":
      "`current`: the folder matched the library at the time of the reply; `paused`: nothing is written to it.",
    "path": "The folder.", "files": "The number of items in it.",
    "edited":
      "The edited files, at most 100, whose items have not changed; absent if none. They stay; an import "
      + "imports them.",
    "setAside":
      "The edited files, at most 100, that were renamed because their items changed too or were removed, and whose "
      + "text the library lacks; absent if none. They stay; an import imports them.",
    "display": "Why the mirror is paused, or that files were edited, for people.",
  ]
  package static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
}
