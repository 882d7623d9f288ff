import CSandbox
import Synchronization

/// A request to the pool, shared by the waiting task and the pool's thread.
final class Job: Sendable {
  let source: DocumentSource
  let request: WorkerRequest
  /// The file to which the worker writes its result.
  let output: Descriptor
  /// Data of the request that does not fit into a message.
  let input: Descriptor?
  let urgency: Urgency
  private let cancelled = Atomic(false)

  init(
    source: DocumentSource, request: WorkerRequest, output: Descriptor, input: Descriptor? = nil,
    urgency: Urgency = Urgency(.asked)
  ) {
    self.source = source
    self.request = request
    self.output = output
    self.input = input
    self.urgency = urgency
  }

  var rank: Urgency.Rank { urgency.rank }

  /// The descriptors that are passed with the request.
  var descriptors: [Descriptor] { [output] + (input.map { [$0] } ?? []) }

  /// Set before the mailbox is notified, so that a job that arrives after its own cancellation is recognized.
  func cancel() {
    cancelled.store(true, ordering: .releasing)
  }

  var isCancelled: Bool {
    cancelled.load(ordering: .acquiring)
  }
}

typealias Answer = CheckedContinuation<Result<WorkerReply, WorkerFailure>, Never>

/// Messages from tasks to the pool's thread, and its status for the tasks.
///
/// Tasks never wait here: the lock is held only for an append or a copy.
final class Mailbox: Sendable {
  enum Letter: Sendable {
    case request(Job, Answer)
    case cancel(Job)
    /// Requests with this urgency are now waited for.
    case hurry(Urgency)
    /// Answered when the configured number of spares is warm, or none can be started.
    case warm(Answer)
    /// Spares are retained from now on.
    case keepSpares
    /// A document will be requested soon.
    case expect
    case forget(key: String, CheckedContinuation<Void, Never>)
    /// The worker's output for this job is invalid.
    case distrust(Job, WorkerFailure)
    case shutDown(CheckedContinuation<Void, Never>?)
  }

  private struct State {
    var letters: [Letter] = []
    var isClosed = false
    var status = WorkerStatus()
  }

  private let state = Mutex(State())
  private let bell: Descriptor

  init() {
    bell = Descriptor(process_bell())
  }

  /// Readable while messages wait.
  var descriptor: Int32 {
    bell.number
  }

  /// Returns false, and drops the message, once the pool has shut down.
  func post(_ letter: Letter) -> Bool {
    let isOpen = state.withLock { state in
      guard !state.isClosed else { return false }
      state.letters.append(letter)
      return true
    }
    if isOpen {
      process_ring_bell(bell.number)
    }
    return isOpen
  }

  func take() -> [Letter] {
    process_silence_bell(bell.number)
    return state.withLock { state in
      defer { state.letters = [] }
      return state.letters
    }
  }

  /// Refuses messages from now on, and returns those that were not processed.
  func closeForGood() -> [Letter] {
    state.withLock { state in
      state.isClosed = true
      defer { state.letters = [] }
      return state.letters
    }
  }

  var status: WorkerStatus {
    get { state.withLock { $0.status } }
    set { state.withLock { $0.status = newValue } }
  }
}
