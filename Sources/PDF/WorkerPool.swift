import Glibc
import Threads

/// The worker processes that parse PDFs for the daemon.
///
/// Requests for one document start in order, requests for different documents run in parallel, as far as there are
/// workers. Requests that nobody waits for come later (``Urgency``). Every request ends with its result or a
/// ``WorkerFailure``, within its deadlines.
///
/// A thread of its own does all waiting, so that no task blocks its thread. It starts with the first request, or with
/// ``warm()``, and ends with ``shutDown()`` or with the pool.
package final class WorkerPool: Sendable {
  private let mailbox = Mailbox()
  private let configuration: WorkerConfiguration

  /// - Parameter log: called with one line for each failure of a worker, on the pool's thread.
  package init(_ configuration: WorkerConfiguration, log: @escaping @Sendable (String) -> Void = { _ in }) {
    self.configuration = configuration
    let mailbox = mailbox
    startThread {
      PoolLoop(configuration, mailbox, log: log).run()
    }
  }

  deinit {
    _ = mailbox.post(.shutDown(nil))
  }

  /// Starts the spare workers before they are needed, and returns when they are ready.
  ///
  /// - Throws: why they cannot be started, in particular `sandboxUnavailable`.
  package func warm() async throws(WorkerFailure) {
    _ = try await withCheckedContinuation { (answer: Answer) in
      if !mailbox.post(.warm(answer)) {
        answer.resume(returning: .failure(.shutDown))
      }
    }.get()
  }

  /// Starts the spare workers as soon as that would not slow down a request that somebody waits for.
  package func keepSpares() {
    _ = mailbox.post(.keepSpares)
  }

  /// Announces a document: if no worker is ready for one, one starts now, without warming up first.
  package func expect() {
    _ = mailbox.post(.expect)
  }

  /// The document's properties, with the size of every page.
  ///
  /// - Throws: `WorkerFailure`, such as `.passwordRequired` or `.notPDF`.
  package func inspect(_ source: DocumentSource) async throws(WorkerFailure) -> DocumentInfo {
    try await result(of: .inspect, source, read: HostileInput.documentInfo)
  }

  /// The text of `pages`, which must be pages of the document, with the box of each character.
  ///
  /// About 2 ms per page; a range that exceeds the deadline fails as a whole.
  ///
  /// - Throws: `WorkerFailure`, such as `.pageUnavailable` or `.textTooLarge`.
  package func extract(
    _ source: DocumentSource, pages: Range<Int>, urgency: Urgency = Urgency(.asked)
  ) async throws(WorkerFailure) -> [PageText] {
    guard pages.lowerBound >= 0, pages.upperBound <= HostileInput.mostPages else {
      throw .pageUnavailable(page: pages.lowerBound < 0 ? pages.lowerBound : pages.upperBound - 1)
    }
    return try await result(of: .extract(pages: pages), source, urgency) { bytes throws(WorkerFailure) in
      try HostileInput.pageTexts(bytes, of: pages)
    }
  }

  /// Renders a picture to a new file, mode 0600. `path` must not exist; after a failure it does not exist either.
  ///
  /// - Parameter expected: the length of the file, if known. The memory for a file in memory is then allocated while
  ///   the page is rendered: allocating it takes as long as copying to it.
  /// - Throws: `cancelled` also for speculative work that had to yield.
  package func render(
    _ source: DocumentSource, _ picture: PictureRequest, into path: String, expected: Int? = nil,
    urgency: Urgency = Urgency(.asked)
  ) async throws(WorkerFailure) -> Picture {
    try picture.check()
    let file = try Descriptor.newFile(at: path)
    if let expected, expected <= Self.mostMadeReady { Task.detached { file.makeReady(expected) } }
    do throws(WorkerFailure) {
      let job = Job(source: source, request: .render(picture), output: file, urgency: urgency)
      return try await reply(to: job) { reply throws(WorkerFailure) in
        guard case .drawn(let drawn) = reply else { throw .badReply("no picture") }
        try HostileInput.check(drawn, for: picture, fileSize: file.size, beginning: file.bytes(33))
        return drawn
      }
    } catch {
      unlink(path)
      throw error
    }
  }

  /// In bytes. Allocating this much takes some milliseconds, the longest that a task may block its thread.
  private static let mostMadeReady = 32 << 20

  /// The table of contents; empty if there is none.
  ///
  /// - Throws: `WorkerFailure`.
  package func outline(_ source: DocumentSource) async throws(WorkerFailure) -> Outline {
    try await result(of: .outline, source, read: HostileInput.outline)
  }

  /// The links of each of `pages`; a page that poppler cannot load has none.
  ///
  /// - Throws: `WorkerFailure`.
  package func links(_ source: DocumentSource, pages: Range<Int>) async throws(WorkerFailure) -> [[PageLink]] {
    try await result(of: .links(pages: pages), source) { bytes throws(WorkerFailure) in
      try HostileInput.links(bytes, of: pages)
    }
  }

  /// - Throws: `WorkerFailure`.
  package func metadata(_ source: DocumentSource) async throws(WorkerFailure) -> DocumentMetadata {
    try await result(of: .metadata, source, read: HostileInput.metadata)
  }

  /// The annotations of each of `pages`, of all kinds, in the file's order.
  ///
  /// - Throws: `WorkerFailure`.
  package func annotations(
    _ source: DocumentSource, pages: Range<Int>
  ) async throws(WorkerFailure) -> PageAnnotations {
    try await result(of: .annotations(pages: pages), source) { bytes throws(WorkerFailure) in
      try HostileInput.annotations(bytes, of: pages)
    }
  }

  /// The annotations of another file's pages, read by the worker of the document of which it is a copy. The worker
  /// opens it for each call like an unknown file, with the document's password.
  ///
  /// - Throws: `WorkerFailure`; `.unreadable` if the copy cannot be opened.
  package func annotations(
    inCopy path: String, of source: DocumentSource, pages: Range<Int>
  ) async throws(WorkerFailure) -> PageAnnotations {
    let copy = try Descriptor.document(at: path)
    let job = Job(source: source, request: .annotations(pages: pages), output: try .memory(), input: copy)
    return try await result(of: job) { bytes throws(WorkerFailure) in
      try HostileInput.annotations(bytes, of: pages)
    }
  }

  /// - Throws: `WorkerFailure`.
  package func embeddedFiles(_ source: DocumentSource) async throws(WorkerFailure) -> EmbeddedFiles {
    try await result(of: .embeddedFiles, source, read: HostileInput.embeddedFiles)
  }

  /// Writes one of ``embeddedFiles(_:)`` to a new file, mode 0600, and returns its length. After a failure there is no
  /// file.
  ///
  /// - Throws: `WorkerFailure`; `.outputError` if the file exists or cannot be written.
  package func save(
    embeddedFile index: Int, of source: DocumentSource, into path: String
  ) async throws(WorkerFailure) -> Int {
    try await file(into: path) { output in Job(source: source, request: .embeddedFile(index: index), output: output) }
  }

  /// Writes a copy of the document with additional annotations to a new file, mode 0600, and returns its length. After
  /// a failure there is no file. The caller must compare it with the document: a worker can write anything.
  ///
  /// - Throws: `WorkerFailure`; `.outputError` if the file exists or cannot be written.
  package func copy(
    _ source: DocumentSource, adding edit: AnnotationEdit, into path: String
  ) async throws(WorkerFailure) -> Int {
    let input = try Descriptor.memory(holding: edit.encoded())
    return try await file(into: path) { output in
      Job(source: source, request: .copy, output: output, input: input)
    }
  }

  /// Unblocks a document's attempts, and ends the worker that has it open if it is idle.
  package func forget(_ key: String) async {
    await withCheckedContinuation { done in
      if !mailbox.post(.forget(key: key, done)) {
        done.resume()
      }
    }
  }

  /// Raises requests with this urgency, since somebody waits for them now.
  package func hurry(_ urgency: Urgency) {
    if urgency.hurry() { _ = mailbox.post(.hurry(urgency)) }
  }

  /// The state of the pool after the last event. Read from the pool's own record and `/proc`, without waiting.
  package var status: WorkerStatus {
    var status = mailbox.status
    for index in status.workers.indices {
      status.workers[index].residentKiB = Worker.residentKiB(of: status.workers[index].pid)
    }
    return status
  }

  /// Fails waiting requests with `shutDown`, kills the workers, and returns when they have ended. Later requests fail
  /// with `shutDown`.
  package func shutDown() async {
    await withCheckedContinuation { done in
      if !mailbox.post(.shutDown(done)) {
        done.resume()
      }
    }
  }

  private func result<Result>(
    of request: WorkerRequest, _ source: DocumentSource, _ urgency: Urgency = Urgency(.asked),
    read: ([UInt8]) throws(WorkerFailure) -> Result
  ) async throws(WorkerFailure) -> Result {
    let job = Job(source: source, request: request, output: try .memory(), urgency: urgency)
    return try await result(of: job, read: read)
  }

  private func result<Result>(
    of job: Job, read: ([UInt8]) throws(WorkerFailure) -> Result
  ) async throws(WorkerFailure) -> Result {
    try await reply(to: job) { reply throws(WorkerFailure) in
      guard case .written(let count) = reply else { throw .badReply("no result") }
      return try read(try job.output.result(count))
    }
  }

  private func file(into path: String, _ job: (Descriptor) -> Job) async throws(WorkerFailure) -> Int {
    let output = try Descriptor.newFile(at: path)
    do throws(WorkerFailure) {
      return try await reply(to: job(output)) { reply throws(WorkerFailure) in
        guard case .saved(let count) = reply else { throw .badReply("no file") }
        guard output.size == count else { throw .badReply("another length than announced") }
        return count
      }
    } catch {
      unlink(path)
      throw error
    }
  }

  /// Reports invalid data to the pool, where it counts against the document like a crash.
  private func reply<Result>(
    to job: Job, read: (WorkerReply) throws(WorkerFailure) -> Result
  ) async throws(WorkerFailure) -> Result {
    let reply = try await reply(to: job)
    do throws(WorkerFailure) {
      return try read(reply)
    } catch {
      if case .badReply = error { _ = mailbox.post(.distrust(job, error)) }
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
    }.mapError { failure in
      // A worker only reports that the document needs a password.
      failure == .passwordRequired && job.source.password != nil ? .wrongPassword : failure
    }.get()
  }
}
