import CSandbox
import Synchronization

/// A request to the pool, known to the task that waits and to the pool's thread.
final class Job: Sendable {
  let source: DocumentSource
  let request: WorkerRequest
  /// Where the worker writes its result.
  let output: Descriptor
  /// What the request has to say where a message would be too short for it.
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

  /// What travels beside the request.
  var descriptors: [Descriptor] { [output] + (input.map { [$0] } ?? []) }

  /// Set before the mailbox hears of it, so that a job that comes after its own cancellation is recognised.
  func cancel() {
    cancelled.store(true, ordering: .releasing)
  }

  var isCancelled: Bool {
    cancelled.load(ordering: .acquiring)
  }
}

typealias Answer = CheckedContinuation<Result<WorkerReply, WorkerFailure>, Never>

/// What tasks hand to the pool's thread, and what it tells them about itself.
///
/// The tasks never wait here: the lock is held for an append or a copy.
final class Mailbox: Sendable {
  enum Letter: Sendable {
    case request(Job, Answer)
    case cancel(Job)
    /// A request of this urgency is asked for now.
    case hurry(Urgency)
    /// Answered when as many spares as configured are warm, or none can be started.
    case warm(Answer)
    /// Spares are kept from now on.
    case keepSpares
    /// A document will be asked about in a moment.
    case expect
    case forget(key: String, CheckedContinuation<Void, Never>)
    /// What a worker wrote for this job is not what an honest one writes.
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

  /// Readable while letters wait.
  var descriptor: Int32 {
    bell.number
  }

  /// Returns false, and keeps nothing, once the pool has shut down.
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

  /// Refuses letters from now on, and returns those that came too late.
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
