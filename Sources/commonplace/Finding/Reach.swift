import Client
import Glibc
import Kit
import Link
import Store
import Wire

/// Finds the daemon that owns a library, and starts one if there is none.
///
/// Any number of commands may do this at the same moment on a machine without a daemon. Each may start one; the lock
/// lets one of those live, the others exit silently, and every command connects to the one that lives:
///
///     A: check ─ none ─ start a ─ a takes the lock, listens, announces ──────────────► connect to a
///     B: check ─ none ─ start b ─ b finds the lock taken, exits ─ check ─ not yet ─ check ─► connect to a
struct Reach {
  /// A daemon that accepts connections. The descriptor is such a connection, and the receiver closes it.
  struct Found {
    var descriptor: Int32
    var socket: String
    /// From the lock file; nil for a daemon that was found by its socket alone.
    var owner: Owner?
  }

  static let deadline: Duration = .seconds(10)
  /// Milliseconds between two checks of a daemon that starts or exits by itself.
  private static let pause: Int32 = 5
  /// A daemon that exits as soon as it has started is not started for ever.
  private static let mostLaunches = 3
  /// The number of checks of the lock for each check of who listens.
  private static let checksForListener = 50
  /// The time in which a daemon recreates its socket if it was removed.
  static let patience: Duration = .seconds(1)

  let place: Place
  /// Whether a started daemon exits when it is idle.
  var untilIdle = true

  /// A daemon of the library; nil if none runs and none is to be started.
  func find(startingOne: Bool) async throws(Failure) -> Found? {
    let end = ContinuousClock.now + Self.deadline
    var launches = 0
    var vanished: ContinuousClock.Instant?
    while ContinuousClock.now < end {
      if let found = try look(until: end) {
        if startingOne, try await Succession(place: place).takesOver(from: found) { continue }
        return found
      }
      if Ownership.isHeld(place.folder) {
        try refuseUnreachable()
        vanished = hasVanishedSocket() ? vanished ?? .now : nil
        if let vanished, ContinuousClock.now - vanished > Self.patience { throw socketGone() }
        poll(nil, 0, Self.pause)
      } else if !startingOne {
        return nil
      } else {
        guard launches < Self.mostLaunches else { break }
        launches += 1
        try Launch(place: place, untilIdle: untilIdle, socket: daemonSocket).run(until: end)
      }
    }
    throw place.voice.failure(.noDaemon, Text("command.daemonSilent", ["log": place.paths.log]))
  }

  /// A connection to a daemon of this version that listens already; nil if anything else would have to be done.
  func findListening() -> Found? {
    guard let found = try? look(until: .now) else { return nil }
    guard let version = found.owner?.version, version != Version.current else { return found }
    close(found.descriptor)
    return nil
  }

  /// The socket for a daemon that is started here; nil for the usual one. A daemon with other folders leaves the usual
  /// socket to systemd. The socket is not connected to, since systemd would start a daemon for that.
  private var daemonSocket: String? {
    if place.options.socket != nil { return try? place.socket() }
    guard !place.paths.areUsual, let socket = try? place.socket(), access(socket, F_OK) == 0 else { return nil }
    return place.paths.ownSocket
  }

  /// Connects if a daemon listens at the socket that the lock file names.
  private func look(until end: ContinuousClock.Instant) throws(Failure) -> Found? {
    if place.options.socket != nil {
      let owner = Ownership.owner(of: place.folder)
      let socket = try place.socket()
      guard let descriptor = try connect(socket) else { return nil }
      // Writing into another library than the given one would be worse than a refusal.
      if place.options.library != nil, let owner, !Self.leads(descriptor, to: owner) {
        close(descriptor)
        throw place.voice.failure(.usage, Text("command.otherLibrary", ["socket": socket]))
      }
      return Found(descriptor: descriptor, socket: socket, owner: owner?.socket == socket ? owner : nil)
    }
    if !Ownership.isHeld(place.folder) { try activate(until: end) }
    guard let owner = Ownership.owner(of: place.folder), !owner.socket.isEmpty,
      let descriptor = try connect(owner.socket)
    else { return nil }
    // A lock file outlives a killed owner; at its socket another library may be served by now.
    guard Self.leads(descriptor, to: owner) else {
      close(descriptor)
      return nil
    }
    return Found(descriptor: descriptor, socket: owner.socket, owner: owner)
  }

  /// Lets systemd start the daemon, if systemd listens at the usual socket, and waits until that daemon owns our
  /// library. It has the environment of the user's systemd, not of our shell.
  ///
  /// - Throws: `Failure` if the daemon serves another library. A write there would be lost to the user.
  private func activate(until end: ContinuousClock.Instant) throws(Failure) {
    guard place.paths.areUsual, let socket = try? place.socket(), let descriptor = try connect(socket) else { return }
    defer { close(descriptor) }
    guard ActivatedSocket.isHeldBySystemd(descriptor) else { return }
    var checks = 0
    while !Ownership.isHeld(place.folder), ContinuousClock.now < end {
      checks += 1
      // Each of these connections waits in systemd's queue.
      if checks % Self.checksForListener == 0 {
        // systemd has given up.
        guard let listener = try connect(socket) else { return }
        defer { close(listener) }
        // A daemon locks its library before it listens.
        if !ActivatedSocket.isHeldBySystemd(listener), !Ownership.isHeld(place.folder) {
          throw place.voice.failure(.usage, Text("command.otherLibrary", ["socket": socket]))
        }
      }
      poll(nil, 0, Self.pause)
    }
  }

  /// Nil if no process listens.
  private func connect(_ socket: String) throws(Failure) -> Int32? {
    do throws(UnixSocket.Failure) {
      return try UnixSocket.connect(socket)
    } catch .foreign {
      throw place.voice.failure(UnixSocket.Failure.foreign)
    } catch {
      return nil
    }
  }

  /// Whether the process that listens at the other end is the owner. A process in another container shows no pid.
  private static func leads(_ descriptor: Int32, to owner: Owner) -> Bool {
    peer(of: descriptor).map { $0 == 0 || $0 == owner.pid } ?? false
  }

  /// The process that listens at the other end; 0 for a process in another container.
  static func peer(of descriptor: Int32) -> pid_t? {
    var credentials: (pid: Int32, uid: UInt32, gid: UInt32) = (0, 0, 0)
    var length = socklen_t(MemoryLayout.size(ofValue: credentials))
    return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 ? credentials.pid : nil
  }

  /// Whether the owner lives, but its socket is gone. The name of a killed owner stays in the lock file until the
  /// next daemon listens.
  private func hasVanishedSocket() -> Bool {
    guard let owner = Ownership.owner(of: place.folder), !owner.socket.isEmpty, kill(owner.pid, 0) == 0 else {
      return false
    }
    return access(owner.socket, F_OK) != 0
  }

  private func socketGone() -> Failure {
    let owner = Ownership.owner(of: place.folder)
    return place.voice.failure(
      .noDaemon,
      Text("command.socketGone", ["pid": owner.map { String($0.pid) } ?? "", "socket": owner?.socket ?? ""]))
  }

  /// An owner that serves one client over its pipes, or listens at another socket than the requested one, will never
  /// be reachable.
  private func refuseUnreachable() throws(Failure) {
    guard let owner = Ownership.owner(of: place.folder) else { return }
    if owner.socket.isEmpty { throw place.voice.failure(StoreError.inUse(owner: owner).rpcError) }
    let wanted = place.options.socket == nil ? owner.socket : try place.socket()
    guard owner.socket != wanted else { return }
    throw place.voice.failure(
      .libraryInUse, Text("command.otherSocket", ["pid": String(owner.pid), "socket": owner.socket]))
  }
}
