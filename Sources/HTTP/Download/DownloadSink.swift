import FoundationEssentials
import Synchronization

/// Writes a download's responses to its part file; one sink for all requests of a call.
///
/// The network thread calls it while a request runs, the call's task between requests, never both at once; the lock is
/// only for the compiler and never contended. No closure of the caller runs under it.
final class DownloadSink: ResponseSink {
  /// The result of a request.
  enum Outcome: Equatable {
    /// All bytes were received, as far as the server stated their number.
    case complete
    /// The response ended without an error, and bytes are missing.
    case short
    /// The part was useless and has been emptied: send the request again.
    case startOver
    /// The caller's copy is current.
    case unchanged
  }

  private struct State: ~Copyable {
    var file: PartFile
    /// The origin of the part's bytes; nil if they cannot be continued.
    var record: PartRecord?
    /// The metadata of the last accepted response, resumable or not.
    var source: PartRecord?
    var requested: RangeAnswer.RequestedRange?
    var total: Int?
    var resumedFrom: Int
    var outcome = Outcome.short
    var hasConnected = false
    var hasAnswer = false
    var isJudged = false
    var answer = (status: 0, bytes: 0)
    var meter = ProgressMeter()
  }

  private let request: DownloadRequest
  private let origin: String
  private let wallClock: (@Sendable () -> Date)?
  private let progress: @Sendable (DownloadProgress) -> Void
  private let state: Mutex<State>

  /// The number of first bytes that are checked.
  static let headSize = 1024

  init(
    _ request: DownloadRequest, origin: String = "", wallClock: (@Sendable () -> Date)? = nil,
    progress: @escaping @Sendable (DownloadProgress) -> Void
  ) throws(HTTPFailure) {
    self.request = request
    self.origin = origin
    self.wallClock = wallClock
    self.progress = progress
    var file = try PartFile(request.part)
    let record = Self.usable(PartRecord.load(part: request.part), request, size: file.size)
    if record == nil { try file.empty() }
    state = Mutex(State(file: file, record: record, source: record, total: record?.total, resumedFrom: file.size))
  }

  /// The record, if it describes this request and can be continued.
  private static func usable(_ record: PartRecord?, _ request: DownloadRequest, size: Int) -> PartRecord? {
    guard let record, size > 0, record.digest == PartRecord.digest(of: request.url), record.validator != nil,
      size <= record.total ?? size
    else { return nil }
    return record
  }

  /// The status of the request's response, 0 if there is none, and the number of received body bytes.
  var answer: (status: Int, bytes: Int) { state.withLock { $0.answer } }

  /// Bytes in the part.
  var size: Int { state.withLock { $0.file.size } }

  /// The number of bytes in the part from which a further request can resume.
  var resumeSize: Int { state.withLock { $0.record?.validator == nil ? 0 : $0.file.size } }

  /// Whether a further request may help after a connection failure. A host that cannot be reached at all, or never
  /// responds, is not retried.
  func isLoss(_ failure: HTTPFailure) -> Bool {
    state.withLock { state in
      switch failure {
      case .unreachable: state.hasConnected
      case .timedOut: state.hasAnswer
      default: false
      }
    }
  }

  var outcome: Outcome { state.withLock { $0.outcome } }

  /// Begins a request: returns the headers that request the missing bytes.
  func nextHeaders() throws(HTTPFailure) -> HTTPHeaders {
    try state.withLock { state throws(HTTPFailure) in
      state.outcome = .short
      state.requested = nil
      state.answer = (0, 0)
      guard state.file.size > 0, let record = state.record, let validator = record.validator else { return [:] }
      state.requested = .init(offset: state.file.size, total: record.total, etag: record.etag)
      return ["Range": "bytes=\(state.file.size)-", "If-Range": validator]
    }
  }

  /// Empties the part.
  func reset() throws(HTTPFailure) {
    try state.withLock { state throws(HTTPFailure) in
      try state.file.empty()
      (state.record, state.total, state.resumedFrom, state.isJudged) = (nil, nil, 0, false)
    }
  }
}

// MARK: On the network thread

extension DownloadSink {
  func connected() {
    state.withLock { $0.hasConnected = true }
  }

  func begin(_ head: ResponseHead) throws(HTTPFailure) -> Bool {
    let wantsBody = try state.withLock { state throws(HTTPFailure) in
      state.answer = (head.status, 0)
      if head.status == 304 {
        state.outcome = .unchanged
        return false
      }
      if let wait = tooMany(head) { throw .rateLimited(origin: origin, retryAfter: wait) }
      switch try RangeAnswer.read(head, requested: state.requested, url: WebURL.masked(request.url)) {
      case .complete:
        guard state.file.size <= request.limit else { throw .tooLarge(limit: request.limit) }
        state.outcome = .complete
        return false
      case .startOver:
        state.outcome = .startOver
        return false
      case .rest(let total):
        state.total = total
      case .whole(let total):
        try state.file.empty()
        let record = PartRecord(url: request.url, head: head, total: total)
        (state.source, state.record, state.total) = (record, nil, total)
        (state.resumedFrom, state.isJudged) = (0, false)
        if record.validator != nil && head.headers["Accept-Ranges"]?.lowercased() != "none" {
          try record.store(part: request.part)
          state.record = record
        }
      }
      state.hasAnswer = true
      guard state.total ?? 0 <= request.limit else { throw .tooLarge(limit: request.limit) }
      return true
    }
    if wantsBody { try judge(isWhole: false) }
    return wantsBody
  }

  /// How long to wait if the server limits requests. No queue is blocked by a download, so the server's time is passed
  /// on unchanged.
  private func tooMany(_ head: ResponseHead) -> Duration? {
    guard head.status == 429 || head.status == 503 else { return nil }
    let named = RetryRule.wait(head.headers, now: wallClock?(), longest: .seconds(7 * 24 * 3_600))
    return named ?? (head.status == 429 ? .seconds(60) : nil)
  }

  func receive(_ bytes: UnsafeRawBufferPointer) throws(HTTPFailure) {
    let report = try state.withLock { state throws(HTTPFailure) -> DownloadProgress? in
      let size = state.file.size + bytes.count
      guard size <= request.limit else { throw .tooLarge(limit: request.limit) }
      guard size <= state.total ?? size else { throw .badResponse(reason: "answerTooLong") }
      try state.file.append(bytes)
      state.answer.bytes += bytes.count
      return state.meter.isDue(.now) ? DownloadProgress(received: size, total: state.total) : nil
    }
    try judge(isWhole: false)
    if let report { progress(report) }
  }

  /// Passes the first bytes to the caller, unless it has already decided.
  private func judge(isWhole: Bool) throws(HTTPFailure) {
    let head = try state.withLock { state throws(HTTPFailure) -> Data? in
      guard !state.isJudged, isWhole || state.file.size > 0 else { return nil }
      return try state.file.head(Self.headSize)
    }
    guard let head else { return }
    let isWhole = isWhole || head.count == Self.headSize
    switch request.validate(head, isWhole) {
    case .accepted: state.withLock { $0.isJudged = true }
    case .undecided where !isWhole: break
    case .undecided: throw .refusedContent(reason: "answerUnexpected")
    case .refused(let reason): throw .refusedContent(reason: reason)
    }
  }
}

// MARK: The end

extension DownloadSink {
  /// Completes a request that ended without an error: checks whether all bytes were received.
  func settle() -> Outcome {
    state.withLock { state in
      if state.outcome == .short, state.file.size == state.total ?? state.file.size { state.outcome = .complete }
      return state.outcome
    }
  }

  /// Checks the file once more, syncs it, and reports the final progress. Blocks for the disk: not for the network
  /// thread.
  func finish(from url: WebURL, asked: WebURL) throws(HTTPFailure) -> Download {
    try judge(isWhole: true)
    let download = try state.withLock { state throws(HTTPFailure) in
      try state.file.sync()
      return Download(
        file: request.part, lock: state.file.handOver(), size: state.file.size, finalURL: url,
        mediaType: state.source?.mediaType,
        etag: state.source?.etag, lastModified: state.source?.lastModified,
        // Validators are stored with their URL, so a URL with a secret has none.
        validators: url.masked == url.text
          ? Validators(from: url, asked: asked, etag: state.source?.etag, lastModified: state.source?.lastModified)
          : nil,
        resumedFrom: state.resumedFrom)
    }
    progress(DownloadProgress(received: download.size, total: download.size))
    return download
  }

  /// Cleans up after a failure: deletes a part that must not or cannot be continued.
  func abandon(after failure: HTTPFailure) {
    switch failure {
    case .tooLarge, .refusedContent: PartFile.remove(request.part)
    // Without a record no later call can resume it.
    default: if resumeSize == 0 { PartFile.remove(request.part) }
    }
  }

  /// The caller already has the file.
  func discard() { PartFile.remove(request.part) }

  /// Unlocks the part: the call is over.
  func release() {
    state.withLock { $0.file.release() }
  }
}
