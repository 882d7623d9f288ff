import CSandbox
import Glibc

/// One worker process. Confined to the pool's thread.
final class Worker {
  enum Phase {
    /// It warms up, and has not sent its hello.
    case starting
    /// It waits for a document.
    case spare
    /// It belongs to a document until it ends.
    case serving(OpenDocument)
    /// It was killed, or has closed its socket, and has to be reaped.
    case ending
  }

  enum Activity {
    case idle
    /// The document is being opened for this request.
    case opening(Pending)
    case running(Pending)
    /// The result is not needed any more.
    case abandoned(Pending)

    var pending: Pending? {
      switch self {
      case .idle: nil
      case .opening(let pending), .running(let pending), .abandoned(let pending): pending
      }
    }
  }

  /// The attempt to blame if it fails now: while the document is not open, opening it, whatever the request.
  var attempt: Attempt? {
    switch activity {
    case .idle: nil
    case .opening(let pending): .opening(pending.job.source.key)
    case .running(let pending): Attempt(pending.job)
    case .abandoned(let pending): hasOpened ? Attempt(pending.job) : .opening(pending.job.source.key)
    }
  }

  let pid: pid_t
  let socket: Descriptor
  /// Readable when the process has ended.
  let process: Descriptor
  private let errors: Descriptor
  var phase = Phase.starting
  var activity = Activity.idle
  /// When the worker is killed unless it has replied.
  var deadline: ContinuousClock.Instant?
  var hasOpened = false
  var lastUsed = ContinuousClock.now
  /// When it got its document.
  var taken = ContinuousClock.now
  /// When its current work began.
  var begun = ContinuousClock.now
  var requests = 0
  /// The end of its stderr output.
  private var words: [UInt8] = []

  /// Starts the process; it sends its hello later, after warming up if `warmsUp` is set.
  init(_ configuration: WorkerConfiguration, warmsUp: Bool) throws(WorkerFailure) {
    var sockets: [Int32] = [0, 0]
    var result = process_socket_pair(&sockets)
    guard result == 0 else { throw .unavailable(system(-result)) }
    let socket = Descriptor(sockets[0])
    let workerSocket = Descriptor(sockets[1])
    var ends: [Int32] = [0, 0]
    result = process_bounded_pipe(&ends, Int32(Self.mostWords))
    guard result == 0 else { throw .unavailable(system(-result)) }
    let errors = Descriptor(ends[0])
    let workerErrors = Descriptor(ends[1])

    let arguments = [
      configuration.executable, "--serve", String(getpid()), "--memory", String(configuration.memory),
      "--sandbox", configuration.sandbox.rawValue, "--warmth", warmsUp ? "first" : "later",
    ]
    // A clean environment: no HOME, no proxy, no locale. The encoding is UTF-8 whatever the daemon was started with;
    // no backtraces, which would start a program.
    let environment = ["LC_ALL=C.UTF-8", "SWIFT_BACKTRACE=enable=no"]
    let pid = withCStrings(arguments) { arguments in
      withCStrings(environment) { environment in
        process_spawn(configuration.executable, arguments, environment, workerSocket.number, workerErrors.number)
      }
    }
    guard pid > 0 else { throw .unavailable("\(configuration.executable): \(system(-pid))") }
    let process = process_descriptor(pid)
    guard process >= 0 else {
      Glibc.kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
      throw .unavailable("pidfd: \(system(-process))")
    }
    self.pid = pid
    self.socket = socket
    self.process = Descriptor(process)
    self.errors = errors
  }

  var isStarting: Bool { if case .starting = phase { true } else { false } }
  var isSpare: Bool { if case .spare = phase { true } else { false } }
  var isServing: Bool { if case .serving = phase { true } else { false } }
  /// Whether it runs a request that nobody waits for.
  var isBusyUnasked: Bool { activity.pending.map { !isAbandoned && $0.job.rank != .asked } ?? false }
  /// Whether it runs speculative work, or a request that was cancelled.
  var isBusyAhead: Bool { activity.pending.map { $0.job.rank == .ahead } ?? false }
  var isEnding: Bool { if case .ending = phase { true } else { false } }
  var isAbandoned: Bool { if case .abandoned = activity { true } else { false } }

  /// - Throws: `crashed(signal: 0)` if the worker has closed its side, as `receive` does.
  func send(_ request: WorkerRequest, with descriptors: [Descriptor]) throws(WorkerFailure) {
    let bytes = request.encoded()
    let result = process_send(socket.number, bytes, bytes.count, descriptors.map(\.number), descriptors.count)
    if result == -EPIPE || result == -ECONNRESET { throw .crashed(signal: 0) }
    guard result == 0 else { throw .badReply("does not listen: errno \(-result)") }
  }

  /// The next reply; nil if there is none yet.
  ///
  /// - Throws: `badReply` for an invalid reply; `crashed(signal: 0)` if the worker has closed its side.
  func receive() throws(WorkerFailure) -> WorkerReply? {
    var length = 0
    var bytes = [UInt8](unsafeUninitializedCapacity: Self.longestReply) { buffer, filled in
      var descriptors = 0
      length = process_receive(socket.number, buffer.baseAddress, Self.longestReply, nil, &descriptors, 0)
      filled = max(0, length)
    }
    if length == -Int(EAGAIN) { return nil }
    if length == 0 || length == -Int(ECONNRESET) { throw .crashed(signal: 0) }
    guard length > 0 else { throw .badReply("unreadable: errno \(-length)") }
    bytes.removeLast(bytes.count - length)
    do {
      return try WorkerReply(decoding: bytes)
    } catch {
      throw .badReply(error.what)
    }
  }

  func kill() {
    // The process is not reaped yet, so that its pid cannot belong to another process.
    Glibc.kill(pid, SIGKILL)
  }

  /// Stores the end of the output since the last call. The pipe holds no more than `mostWords`; the kernel drops
  /// further output.
  func listen() {
    var buffer = [UInt8](repeating: 0, count: Self.mostWords)
    for _ in 0..<8 {
      let count = read(errors.number, &buffer, buffer.count)
      guard count > 0 else { break }
      words.append(contentsOf: buffer[..<count])
      words.removeFirst(max(0, words.count - Self.mostWords))
    }
  }

  var lastWords: String {
    String(decoding: words, as: UTF8.self)
  }

  /// Resident memory in KiB, from `/proc`.
  static func residentKiB(of pid: pid_t) -> Int? {
    let file = open("/proc/\(pid)/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 128)
    let count = read(file, &buffer, buffer.count)
    guard count > 0 else { return nil }
    let fields = buffer[..<count].split(separator: UInt8(ascii: " "))
    guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return nil }
    return pages * Int(getpagesize()) / 1_024
  }

  private static let mostWords = 4_096
  private static let longestReply = 16_384
}

/// The system's message for an errno.
private func system(_ errno: Int32) -> String { String(cString: strerror(errno)) }

/// Calls `body` with a null-terminated array of C strings, as for exec.
private func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  let copies = strings.map { strdup($0) }
  defer {
    for copy in copies {
      free(copy)
    }
  }
  return (copies + [nil]).withUnsafeBufferPointer { body($0.baseAddress!) }
}
