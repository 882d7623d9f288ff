// The assignment of work to workers. Confined to the loop's thread.

extension PoolLoop {
  // MARK: Work

  /// Assigns waiting requests to workers: awaited ones first, in order of arrival, over all documents.
  func dispatch() {
    documents = documents.filter { !$0.value.waiting.isEmpty || !$0.value.workers.isEmpty }
    var needed = 0
    for rank in Urgency.Rank.allCases {
      var asking: [(document: OpenDocument, pending: Pending)] = documents.values.compactMap { document in
        document.first(of: rank).map { (document, $0) }
      }
      asking.sort { $0.pending.number < $1.pending.number }
      for document in asking.map(\.document) {
        while let pending = document.first(of: rank) {
          let (found, needsSpare) = worker(for: rank, of: document)
          needed += needsSpare ? 1 : 0
          guard let found else { break }
          document.remove(pending)
          start(pending, on: found)
        }
      }
    }
    let wanted = needed + (sparesMayStart(beside: needed) ? max(0, configuration.spares - servingBeyond) : 0)
    let coming = workers.count { $0.isSpare || $0.isStarting }
    // The first workers that start now are for requests that wait, or will soon.
    let hasty = max(needed, isExpecting ? 1 : 0)
    isExpecting = false
    let isForReading = documents.values.allSatisfy { document in !document.waiting.contains { $0.job.isDrawn } }
    for place in coming..<max(coming, wanted) where keepsSpares && failedStarts < Self.mostFailedStarts {
      addWorker(warmsUp: !(isForReading && place < hasty))
    }
    if !warming.isEmpty, workers.count(where: \.isSpare) >= max(0, configuration.spares - servingBeyond) {
      answerWarming(.success(.written(bytes: 0)))
    }
  }

  /// A worker that may run the next request of this rank now, and whether there would be one if a spare were ready.
  private func worker(for rank: Urgency.Rank, of document: OpenDocument) -> (found: Worker?, needsSpare: Bool) {
    switch rank {
    case .asked:
      if let idle = document.idleWorker { return (idle, false) }
      // Requests run one after the other; but an awaited one does not wait for background work.
      if document.workers.contains(where: { !$0.isBusyUnasked }) { return (nil, false) }
      if makeWay(among: document.workers) { return (nil, false) }
      return open(document, isAsked: true)
    case .later:
      guard workers.count(where: { $0.isBusyUnasked && !$0.isBusyAhead }) < configuration.workers else {
        return (nil, false)
      }
      if let idle = document.idleWorker { return (idle, false) }
      return open(document, isAsked: false)
    case .ahead:
      // Speculative work neither opens nor closes a document.
      guard documents.values.allSatisfy({ $0.first(of: .asked) == nil && $0.first(of: .later) == nil }) else {
        return (nil, false)
      }
      return (document.idleWorker, false)
    }
  }

  private func open(_ document: OpenDocument, isAsked: Bool) -> (found: Worker?, needsSpare: Bool) {
    guard makeRoom(isAsked: isAsked) else {
      if isAsked { _ = makeWay(among: workers) }
      return (nil, false)
    }
    guard let spare = workers.first(where: \.isSpare) else { return (nil, true) }
    spare.phase = .serving(document)
    spare.taken = .now
    document.workers.append(spare)
    return (spare, false)
  }

  /// Shortens the deadline of a worker with speculative work. Returns false if none has any.
  private func makeWay(among workers: [Worker]) -> Bool {
    guard let worker = workers.first(where: \.isBusyAhead) else { return false }
    worker.deadline = min(worker.deadline ?? .now, .now + Self.briefGrace)
    return true
  }

  /// Whether spares are started in advance. A worker that warms up would slow down the first page of a document, and
  /// workers that are needed: it waits until these are ready, unless somebody waits for it.
  private func sparesMayStart(beside needed: Int) -> Bool {
    guard keepsSpares else { return false }
    if !warming.isEmpty || !workers.contains(where: \.isServing) { return true }
    return needed == 0 && endOfSettling <= .now
  }

  /// The time before which no new spare is started: while somebody's first page is rendered, or the text of a new
  /// document is extracted. Most work is finished soon. Text is requested a few pages at a time: a worker that has just
  /// replied is likely to get another request.
  var endOfSettling: ContinuousClock.Instant {
    guard keepsSpares else { return .now }
    return workers.filter(\.isServing).map { worker in
      Self.settled(taken: worker.taken, answered: worker.activity.pending == nil ? worker.lastUsed : nil)
    }.max() ?? .now
  }

  /// When a worker counts as settled, given the time when it got its document, and the time of its last reply if it is
  /// idle.
  static func settled(
    taken: ContinuousClock.Instant, answered: ContinuousClock.Instant?
  ) -> ContinuousClock.Instant {
    let settled = taken + settlingTime
    return answered.map { min(settled, $0 + breath) } ?? settled
  }

  /// The number of serving workers beyond the configured number.
  private var servingBeyond: Int {
    max(0, workers.count(where: \.isServing) - configuration.workers)
  }

  /// Returns true if one more worker may open a document, after ending the one that was idle longest if necessary.
  ///
  /// Background work never takes the last worker: while it occupies workers, an awaited request may have one more. That
  /// one takes the place of a spare, so that there are never more processes.
  func makeRoom(isAsked: Bool) -> Bool {
    let serving = workers.filter(\.isServing)
    if serving.count < configuration.workers { return true }
    if isAsked, serving.count == configuration.workers, serving.contains(where: \.isBusyUnasked) { return true }
    let idle = serving.filter { worker in
      guard case .serving(let document) = worker.phase else { return false }
      return worker.activity.pending == nil && document.first(of: .asked) == nil
    }
    guard let oldest = idle.min(by: { $0.lastUsed < $1.lastUsed }) else { return false }
    end(oldest)
    return serving.count == configuration.workers || makeRoom(isAsked: isAsked)
  }

  func start(_ pending: Pending, on worker: Worker) {
    worker.begun = .now
    worker.deadline = .now + (pending.job.rank == .ahead ? Self.aheadTime : configuration.timeout)
    worker.requests += 1
    do throws(WorkerFailure) {
      if worker.hasOpened {
        worker.activity = .running(pending)
        try worker.send(pending.job.request, with: pending.job.descriptors)
      } else {
        let document = try pending.job.source.opened()
        worker.activity = .opening(pending)
        try worker.send(.open(password: pending.job.source.password), with: [document])
      }
    } catch {
      if case .unreadable = error {
        // The worker has not received anything yet.
        respond(to: pending, .failure(error))
        leave(worker)
        worker.phase = .spare
        worker.activity = .idle
        worker.requests = 0
        worker.deadline = nil
      } else {
        // It ended before it got the request: the end of its process shows how.
        worker.kill()
      }
    }
  }

  /// - Parameter warmsUp: whether it warms up before it reports that it is ready. Text needs little of what that
  ///   prepares, and its requester waits less; the worker then warms up as soon as it is idle.
  func addWorker(warmsUp: Bool) {
    do throws(WorkerFailure) {
      let worker = try Worker(configuration, warmsUp: warmsUp)
      worker.deadline = .now + Self.startTime
      workers.append(worker)
      started += 1
      mostAtOnce = max(mostAtOnce, workers.count { !$0.isEnding })
      status.restarts = started - mostAtOnce
    } catch {
      cannotStart(error)
    }
  }

  func cannotStart(_ failure: WorkerFailure) {
    keepsSpares = false
    failWaiting(failure)
  }

  func failWaiting(_ failure: WorkerFailure) {
    answerWarming(.failure(failure))
    for document in documents.values {
      fail(document, failure)
    }
  }

  func fail(_ document: OpenDocument, _ failure: WorkerFailure) {
    for pending in document.waiting {
      respond(to: pending, .failure(failure))
    }
    document.waiting = []
  }

  func answerWarming(_ result: Result<WorkerReply, WorkerFailure>) {
    let warm = warming
    warming = []
    for answer in warm {
      answers.append { answer.resume(returning: result) }
    }
  }

  // MARK: Replies

  func hear(_ worker: Worker) {
    guard !worker.isEnding else { return }
    do throws(WorkerFailure) {
      while !worker.isEnding, let reply = try worker.receive() {
        try handle(reply, from: worker)
      }
    } catch {
      if case .badReply = error {
        worker.listen()
        status.lastWords = worker.lastWords
        note(error, of: worker.attempt)
        fail(worker, error)
        end(worker)
      } else {
        // Its socket is closed, so it is ending, or is ended now; its process shows how.
        worker.kill()
      }
    }
  }

  func handle(_ reply: WorkerReply, from worker: Worker) throws(WorkerFailure) {
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
      try worker.send(pending.job.request, with: pending.job.descriptors)
    case (.failed(let failure), .serving(let document), .opening(let pending)):
      if failure == .outOfMemory { note(failure, of: worker.attempt) }
      // Requests for the same bytes with the same password get the same reply.
      respond(to: pending, .failure(failure))
      fail(document, failure)
      end(worker)
    case (.failed(let failure), .serving, .running(let pending)):
      if failure == .outOfMemory { note(failure, of: worker.attempt) }
      respond(to: pending, .failure(failure))
      rest(worker)
    case (.written, .serving, .running(let pending)) where pending.job.wants == .result,
      (.drawn, .serving, .running(let pending)) where pending.job.wants == .picture,
      (.saved, .serving, .running(let pending)) where pending.job.wants == .file:
      if case .drawn(let picture) = reply, picture.isScan { status.scans += 1 }
      respond(to: pending, .success(reply))
      rest(worker)
    default:
      throw .badReply("not what was asked")
    }
  }

  func welcome(_ worker: Worker, _ protections: Protections) throws(WorkerFailure) {
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

  /// The worker is idle again, or ends if it has run many requests or grown large.
  func rest(_ worker: Worker) {
    worker.activity = .idle
    worker.deadline = servingBeyond > 0 ? .now + Self.idleTime : nil
    worker.lastUsed = .now
    let isLarge =
      worker.requests % 16 == 0 && (Worker.residentKiB(of: worker.pid) ?? 0) > Self.mostResidentKiB
    if worker.requests >= Self.mostRequests || isLarge {
      end(worker)
    }
  }
}

extension Job {
  fileprivate enum ResultType {
    case result, picture, file
  }

  /// Whether it renders a page.
  fileprivate var isDrawn: Bool { wants == .picture }

  fileprivate var wants: ResultType {
    switch request {
    case .render: .picture
    case .embeddedFile, .copy: .file
    case .open, .inspect, .extract, .outline, .links, .metadata, .embeddedFiles, .annotations: .result
    }
  }
}
