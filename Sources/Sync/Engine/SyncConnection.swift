import Contract
import Crypto
import FoundationEssentials
import Glibc
import Kit
import Store
import Wire

/// An open space: its target, and the key to its files.
struct SyncConnection: Sendable {
  var target: any SyncTarget
  let space: Space
  let secret: SpaceSecret
  /// Whether this machine has a former secret before the one in use.
  let followsFormer: Bool
  let sealing: SpaceSealing
  let pieces: PieceSealing

  /// Opens the space in which the library is shared.
  ///
  /// - Throws: `RPCError`, `TargetError`, `CancellationError`.
  init(_ stored: (space: String, generation: Int), with services: Services) async throws {
    let target = try Self.target(services)
    let secrets = try await SecretFile(services).read()
    guard !secrets.isEmpty else { throw SyncProblem.needsCode }
    guard let space = try await Self.space(at: target) else { throw SyncProblem.targetGone }
    guard space.hexadecimal == stored.space else { throw SyncProblem.twoSpaces }
    // A replaced key is not used again, whatever the target shows.
    guard space.generation >= stored.generation else { throw SyncProblem.replacedKey }
    guard let secret = secrets.first(where: { space.isOpened(by: $0, of: secrets, after: stored.generation) }) else {
      throw SyncProblem.needsCode
    }
    (self.target, self.space, self.secret) = (target, space, secret)
    followsFormer = secrets.first != secret
    sealing = space.sealing(secret)
    pieces = PieceSealing(space, secret)
  }

  /// - Throws: `RPCError`, `TargetError`.
  static func target(_ services: Services, given: GivenTarget? = nil) throws -> any SyncTarget {
    let settings = given?.applied(to: services.settings().sync) ?? services.syncSettings
    guard let target = settings.target else { throw SyncProblem.noTarget }
    return try syncTarget(target, allowsPlain: settings.allowsPlain, services)
  }

  /// - Returns: nil if the target has no space.
  /// - Throws: `RPCError` for a space that this version cannot read, `TargetError`, `CancellationError`.
  static func space(at target: any SyncTarget) async throws -> Space? {
    guard let (generation, bytes) = try await target.space() else { return nil }
    do throws(SpaceFileError) { return try Space(bytes, generation: generation) } catch {
      throw error == .newerFormat ? SyncProblem.needsUpgrade : SyncProblem.damagedSpace
    }
  }
}

extension Space {
  var hexadecimal: String { Crypto.hexadecimal(id) }

  /// Whether a secret opens it for a library that is shared under a generation.
  ///
  /// - Parameter known: the secrets of this machine. The first one is that of the library's generation: it opens a later
  ///   one only if that names the generation itself. The name is believed for any other secret, such as that of a change
  ///   of the key that an earlier version began.
  func isOpened(by secret: SpaceSecret, of known: [SpaceSecret], after generation: Int) -> Bool {
    isOpened(by: secret, trustingName: self.generation == generation || secret != known.first)
  }
}

extension WriterIdentity {
  /// This machine, as it runs now, and this copy of the library.
  init(_ services: Services) {
    func text(_ path: String) -> String {
      (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingWhitespace() ?? ""
    }
    self.init(
      boot: text("/proc/sys/kernel/random/boot_id"), device: text(services.stateFolder + "/device"),
      epoch: services.library.identity.epoch)
  }
}
