import Kit
import Store
import Wire

/// Why the library is not shared, in sentences for people.
enum SyncProblem {
  /// Nobody has set it up.
  static let off = RPCError(.notAllowed, text: Text("sync.off"))
  /// `[sync]` of config.toml names no target.
  static let noTarget = RPCError(.notAllowed, text: Text("sync.noTarget"))
  /// A target was given, but config.toml names one.
  static let targetConfigured = RPCError(.notAllowed, text: Text("sync.targetConfigured"))
  /// The secret is not on this machine.
  static let needsCode = RPCError(.unauthorized, text: Text("sync.needsCode"))
  static let wrongCode = RPCError(.unauthorized, text: Text("sync.wrongCode"))
  static let badCode = RPCError(.unauthorized, text: Text("sync.badCode"))
  static let codeRequired = RPCError(.unauthorized, text: Text("sync.codeRequired"))
  /// The space is not at the target any more: nothing is taken for removed.
  static let targetGone = RPCError(.notFound, text: Text("sync.targetGone"))
  /// Another space is there.
  static let twoSpaces = RPCError(.exists, text: Text("sync.twoSpaces"))
  /// The target shows a space of an earlier key.
  static let replacedKey = RPCError(.corrupt, text: Text("sync.replacedKey"))
  static let unknownDevice = RPCError(.notFound, text: Text("sync.unknownDevice"))
  static let alreadyShared = RPCError(.exists, text: Text("sync.alreadyShared"))
  static let needsUpgrade = RPCError(.newerLibrary, text: Text("sync.needsUpgrade"))
  /// A new key would leave out the files of a newer version, or others that cannot be read.
  static let newerFiles = RPCError(.newerLibrary, text: Text("sync.newerFiles"))
  static func unreadFiles(_ count: Int) -> RPCError {
    RPCError(.notAllowed, text: Text("sync.unreadFiles", ["count": String(count)]))
  }
  static let damagedSpace = RPCError(.corrupt, text: Text("sync.damagedSpace"))
}

extension SyncProblem {
  /// Runs the work of a request.
  ///
  /// - Throws: `RPCError`, `CancellationError`.
  static func translating<Value>(_ work: () async throws -> Value) async throws -> Value {
    do { return try await work() } catch is CancellationError {
      throw CancellationError()
    } catch let failure as FileFailure {
      throw RPCError(failure)
    } catch {
      throw RPCError(ofSync: error)
    }
  }
}

extension RPCError {
  init(_ error: TargetError) {
    let kind: ErrorKind =
      switch error.kind {
      case .unreachable: .unreachable
      case .refused: .unauthorized
      case .full: .diskFull
      case .gone: .notFound
      }
    self.init(kind, text: error.text)
    if let delay = error.retryAfter, kind == .unreachable { data["retryAfter"] = .integer(delay.components.seconds) }
  }

  /// An error of a run as clients get it.
  init(ofSync error: any Error) {
    self =
      switch error {
      case let error as RPCError: error
      case let error as TargetError: RPCError(error)
      case let error as FileFailure: RPCError(error)
      default: .internalError
      }
  }
}
