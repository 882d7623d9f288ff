import CSandbox
import Glibc

/// The pool's thread: it alone starts, asks and ends workers, so that none of this needs a lock.
///
///     task A ── request ─►┐                         ┌─► worker 1 (document A)
///     task B ── request ─►├─ mailbox ─► this loop ──┼─► worker 2 (document B)
///     task A ── cancel ──►┘      ▲         │        └─► worker 3 (spare)
///                                └─ status ┘
///
/// Each turn: letters in, deadlines, work out, status, answers; then wait for a letter, a reply, the end of a process
/// or the nearest deadline. Answers leave after the status, so that who got an answer sees a status that knows it.
final class PoolLoop {
  private let configuration: WorkerConfiguration
  private let mailbox: Mailbox
  private var workers: [Worker] = []
  private var documents: [OpenDocument.Identity: OpenDocument] = [:]
  /// Crashes and deadlines missed by document key.
  private var strikes: [String: Int] = [:]
  private var status = WorkerStatus()
  private var answers: [() -> Void] = []
  private var warming: [Answer] = []
  private var stopping: [CheckedContinuation<Void, Never>] = []
  private var isStopping = false
  /// Spares are kept from the first letter on, and not while workers cannot be started.
  private var keepsSpares = false
  private var failedStarts = 0
  private var started = 0
  private var numbers: UInt64 = 0

  init(_ configuration: WorkerConfiguration, _ mailbox: Mailbox) {
    self.configuration = configuration
    self.mailbox = mailbox
  }

  func run() {
    while true {
      mailbox.take().forEach(receive)
      expire(.now)
      dispatch()
      publish()
      if isStopping, workers.isEmpty { break }
      wait()
    }
    for letter in mailbox.closeForGood() {
      receive(letter)
    }
    stopping.forEach { $0.resume() }
    publish()
  }

  // MARK: Letters

  private func receive(_ letter: Mailbox.Letter) {
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
    case .warm(let answer):
      guard !isStopping else { return answers.append { answer.resume(returning: .failure(.shutDown)) } }
      allowStarts()
      warming.append(answer)
    case .forget(let key, let done):
      strikes[key] = nil
      for worker in workers {
        if case .serving(let document) = worker.phase, document.identity.key == key, worker.activity.pending == nil {
          end(worker)
        }
      }
      answers.append { done.resume() }
    case .shutDown(let done):
      stop()
      if let done {
        stopping.append(done)
      }
    }
  }

  private func refusal(of job: Job) -> WorkerFailure? {
    if isStopping { return .shutDown }
    if job.isCancelled { return .cancelled }
    if strikes[job.source.key, default: 0] >= Self.mostStrikes { return .markedDangerous }
    if documents.values.reduce(0, { $0 + $1.waiting.count }) >= Self.mostWaiting { return .busy }
    return nil
  }

  /// Whoever asks anew gives starting another chance.
  private func allowStarts() {
    keepsSpares = true
    failedStarts = 0
  }

  private func cancel(_ job: Job) {
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
        // Most pages are drawn in a few milliseconds; a worker that is done by then keeps its document.
        worker.activity = .abandoned(pending)
        worker.deadline = min(worker.deadline ?? .now, .now + Self.grace)
      default:
        continue
      }
    }
  }

  private func stop() {
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

  private func expire(_ now: ContinuousClock.Instant) {
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
      case (_, .opening(let pending)), (_, .running(let pending)):
        status.timeouts += 1
        strike(pending.job.source.key)
        respond(to: pending, .failure(.timedOut))
        end(worker)
      default:
        end(worker)
      }
    }
  }

  // MARK: Work

  private func dispatch() {
    documents = documents.filter { !$0.value.waiting.isEmpty || $0.value.worker != nil }
    let asking = documents.values.filter { !$0.waiting.isEmpty }.sorted { $0.waiting[0].number < $1.waiting[0].number }
    var wanted = keepsSpares ? configuration.spares : 0
    for document in asking {
      if document.worker == nil {
        guard makeRoom() else { continue }
        guard let spare = workers.first(where: \.isSpare) else {
          wanted += 1
          continue
        }
        spare.phase = .serving(document)
        document.worker = spare
      }
      if let worker = document.worker, worker.activity.pending == nil {
        start(document.waiting.removeFirst(), on: worker)
      }
    }
    let coming = workers.count { $0.isSpare || $0.isStarting }
    for _ in coming..<max(coming, wanted) where keepsSpares && failedStarts < Self.mostFailedStarts {
      addWorker()
    }
    if !warming.isEmpty, workers.count(where: \.isSpare) >= configuration.spares {
      answerWarming(.success(.written(bytes: 0)))
    }
  }

  /// True if one more document may be opened, after closing the one that was idle longest if need be.
  private func makeRoom() -> Bool {
    let serving = workers.filter(\.isServing)
    guard serving.count >= configuration.workers else { return true }
    let idle = serving.filter { worker in
      guard case .serving(let document) = worker.phase else { return false }
      return worker.activity.pending == nil && document.waiting.isEmpty
    }
    guard let oldest = idle.min(by: { $0.lastUsed < $1.lastUsed }) else { return false }
    end(oldest)
    return true
  }

  private func start(_ pending: Pending, on worker: Worker) {
    worker.deadline = .now + configuration.timeout
    worker.requests += 1
    do throws(WorkerFailure) {
      if worker.hasOpened {
        worker.activity = .running(pending)
        try worker.send(pending.job.request, with: pending.job.output)
      } else {
        let document = try Descriptor.document(at: pending.job.source.path)
        worker.activity = .opening(pending)
        try worker.send(.open(password: pending.job.source.password), with: document)
      }
    } catch {
      if case .unreadable = error {
        // The worker has seen nothing yet, but it is bound to the document; another is soon ready.
        worker.activity = .idle
        respond(to: pending, .failure(error))
        end(worker)
      } else {
        // It ended before it was asked: the end of its process tells how.
        worker.kill()
      }
    }
  }

  private func addWorker() {
    started += 1
    status.restarts = max(0, started - configuration.spares)
    do throws(WorkerFailure) {
      let worker = try Worker(configuration)
      worker.deadline = .now + Self.startTime
      workers.append(worker)
    } catch {
      cannotStart(error)
    }
  }

  private func cannotStart(_ failure: WorkerFailure) {
    keepsSpares = false
    failWaiting(failure)
  }

  private func failWaiting(_ failure: WorkerFailure) {
    answerWarming(.failure(failure))
    for document in documents.values {
      document.waiting.forEach { respond(to: $0, .failure(failure)) }
      document.waiting = []
    }
  }

  private func answerWarming(_ result: Result<WorkerReply, WorkerFailure>) {
    let warm = warming
    warming = []
    answers.append { warm.forEach { $0.resume(returning: result) } }
  }

  // MARK: Replies

  private func hear(_ worker: Worker) {
    guard !worker.isEnding else { return }
    do throws(WorkerFailure) {
      while !worker.isEnding, let reply = try worker.receive() {
        try handle(reply, from: worker)
      }
    } catch {
      if case .badReply = error {
        worker.listen()
        status.lastWords = worker.lastWords
        fail(worker, error)
        end(worker)
      } else {
        // Its socket is closed, so it is ending, or else it ends now; its process says how.
        worker.kill()
      }
    }
  }

  private func handle(_ reply: WorkerReply, from worker: Worker) throws(WorkerFailure) {
    switch (reply, worker.phase, worker.activity) {
    case (.hello(let protections), .starting, _):
      try welcome(worker, protections)
    case (_, .serving, .abandoned):
      if case .opened = reply { worker.hasOpened = true }
      guard case .failed = reply else { return rest(worker) }
      end(worker)
    case (.opened, .serving, .opening(let pending)):
      worker.hasOpened = true
      worker.activity = .running(pending)
      try worker.send(pending.job.request, with: pending.job.output)
    case (.failed(let failure), .serving(let document), .opening(let pending)):
      // The same bytes with the same password: who waits for them gets the same answer.
      for pending in [pending] + document.waiting {
        respond(to: pending, .failure(failure))
      }
      document.waiting = []
      end(worker)
    case (.failed(let failure), .serving, .running(let pending)):
      respond(to: pending, .failure(failure))
      rest(worker)
    case (.written, .serving, .running(let pending)) where !pending.job.wantsPicture,
      (.drawn, .serving, .running(let pending)) where pending.job.wantsPicture:
      respond(to: pending, .success(reply))
      rest(worker)
    default:
      throw .badReply("not what was asked")
    }
  }

  private func welcome(_ worker: Worker, _ protections: Protections) throws(WorkerFailure) {
    status.protections = protections
    failedStarts = 0
    worker.deadline = nil
    if configuration.sandbox == .required, !protections.missing.isEmpty {
      end(worker)
      cannotStart(.sandboxUnavailable(missing: protections.missing))
    } else {
      worker.phase = .spare
    }
  }

  /// The worker is free again, or ends if it has served long or grown large.
  private func rest(_ worker: Worker) {
    worker.activity = .idle
    worker.deadline = nil
    worker.lastUsed = .now
    let isLarge =
      worker.requests % 16 == 0 && (Worker.residentKiB(of: worker.pid) ?? 0) > Self.mostResidentKiB
    if worker.requests >= Self.mostRequests || isLarge {
      end(worker)
    }
  }

  // MARK: Ends

  /// Kills a worker whose request, if any, has been answered. It is collected when the kernel says it has ended.
  private func end(_ worker: Worker) {
    if case .serving(let document) = worker.phase {
      document.worker = nil
    }
    worker.phase = .ending
    worker.activity = .idle
    worker.deadline = nil
    worker.kill()
  }

  private func collect(_ worker: Worker) {
    var waitStatus: Int32 = 0
    guard process_collect(worker.pid, &waitStatus) != 0 else { return }
    workers.removeAll { $0 === worker }
    guard !worker.isEnding else { return }

    // Nobody ended it: it crashed.
    status.crashes += 1
    worker.listen()
    status.lastWords = worker.lastWords
    let signal = waitStatus & 0x7f
    if worker.isStarting {
      failedStarts += 1
      if failedStarts >= Self.mostFailedStarts {
        cannotStart(.unavailable("workers end while they start (signal \(signal)): \(worker.lastWords)"))
      }
    } else {
      fail(worker, Self.saysOutOfMemory(worker.lastWords) ? .outOfMemory : .crashed(signal: signal))
      if case .serving(let document) = worker.phase {
        document.worker = nil
      }
    }
  }

  /// Answers what the worker was doing, and holds it against the document.
  private func fail(_ worker: Worker, _ failure: WorkerFailure) {
    guard let pending = worker.activity.pending else { return }
    strike(pending.job.source.key)
    if !worker.isAbandoned {
      respond(to: pending, .failure(failure))
    }
    worker.activity = .idle
  }

  private func strike(_ key: String) {
    if strikes.count >= Self.mostStruck, strikes[key] == nil, let victim = strikes.min(by: { $0.value < $1.value }) {
      strikes[victim.key] = nil
    }
    strikes[key, default: 0] += 1
    guard strikes[key, default: 0] >= Self.mostStrikes else { return }
    for document in documents.values where document.identity.key == key {
      document.waiting.forEach { respond(to: $0, .failure(.markedDangerous)) }
      document.waiting = []
    }
  }

  /// poppler, GLib and the C++ library each say it in their own words before they abort.
  private static func saysOutOfMemory(_ words: String) -> Bool {
    ["Out of memory", "bad_alloc", "failed to allocate"].contains { words.contains($0) }
  }

  // MARK: Answers and waiting

  private func respond(to pending: Pending, _ result: Result<WorkerReply, WorkerFailure>) {
    answers.append { pending.answer.resume(returning: result) }
  }

  private func publish() {
    status.workers = workers.filter { !$0.isEnding }.map { worker in
      var key: String?
      if case .serving(let document) = worker.phase { key = document.identity.key }
      return .init(
        pid: worker.pid, residentKiB: nil, isBusy: worker.activity.pending != nil, document: key)
    }
    status.spares = workers.count(where: \.isSpare)
    status.waiting = documents.values.reduce(0) { $0 + $1.waiting.count }
    status.dangerous = strikes.filter { $0.value >= Self.mostStrikes }.keys.sorted()
    mailbox.status = status
    let ready = answers
    answers = []
    ready.forEach { $0() }
  }

  private func wait() {
    var polled = [pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)]
    let present = workers
    for worker in present {
      // An ending worker's socket stays readable at its end: only its process still matters.
      polled.append(pollfd(fd: worker.isEnding ? -1 : worker.socket.number, events: Int16(POLLIN), revents: 0))
      polled.append(pollfd(fd: worker.process.number, events: Int16(POLLIN), revents: 0))
    }
    let deadlines =
      workers.compactMap(\.deadline) + documents.values.flatMap { $0.waiting.map(\.deadline) }
    var milliseconds: Int32 = -1
    if let nearest = deadlines.min() {
      let (seconds, attoseconds) = max(.zero, ContinuousClock.now.duration(to: nearest)).components
      // Rounded up, so that the deadline has passed when the wait is over.
      milliseconds = Int32(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
    }
    guard poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return }
    // Replies before ends: what a worker said last counts.
    for (index, worker) in present.enumerated() where polled[1 + 2 * index].revents != 0 {
      hear(worker)
    }
    for (index, worker) in present.enumerated() where polled[2 + 2 * index].revents != 0 {
      collect(worker)
    }
  }

  // MARK: Bounds

  private static let mostStrikes = 3
  private static let mostStruck = 1_024
  private static let mostWaiting = 1_024
  private static let mostFailedStarts = 3
  /// poppler grows by up to a kilobyte a call: a worker is replaced long before that shows.
  private static let mostRequests = 5_000
  private static let mostResidentKiB = 300 * 1_024
  private static let startTime = Duration.seconds(10)
  private static let grace = Duration.milliseconds(100)
}

extension Worker {
  fileprivate var isStarting: Bool { if case .starting = phase { true } else { false } }
  fileprivate var isSpare: Bool { if case .spare = phase { true } else { false } }
  fileprivate var isServing: Bool { if case .serving = phase { true } else { false } }
  fileprivate var isEnding: Bool { if case .ending = phase { true } else { false } }
  fileprivate var isAbandoned: Bool { if case .abandoned = activity { true } else { false } }
}

extension Job {
  fileprivate var wantsPicture: Bool { if case .render = request { true } else { false } }
}
