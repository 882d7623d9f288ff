import FoundationEssentials
import Synchronization

/// Writes a download's answers into its part file; one sink for all requests of a call.
///
/// The network thread calls it while a request runs, the call's task between requests, never both at once; the lock is
/// for the compiler and costs nothing. No closure of the caller runs under it.
final class DownloadSink: ResponseSink {
  /// What a request has led to.
  enum Outcome: Equatable {
    /// All bytes are there, as far as the server told how many there are.
    case complete
    /// The answer ended well, and bytes are missing.
    case short
    /// The part was of no use and is empty now: ask again.
    case startOver
    /// The caller has these bytes already.
    case unchanged
  }

  private struct State: ~Copyable {
    var file: PartFile
    /// What the part's bytes belong to; nil if they cannot be continued.
    var record: PartRecord?
    /// What is known of the answer last accepted, resumable or not.
    var source: PartRecord?
    var asked: RangeAnswer.Asked?
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

  /// How many of the first bytes are judged.
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

  /// The record, if what it describes is this request's and can be continued.
  private static func usable(_ record: PartRecord?, _ request: DownloadRequest, size: Int) -> PartRecord? {
    guard let record, size > 0, record.digest == PartRecord.digest(of: request.url), record.validator != nil,
      size <= record.total ?? size
    else { return nil }
    return record
  }

  /// The status of the request's answer, 0 if there is none, and the bytes of its body that came.
  var answer: (status: Int, bytes: Int) { state.withLock { $0.answer } }

  /// Bytes in the part.
  var size: Int { state.withLock { $0.file.size } }

  /// Bytes in the part from which a further request can go on.
  var keptSize: Int { state.withLock { $0.record?.validator == nil ? 0 : $0.file.size } }

  /// Whether a failure of the connection is a loss that a further request may make good. A host that cannot be reached
  /// at all, or is silent from the start, is not asked again.
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

  /// Begins a request: returns the headers that ask for what is missing.
  func nextHeaders() throws(HTTPFailure) -> HTTPHeaders {
    try state.withLock { state throws(HTTPFailure) in
      state.outcome = .short
      state.asked = nil
      state.answer = (0, 0)
      guard state.file.size > 0, let record = state.record, let validator = record.validator else { return [:] }
      state.asked = .init(offset: state.file.size, total: record.total, etag: record.etag)
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
      switch try RangeAnswer.read(head, asked: state.asked, url: WebURL.masked(request.url)) {
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

  /// How long to wait when the server wants fewer requests. Nothing is held for a download, so its own word is handed on
  /// as it is.
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

  /// Shows the first bytes to the caller, unless it has made up its mind.
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
  /// Settles a request that ended well: are all bytes there?
  func settle() -> Outcome {
    state.withLock { state in
      if state.outcome == .short, state.file.size == state.total ?? state.file.size { state.outcome = .complete }
      return state.outcome
    }
  }

  /// Judges the file a last time, syncs it, and tells the last progress. Blocks for the disk: not for the network
  /// thread.
  func finish(from url: WebURL, asked: WebURL) throws(HTTPFailure) -> Download {
    try judge(isWhole: true)
    let download = try state.withLock { state throws(HTTPFailure) in
      try state.file.sync()
      return Download(
        file: request.part, lock: state.file.handOver(), size: state.file.size, finalURL: url,
        mediaType: state.source?.mediaType,
        etag: state.source?.etag, lastModified: state.source?.lastModified,
        // Validators are stored with their URL: a URL with a secret in it gives none.
        validators: url.masked == url.text
          ? Validators(from: url, asked: asked, etag: state.source?.etag, lastModified: state.source?.lastModified)
          : nil,
        resumedFrom: state.resumedFrom)
    }
    progress(DownloadProgress(received: download.size, total: download.size))
    return download
  }

  /// Tidies up after a failure: removes what must not or cannot be continued.
  func abandon(after failure: HTTPFailure) {
    switch failure {
    case .tooLarge, .refusedContent: PartFile.remove(request.part)
    // Without a record no later call goes on with it.
    default: if keptSize == 0 { PartFile.remove(request.part) }
    }
  }

  /// The caller has what the part was to become.
  func discard() { PartFile.remove(request.part) }

  /// Unlocks the part: the call is over.
  func release() {
    state.withLock { $0.file.release() }
  }
}
