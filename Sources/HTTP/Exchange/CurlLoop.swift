import CCurl
import Dispatch
import Glibc
import Synchronization
import Threads

/// The network thread: one libcurl multi handle, polled by the only thread that may use it. Connections are pooled in
/// that handle, so all requests of a client share them.
///
/// The thread and libcurl itself start with the first exchange. Other threads only add a transfer to the inbox, or set
/// its cancel flag; then they wake the network thread.
///
///     task                               network thread
///     submit: inbox += transfer, wake
///                                        takes the inbox, starts the transfer, polls
///     cancel: flag, wake
///                                        sees the flag: remove, close, answer(.cancelled)
final class CurlLoop: Sendable {
  private struct State {
    var inbox: [Transfer] = []
    /// The network thread, once it has been started.
    var worker: pthread_t?
    /// Set by a cancellation: the flags of the transfers have to be checked.
    var mustLook = false
    /// Why new transfers are refused: shut down, or libcurl cannot be used.
    var refusal: HTTPFailure?
    /// Exists while the thread polls it. Woken under the lock, so that it cannot be freed meanwhile.
    var multi: Multi?
  }

  private let state = Mutex(State())
  /// Entered while the thread runs.
  private let life = DispatchGroup()

  /// Runs one exchange to its end. Task cancellation ends it immediately with `cancelled`.
  func run(_ exchange: Exchange) async -> ExchangeEnd {
    let transfer = Transfer(exchange)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        transfer.attach(continuation)
        submit(transfer)
      }
    } onCancel: {
      transfer.cancel()
      state.withLock {
        $0.mustLook = true
        $0.multi?.wake()
      }
    }
  }

  /// Ends every exchange with `shutDown`, refuses new ones, and returns when the thread has ended. May be called more
  /// than once and from any thread; on the network thread itself, where a callback may release the last reference to a
  /// client, it does not wait.
  func shutDown() {
    let isWorker = state.withLock { state in
      state.refusal = .shutDown
      state.multi?.wake()
      return state.worker == pthread_self()
    }
    if !isWorker { life.wait() }
  }

  private func submit(_ transfer: Transfer) {
    let refusal = state.withLock { state -> HTTPFailure? in
      if let refusal = state.refusal { return refusal }
      state.inbox.append(transfer)
      if state.worker == nil { state.worker = start() }
      state.multi?.wake()
      return nil
    }
    if let refusal { transfer.answer(.failed(refusal)) }
  }

  private func start() -> pthread_t {
    life.enter()
    return startThread(named: "http") { [self] in
      work()
      life.leave()
    }
  }
}

// MARK: On the network thread

extension CurlLoop {
  private func work() {
    // OpenSSL writes to closed sockets without MSG_NOSIGNAL. Blocked for this thread and for those that libcurl starts.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)

    if let reason = ccurl_load() {
      return refuseAll(.unavailable(reason: String(cString: reason)))
    }
    guard let multi = Multi() else { return refuseAll(.unavailable(reason: "noMemory")) }
    state.withLock { $0.multi = multi }
    var transfers = TransferSet(multi)
    var refusal: HTTPFailure?
    while refusal == nil {
      let news = takeNews()
      refusal = news.refusal
      transfers.add(news.arrived)
      if news.mustLook { transfers.endCancelled() }
      if refusal == nil, let reason = transfers.advance() { refusal = .unavailable(reason: reason) }
    }
    transfers.endAll(refusal ?? .shutDown)
    state.withLock { $0.multi = nil }
    multi.free()
    refuseAll(refusal ?? .shutDown)
  }

  private func takeNews() -> (arrived: [Transfer], mustLook: Bool, refusal: HTTPFailure?) {
    state.withLock { state in
      defer { (state.inbox, state.mustLook) = ([], false) }
      return (state.inbox, state.mustLook, state.refusal)
    }
  }

  /// Called at the end of the thread, so that every submitted transfer gets a result.
  private func refuseAll(_ refusal: HTTPFailure) {
    let left = state.withLock { state in
      defer { state.inbox = [] }
      state.refusal = state.refusal ?? refusal
      return state.inbox
    }
    for transfer in left { transfer.answer(.failed(refusal)) }
  }
}

/// A multi handle. Sendable because of `wake`; everything else is confined to the network thread.
struct Multi: @unchecked Sendable {
  let handle: UnsafeMutableRawPointer

  init?() {
    guard let handle = ccurl_multi_init() else { return nil }
    self.handle = handle
  }

  /// Ends the current or the next wait of the network thread.
  func wake() { _ = ccurl_multi_wakeup(handle) }

  /// Closes all pooled connections. Every transfer must have been removed.
  func free() { _ = ccurl_multi_cleanup(handle) }
}
