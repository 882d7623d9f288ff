import Glibc

/// The workers that read PDFs for the daemon.
///
/// What is asked of one document is begun in the order asked, what is asked of different documents runs at the same time,
/// as far as there are workers. What nobody waits for comes behind (``Urgency``). Every request is answered: by its result
/// or by a ``WorkerFailure``, within its deadlines.
///
/// One thread of its own does all waiting, so that no task ever blocks the thread it runs on. It starts with the
/// first request, or with ``warm()``, and ends with ``shutDown()`` or with the pool.
package final class WorkerPool: Sendable {
  private let mailbox = Mailbox()
  private let configuration: WorkerConfiguration

  package init(_ configuration: WorkerConfiguration) {
    self.configuration = configuration
    let mailbox = mailbox
    startThread {
      PoolLoop(configuration, mailbox).run()
    }
  }

  deinit {
    _ = mailbox.post(.shutDown(nil))
  }

  /// Starts the spare workers before they are needed, and returns when they are ready.
  ///
  /// - Throws: what keeps them from starting, `sandboxUnavailable` above all.
  package func warm() async throws(WorkerFailure) {
    _ = try await withCheckedContinuation { (answer: Answer) in
      if !mailbox.post(.warm(answer)) {
        answer.resume(returning: .failure(.shutDown))
      }
    }.get()
  }

  /// What the document says about itself, with the size of every page.
  package func inspect(_ source: DocumentSource) async throws(WorkerFailure) -> DocumentInfo {
    let output = try Descriptor.memory()
    return try HostileInput.documentInfo(try await result(of: .inspect, source, in: output))
  }

  /// The text of `pages`, which must be pages of the document, with the box of each character.
  ///
  /// About 2 ms a page; a range that takes longer than the deadline fails as a whole.
  package func extract(
    _ source: DocumentSource, pages: Range<Int>, urgency: Urgency = Urgency(.asked)
  ) async throws(WorkerFailure) -> [PageText] {
    guard pages.lowerBound >= 0, pages.upperBound <= HostileInput.mostPages else {
      throw .pageUnavailable(page: pages.lowerBound < 0 ? pages.lowerBound : pages.upperBound - 1)
    }
    let output = try Descriptor.memory()
    return try HostileInput.pageTexts(
      try await result(of: .extract(pages: pages), source, in: output, urgency), of: pages)
  }

  /// Draws a picture into a new file, mode 0600. There must be none at `path`; when drawing fails there is none then.
  ///
  /// - Throws: `cancelled` also for what was drawn ahead and had to make room.
  package func render(
    _ source: DocumentSource, _ picture: PictureRequest, into path: String, urgency: Urgency = Urgency(.asked)
  ) async throws(WorkerFailure) -> Picture {
    try picture.check()
    let file = try Descriptor.newFile(at: path)
    do throws(WorkerFailure) {
      let job = Job(source: source, request: .render(picture), output: file, urgency: urgency)
      guard case .drawn(let drawn) = try await reply(to: job) else { throw WorkerFailure.badReply("no picture") }
      try HostileInput.check(drawn, for: picture, fileSize: file.size, beginning: file.bytes(33))
      return drawn
    } catch {
      unlink(path)
      throw error
    }
  }

  /// The table of contents; empty if there is none.
  package func outline(_ source: DocumentSource) async throws(WorkerFailure) -> Outline {
    try HostileInput.outline(try await result(of: .outline, source, in: try .memory()))
  }

  /// The links of each of `pages`; a page that poppler cannot load has none.
  package func links(_ source: DocumentSource, pages: Range<Int>) async throws(WorkerFailure) -> [[PageLink]] {
    try HostileInput.links(try await result(of: .links(pages: pages), source, in: try .memory()), of: pages)
  }

  package func metadata(_ source: DocumentSource) async throws(WorkerFailure) -> DocumentMetadata {
    try HostileInput.metadata(try await result(of: .metadata, source, in: try .memory()))
  }

  /// The annotations of each of `pages`, of every kind, in the file's order.
  package func annotations(
    _ source: DocumentSource, pages: Range<Int>
  ) async throws(WorkerFailure) -> PageAnnotations {
    try HostileInput.annotations(
      try await result(of: .annotations(pages: pages), source, in: try .memory()), of: pages)
  }

  /// The annotations of another file's pages, read by the worker of a document of which it is a copy. The worker opens it
  /// anew for each call, as if it had never seen it, with what opens the document.
  package func annotations(
    inCopy path: String, of source: DocumentSource, pages: Range<Int>
  ) async throws(WorkerFailure) -> PageAnnotations {
    let copy = try Descriptor.document(at: path)
    let job = Job(source: source, request: .annotations(pages: pages), output: try .memory(), input: copy)
    return try HostileInput.annotations(try await result(of: job), of: pages)
  }

  package func embeddedFiles(_ source: DocumentSource) async throws(WorkerFailure) -> EmbeddedFiles {
    try HostileInput.embeddedFiles(try await result(of: .embeddedFiles, source, in: try .memory()))
  }

  /// Writes one of ``embeddedFiles(_:)`` into a new file, mode 0600, and gives its length. When it fails there is none.
  package func save(
    embeddedFile index: Int, of source: DocumentSource, into path: String
  ) async throws(WorkerFailure) -> Int {
    try await file(into: path) { output in Job(source: source, request: .embeddedFile(index: index), output: output) }
  }

  /// Writes a copy of the document with more annotations into a new file, mode 0600, and gives its length. When it fails
  /// there is none. Whoever asks must compare it with the document: a worker can write anything.
  package func copy(
    _ source: DocumentSource, adding edit: AnnotationEdit, into path: String
  ) async throws(WorkerFailure) -> Int {
    let input = try Descriptor.memory(holding: edit.encoded())
    return try await file(into: path) { output in
      Job(source: source, request: .copy, output: output, input: input)
    }
  }

  /// Lets a document that was marked dangerous be tried again, and ends the worker that has it open if it is idle.
  package func forget(_ key: String) async {
    await withCheckedContinuation { done in
      if !mailbox.post(.forget(key: key, done)) {
        done.resume()
      }
    }
  }

  /// Somebody waits now for what was requested with this urgency.
  package func hurry(_ urgency: Urgency) {
    if urgency.hurry() { _ = mailbox.post(.hurry(urgency)) }
  }

  /// The pool as it was after the last event. Answered by the pool's own notes and `/proc`, without waiting.
  package var status: WorkerStatus {
    var status = mailbox.status
    for index in status.workers.indices {
      status.workers[index].residentKiB = Worker.residentKiB(of: status.workers[index].pid)
    }
    return status
  }

  /// Answers what waits with `shutDown`, kills the workers, and returns when they are gone. Later requests are
  /// answered `shutDown`.
  package func shutDown() async {
    await withCheckedContinuation { done in
      if !mailbox.post(.shutDown(done)) {
        done.resume()
      }
    }
  }

  private func result(
    of request: WorkerRequest, _ source: DocumentSource, in output: Descriptor,
    _ urgency: Urgency = Urgency(.asked)
  ) async throws(WorkerFailure) -> [UInt8] {
    try await result(of: Job(source: source, request: request, output: output, urgency: urgency))
  }

  private func result(of job: Job) async throws(WorkerFailure) -> [UInt8] {
    guard case .written(let count) = try await reply(to: job) else { throw .badReply("no result") }
    return try job.output.result(count)
  }

  private func file(into path: String, _ job: (Descriptor) -> Job) async throws(WorkerFailure) -> Int {
    let output = try Descriptor.newFile(at: path)
    do throws(WorkerFailure) {
      guard case .saved(let count) = try await reply(to: job(output)) else { throw WorkerFailure.badReply("no file") }
      guard output.size == count else { throw WorkerFailure.badReply("another length than announced") }
      return count
    } catch {
      unlink(path)
      throw error
    }
  }

  private func reply(to job: Job) async throws(WorkerFailure) -> WorkerReply {
    try await withTaskCancellationHandler {
      await withCheckedContinuation { (answer: Answer) in
        if !mailbox.post(.request(job, answer)) {
          answer.resume(returning: .failure(.shutDown))
        }
      }
    } onCancel: {
      job.cancel()
      _ = mailbox.post(.cancel(job))
    }.get()
  }
}

/// Runs `body` on a detached thread of its own: one that may wait.
private func startThread(_ body: @escaping @Sendable () -> Void) {
  final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
  var thread = pthread_t()
  let argument = Unmanaged.passRetained(Body(body)).toOpaque()
  let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
    Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
    return nil
  }
  let result = pthread_create(&thread, nil, start, argument)
  precondition(result == 0, "no thread: errno \(result)")
  pthread_detach(thread)
}
