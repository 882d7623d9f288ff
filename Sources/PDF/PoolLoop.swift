import CSandbox
import Glibc

/// The pool's thread: only it starts, uses and ends workers, so that none of this needs a lock.
///
///     task A ── request ─►┐                         ┌─► worker 1 (document A)
///     task B ── request ─►├─ mailbox ─► this loop ──┼─► worker 2 (document B)
///     task A ── cancel ──►┘      ▲         │        └─► worker 3 (spare)
///                                └─ status ┘
///
/// Each turn: messages, deadlines, dispatch, status, replies; then wait for a message, a reply, the end of a process or
/// the nearest deadline. Replies are sent after the status is published, so that their receivers see a status that
/// includes them.
final class PoolLoop {
  let configuration: WorkerConfiguration
  let mailbox: Mailbox
  /// Logs one line per failure.
  let log: @Sendable (String) -> Void
  var workers: [Worker] = []
  var documents: [OpenDocument.Identity: OpenDocument] = [:]
  var strikes = Strikes()
  var status = WorkerStatus()
  var answers: [() -> Void] = []
  var warming: [Answer] = []
  var stopping: [CheckedContinuation<Void, Never>] = []
  var isStopping = false
  /// Whether spares are started: from the first message on, except while workers cannot be started.
  var keepsSpares = false
  /// Whether a document was announced since the last turn.
  var isExpecting = false
  var failedStarts = 0
  var started = 0
  /// The most workers that were running at the same time: as many were started without replacing another one.
  var mostAtOnce = 0
  var numbers: UInt64 = 0

  init(_ configuration: WorkerConfiguration, _ mailbox: Mailbox, log: @escaping @Sendable (String) -> Void) {
    self.configuration = configuration
    self.log = log
    self.mailbox = mailbox
  }

  func run() {
    while true {
      for letter in mailbox.take() {
        receive(letter)
      }
      expire(.now)
      dispatch()
      publish()
      if isStopping, workers.isEmpty { break }
      wait()
    }
    for letter in mailbox.closeForGood() {
      receive(letter)
    }
    publish()
    for done in stopping {
      done.resume()
    }
  }

  // MARK: Messages

  func receive(_ letter: Mailbox.Letter) {
    switch letter {
    case .request(let job, let answer):
      numbers += 1
      let pending = Pending(
        number: numbers, job: job, answer: answer, deadline: .now + configuration.timeout)
      if let refusal = refusal(of: job) {
        respond(to: pending, .failure(refusal))
      } else {
        allowStarts()
        let identity = OpenDocument.Identity(job.source)
        let document = documents[identity] ?? OpenDocument(identity)
        documents[identity] = document
        document.waiting.append(pending)
      }
    case .cancel(let job):
      cancel(job)
    case .hurry(let urgency):
      for document in documents.values {
        for index in document.waiting.indices where document.waiting[index].job.urgency === urgency {
          document.waiting[index].deadline = .now + configuration.timeout
        }
      }
      for worker in workers {
        // A running request keeps its worker, and gets the time limit of any other request.
        if let pending = worker.activity.pending, pending.job.urgency === urgency, !worker.isAbandoned {
          worker.deadline = .now + configuration.timeout
        }
      }
    case .warm(let answer):
      guard !isStopping else { return answers.append { answer.resume(returning: .failure(.shutDown)) } }
      allowStarts()
      warming.append(answer)
    case .keepSpares:
      guard !isStopping else { return }
      allowStarts()
    case .expect:
      // A failed start is not retried here, since no request waits for it.
      guard !isStopping else { return }
      keepsSpares = true
      isExpecting = true
    case .forget(let key, let done):
      strikes.forget(key)
      endIdle(servingKey: key)
      answers.append { done.resume() }
    case .distrust(let job, let failure):
      note(failure, of: Attempt(job))
      strike(Attempt(job))
      endIdle(servingKey: job.source.key)
    case .shutDown(let done):
      stop()
      if let done {
        stopping.append(done)
      }
    }
  }

  func refusal(of job: Job) -> WorkerFailure? {
    if isStopping { return .shutDown }
    if job.isCancelled { return .cancelled }
    if let marked = marked(job) { return marked }
    if documents.values.reduce(0, { $0 + $1.waiting.count }) >= Self.mostWaiting { return .busy }
    return nil
  }

  /// Ends idle workers that have this document open.
  func endIdle(servingKey key: String) {
    for worker in workers {
      if case .serving(let document) = worker.phase, document.identity.key == key, worker.activity.pending == nil {
        end(worker)
      }
    }
  }

  /// Allows new attempts to start workers, for a new request.
  func allowStarts() {
    keepsSpares = true
    failedStarts = 0
  }

  func cancel(_ job: Job) {
    for document in documents.values {
      if let index = document.waiting.firstIndex(where: { $0.job === job }) {
        respond(to: document.waiting.remove(at: index), .failure(.cancelled))
        return
      }
    }
    for worker in workers {
      switch worker.activity {
      case .opening(let pending) where pending.job === job, .running(let pending) where pending.job === job:
        respond(to: pending, .failure(.cancelled))
        // Most pages are rendered in a few milliseconds; a worker that finishes within the grace period keeps its
        // document.
        worker.activity = .abandoned(pending)
        worker.deadline = min(worker.deadline ?? .now, .now + (job.rank == .ahead ? Self.briefGrace : Self.grace))
      default:
        continue
      }
    }
  }

  func stop() {
    isStopping = true
    keepsSpares = false
    failWaiting(.shutDown)
    for worker in workers {
      if let pending = worker.activity.pending, !worker.isAbandoned {
        respond(to: pending, .failure(.shutDown))
      }
      end(worker)
    }
  }

  // MARK: Deadlines

  func expire(_ now: ContinuousClock.Instant) {
    for document in documents.values where document.waiting.contains(where: { $0.deadline <= now }) {
      for pending in document.waiting where pending.deadline <= now {
        respond(to: pending, .failure(.busy))
      }
      document.waiting.removeAll { $0.deadline <= now }
    }
    for worker in workers {
      guard let deadline = worker.deadline, deadline <= now else { continue }
      switch (worker.phase, worker.activity) {
      case (.starting, _):
        worker.kill()
        worker.deadline = nil
      case (_, .opening(let pending)) where pending.job.rank == .ahead,
        (_, .running(let pending)) where pending.job.rank == .ahead:
        respond(to: pending, .failure(now - worker.begun >= Self.aheadTime ? .timedOut : .cancelled))
        end(worker)
      case (_, .opening(let pending)), (_, .running(let pending)):
        let attempt = worker.attempt ?? Attempt(pending.job)
        note(.timedOut, of: attempt)
        strike(attempt)
        respond(to: pending, .failure(.timedOut))
        end(worker)
      case (.serving, .idle) where workers.count(where: \.isServing) <= configuration.workers:
        worker.deadline = nil
      default:
        end(worker)
      }
    }
  }

  // MARK: Answers and waiting

  func respond(to pending: Pending, _ result: Result<WorkerReply, WorkerFailure>) {
    answers.append { pending.answer.resume(returning: result) }
  }

  func publish() {
    status.workers = workers.filter { !$0.isEnding }.map { worker in
      var key: String?
      if case .serving(let document) = worker.phase { key = document.identity.key }
      return .init(
        pid: worker.pid, residentKiB: nil, isBusy: worker.activity.pending != nil, document: key)
    }
    status.spares = workers.count(where: \.isSpare)
    status.waiting = documents.values.reduce(0) { $0 + $1.waiting.count }
    status.dangerous = strikes.dangerous(at: .now)
    mailbox.status = status
    let ready = answers
    answers = []
    for answer in ready {
      answer()
    }
  }

  func wait() {
    var polled = [pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)]
    let present = workers
    for worker in present {
      // The socket of an ending worker stays readable: only its process still matters.
      polled.append(pollfd(fd: worker.isEnding ? -1 : worker.socket.number, events: Int16(POLLIN), revents: 0))
      polled.append(pollfd(fd: worker.process.number, events: Int16(POLLIN), revents: 0))
    }
    let deadlines =
      workers.compactMap(\.deadline) + documents.values.flatMap { $0.waiting.map(\.deadline) }
      + [strikes.nextTry(after: .now)].compactMap(\.self)
    var milliseconds: Int32 = -1
    let settled = endOfSettling
    if let nearest = (deadlines + (settled > .now ? [settled] : [])).min() {
      let (seconds, attoseconds) = max(.zero, ContinuousClock.now.duration(to: nearest)).components
      // Rounded up, so that the deadline has passed when the wait ends.
      milliseconds = Int32(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
    }
    guard poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return }
    // Replies before process ends: a worker's last reply counts.
    for (index, worker) in present.enumerated() where polled[1 + 2 * index].revents != 0 {
      hear(worker)
    }
    for (index, worker) in present.enumerated() where polled[2 + 2 * index].revents != 0 {
      collect(worker)
    }
  }

  // MARK: Bounds

  static let mostWaiting = 1_024
  static let mostFailedStarts = 3
  /// poppler grows by up to a kilobyte per call: a worker is replaced long before that matters.
  static let mostRequests = 5_000
  static let mostResidentKiB = 300 * 1_024
  static let startTime = Duration.seconds(10)
  static let grace = Duration.milliseconds(100)
  /// The time to finish speculative work while a request waits for its worker: about a page.
  static let briefGrace = Duration.milliseconds(15)
  /// The most time for a page that was not requested.
  static let aheadTime = Duration.seconds(2)
  /// How long a worker beyond the configured number may stay idle.
  static let idleTime = Duration.seconds(5)
  /// How long a new spare is delayed after a document was given to a worker.
  static let settlingTime = Duration.milliseconds(500)
  /// The longest pause between two text requests for one document, while its last pages are written.
  static let breath = Duration.milliseconds(50)
}
