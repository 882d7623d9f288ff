@preconcurrency import Dispatch
import Glibc
import NIOCore
import NIOPosix
import Synchronization
import Wire

/// A listening Unix socket; each accepted client becomes a connection on one of the loops, in turn.
///
/// Clients are accepted with `accept(2)` and then passed to NIO, since a connection writes to its descriptor directly
/// if possible (`Connection.flush`) and NIO does not expose those of its own server.
///
/// A socket that is deleted, alone or with its folder, as at a logout, is created again: connected clients are not
/// affected, and new ones can connect.
package final class Listener: Sendable {
  private struct State {
    /// Nil after shutdown.
    var listeningSocket: ListeningSocket?
    /// Identifies the file that we created; nil for an inherited socket.
    var identity: UnixSocket.Identity?
    var watch: FolderWatch?
  }

  private let path: String
  private let state: Mutex<State>
  private let open: @Sendable (Int32) throws(UnixSocket.Failure) -> ListeningSocket
  private let renewed: @Sendable () -> Void
  private let queue = DispatchQueue(label: "commonplace.socket")

  private init(
    _ descriptor: Int32, path: String, renewed: @escaping @Sendable () -> Void,
    open: @escaping @Sendable (Int32) throws(UnixSocket.Failure) -> ListeningSocket
  ) throws(UnixSocket.Failure) {
    (self.path, self.open, self.renewed) = (path, open, renewed)
    let identity = path.isEmpty ? nil : UnixSocket.Identity(of: path)
    state = Mutex(State(listeningSocket: try open(descriptor), identity: identity))
    if identity != nil { watch() }
  }

  /// Listens at `path`, with mode 0600 from the beginning. The caller creates and protects the folder.
  ///
  /// `accept` runs on the loop of each new connection and returns its delegate. A peer of another user than `owner` is
  /// closed before anything is read from it. `renewed` is called after a deleted socket was created again.
  ///
  /// - Throws: `UnixSocket.Failure`.
  package static func bind<Delegate: ConnectionDelegate>(
    path: String, on loops: Loops, settings: Connection.Settings, owner: UInt32 = geteuid(),
    renewed: @escaping @Sendable () -> Void = {}, accept: @escaping @Sendable (Connection) -> Delegate
  ) async throws -> Listener {
    let descriptor = try UnixSocket.bind(path)
    let identity = UnixSocket.Identity(of: path)
    do {
      return try Listener(descriptor, path: path, renewed: renewed) { descriptor throws(UnixSocket.Failure) in
        try listen(descriptor, on: loops, settings: settings, owner: owner, accept: accept)
      }
    } catch {
      if let identity, UnixSocket.Identity(of: path) == identity { unlink(path) }
      throw error
    }
  }

  /// Listens on a socket that our parent process has bound (socket activation); its file is never deleted. Takes
  /// ownership of the descriptor.
  ///
  /// - Throws: `UnixSocket.Failure`.
  package static func inherit<Delegate: ConnectionDelegate>(
    _ descriptor: Int32, on loops: Loops, settings: Connection.Settings, owner: UInt32 = geteuid(),
    accept: @escaping @Sendable (Connection) -> Delegate
  ) async throws -> Listener {
    let open: @Sendable (Int32) throws(UnixSocket.Failure) -> ListeningSocket = { descriptor in
      try listen(descriptor, on: loops, settings: settings, owner: owner, accept: accept)
    }
    return try Listener(descriptor, path: "", renewed: {}, open: open)
  }

  /// Stops accepting clients and deletes the socket if it is still the one created here. Connected clients stay. Safe
  /// to call twice.
  package func shutdown() async {
    let listeningSocket = state.withLock { state in
      state.watch?.end()
      // The file first: a new client then finds no socket, instead of one without a reply.
      if let identity = state.identity, UnixSocket.Identity(of: path) == identity { unlink(path) }
      defer { state = State() }
      return state.listeningSocket
    }
    await listeningSocket?.close()
  }

  // MARK: - A deleted socket

  /// The delay between two attempts to create the socket again when its folder is missing and cannot be created.
  private static let pause: DispatchTimeInterval = .seconds(5)

  private var folder: String { parentFolder(of: path) }

  private func watch() {
    let watch = FolderWatch(folder, on: queue) { [weak self] in self?.renew() }
    state.withLock { state in
      if state.listeningSocket == nil { watch?.end() } else { state.watch = watch }
    }
  }

  private func renew() {
    let old: ListeningSocket?
    do throws(UnixSocket.Failure) {
      old = try state.withLock { state throws(UnixSocket.Failure) -> ListeningSocket? in
        guard let listeningSocket = state.listeningSocket, UnixSocket.Identity(of: path) != state.identity else {
          return nil
        }
        // A file of somebody else at the path is left alone.
        var status = stat()
        guard lstat(path, &status) != 0 else { return nil }
        mkdir(folder, 0o700)
        let descriptor = try UnixSocket.bind(path)
        let identity = UnixSocket.Identity(of: path)
        state.listeningSocket = try open(descriptor)
        state.identity = identity
        state.watch?.end()
        return listeningSocket
      }
    } catch {
      queue.asyncAfter(deadline: .now() + Self.pause) { [weak self] in self?.renew() }
      return
    }
    guard let old else { return }
    watch()
    Task { await old.close() }
    renewed()
    // It may have been deleted again before the watch began.
    renew()
  }

  private static func listen<Delegate: ConnectionDelegate>(
    _ descriptor: Int32, on loops: Loops, settings: Connection.Settings, owner: UInt32,
    accept: @escaping @Sendable (Connection) -> Delegate
  ) throws(UnixSocket.Failure) -> ListeningSocket {
    let open = ConnectionCount(limit: settings.mostConnections)
    return try ListeningSocket(descriptor) { client in
      // The file's mode already excludes other users, but not in a folder that is open to all, or with a descriptor
      // that was passed on.
      guard PeerCredentials(of: client)?.uid == owner else {
        Glibc.close(client)
        return
      }
      guard open.enter() else {
        refuse(client, settings)
        return
      }
      Connection.adopt(client, on: loops, settings: settings, make: accept) { open.leave() }
    }
  }
}

extension Listener {
  /// Sends the reason before closing: one line, which fits into any socket's buffer.
  private static func refuse(_ client: Int32, _ settings: Connection.Settings) {
    let error = RPCError(code: RPCError.Code.busy, kind: .busy, text: Text("error.tooManyConnections"))
    let words = settings.render(error)
    let line = MessageBytes.error(id: nil, code: error.code, message: words.message, data: words.data) + [0x0A]
    _ = line.withUnsafeBytes { send(client, $0.baseAddress, $0.count, sendFlags) }
    Glibc.close(client)
  }
}

/// Counts connected clients. Each may occupy memory for a frame and its replies, so their number bounds the total.
private final class ConnectionCount: Sendable {
  private let limit: Int
  private let count = Atomic(0)

  init(limit: Int) {
    self.limit = limit
  }

  /// Returns false if the limit is reached.
  func enter() -> Bool {
    guard count.add(1, ordering: .relaxed).newValue <= limit else {
      leave()
      return false
    }
    return true
  }

  func leave() {
    count.subtract(1, ordering: .relaxed)
  }
}

/// A listening socket, of which it takes ownership, and its accepted clients.
private final class ListeningSocket: Sendable {
  private let source: any DispatchSourceRead
  private let closed = DispatchGroup()

  /// `enter` is called with each client's descriptor, of which it takes ownership.
  init(_ listening: Int32, enter: @escaping @Sendable (Int32) -> Void) throws(UnixSocket.Failure) {
    guard fcntl(listening, F_SETFL, fcntl(listening, F_GETFL) | O_NONBLOCK) == 0, Glibc.listen(listening, 256) == 0
    else {
      let failure = UnixSocket.Failure.system(call: "listen", errno: errno)
      Glibc.close(listening)
      throw failure
    }
    let queue = DispatchQueue(label: "commonplace.door")
    let source = DispatchSource.makeReadSource(fileDescriptor: listening, queue: queue)
    self.source = source
    source.setEventHandler {
      switch Self.letIn(from: listening, enter) {
      case .allAccepted: break
      case .noRoom:
        // Without descriptors or memory the socket stays readable; waiting clients are accepted later.
        source.suspend()
        queue.asyncAfter(deadline: .now() + .milliseconds(100)) { source.resume() }
      }
    }
    closed.enter()
    source.setCancelHandler { [closed] in
      Glibc.close(listening)
      closed.leave()
    }
    source.activate()
  }

  private enum End { case allAccepted, noRoom }

  private static func letIn(from listening: Int32, _ enter: (Int32) -> Void) -> End {
    while true {
      let client = accept(listening, nil, nil)
      if client >= 0 {
        // A child process that is being started closes descriptors that it does not know.
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        enter(client)
        continue
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .noRoom
      default: return .allAccepted
      }
    }
  }

  /// Returns when no client can be accepted any more.
  func close() async {
    source.cancel()
    await withCheckedContinuation { done in
      closed.notify(queue: .global()) { done.resume() }
    }
  }
}
