import Display
import Glibc
import Synchronization
import Threads
import Wire

/// The server: reads messages from standard input, answers each request once, and ends when the input ends.
///
///     input ──► reader thread ──► a task for each request ──► Gate ──► Library ──► commonplace connect ──► daemon
///                    └── initialize, cancellation: at once          └── output, one line a message
final class Server: Sendable {
  /// The most requests that are answered at once; one more is refused.
  static let mostRequests = 64
  /// The longest line.
  static let longestLine = 4 << 20
  /// The most bytes that are read of a longer line before the server ends.
  private static let longestDropped = 64 << 20
  /// How long requests may go on after the input has ended.
  private static let grace: Duration = .seconds(5)

  private struct Running {
    var task: Task<Void, Never>
    /// A cancelled request counts until its task has ended, and is not answered.
    var isCancelled = false
    var progress: ProgressReport?
  }

  private struct State {
    var running: [RequestID: Running] = [:]
    var isInitialized = false
    var whenIdle: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())
  private let output = Output()
  private let answers: Answers
  private let subscriptions: Subscriptions
  private let library: Library
  private let permissions: Permissions

  init(_ options: Options) {
    permissions = options.permissions
    let subscriptions = Subscriptions(output, permissions)
    self.subscriptions = subscriptions
    library = Library(options) { subscriptions.report($0) }
    let gate = Gate(library: library, permissions: permissions, limits: SessionLimits(options.limits))
    answers = Answers(gate: gate, subscriptions: subscriptions, version: options.version)
  }

  /// Serves until the input ends and its requests are answered.
  func run() async {
    await withCheckedContinuation { (ended: CheckedContinuation<Void, Never>) in
      startThread(named: "mcp-input") { [self] in
        readInput()
        ended.resume()
      }
    }
    endSubscriptions()
    let deadline = Task {
      try await Task.sleep(for: Self.grace)
      for running in state.withLock({ Array($0.running.values) }) { running.task.cancel() }
    }
    await withCheckedContinuation { (idle: CheckedContinuation<Void, Never>) in
      let isIdle = state.withLock { state in
        if state.running.isEmpty { return true }
        state.whenIdle = idle
        return false
      }
      if isIdle { idle.resume() }
    }
    deadline.cancel()
    // One that was being opened.
    endSubscriptions()
    await library.close()
  }

  private func endSubscriptions() {
    for id in subscriptions.closeAll() {
      send(
        result: [
          "resultType": "complete",
          "_meta": [
            "io.modelcontextprotocol/subscriptionId": id.json, "io.modelcontextprotocol/serverInfo": answers.server,
          ],
        ], to: id)
    }
  }

  // MARK: Input

  private func readInput() {
    var limits = FrameParser.Limits()
    limits.frame = Self.longestLine
    var parser = FrameParser(limits: limits)
    // No message begins with a letter, which would choose another framing.
    parser.append("{}\n".utf8)
    _ = try? parser.next()
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      parser.append(buffer[..<count])
      do {
        while let line = try parser.next() { receive(Frame(reading: line)) }
      } catch {
        // Where the next message begins is unknown.
        send(error: catalogued(error.reply), to: nil)
        // Any end of line in this piece is that of the long line, which is longer than a piece.
        return buffer[..<count].contains(UInt8(ascii: "\n")) ? () : dropLine(into: &buffer)
      }
    }
    if let line = parser.finish() { receive(Frame(reading: line)) }
  }

  /// Reads the rest of a line that is too long, so that a client that is still writing it can read the answer.
  private func dropLine(into buffer: inout [UInt8]) {
    var left = Self.longestDropped
    while left > 0 {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0, !buffer[..<count].contains(UInt8(ascii: "\n")) else { return }
      left -= count
    }
  }

  private func receive(_ frame: Frame) {
    switch frame {
    case .single(.request(let id, let method, let params)): begin(id, method, params)
    case .single(.notification("notifications/cancelled", let params)): cancel(params["requestId"])
    // Clients send no other notification that asks for anything, and no responses.
    case .single(.notification), .single(.response): break
    case .single(.invalid(let id, let error)): send(error: catalogued(error), to: id)
    case .batch: send(error: .invalidRequest("Batches are not supported; send one message a line"), to: nil)
    case .unreadable(let error): send(error: catalogued(error), to: nil)
    }
  }

  /// An error with its sentence. The sentences are read for the first such error: few sessions have one.
  private func catalogued(_ error: RPCError) -> ProtocolError {
    ProtocolError(code: error.code, text: Catalogue().render(error, language: .english).message)
  }

  // MARK: Requests

  private func begin(_ id: RequestID, _ method: String, _ params: JSONValue) {
    if case .number = id { return send(error: .invalidRequest("An id is a string or an integer"), to: nil) }
    if method == "initialize" {
      do throws(ProtocolError) {
        let result = try answers.initialize(params)
        state.withLock { $0.isInitialized = true }
        send(result: result, to: id)
      } catch {
        send(error: error, to: id)
      }
      return
    }
    let refusal: ProtocolError? = state.withLock { state in
      if state.running[id] != nil || subscriptions.isOpen(id) {
        return .invalidRequest("The id is in use by an unanswered request")
      }
      guard state.running.count < Self.mostRequests else {
        return ProtocolError(
          code: RPCError.Code.internalError, text: "\(Self.mostRequests) requests are running; wait for an answer")
      }
      let isInitialized = state.isInitialized
      state.running[id] = Running(task: Task { await self.answer(id, method, params, isInitialized) })
      return nil
    }
    if let refusal { send(error: refusal, to: id) }
  }

  private func answer(_ id: RequestID, _ method: String, _ params: JSONValue, _ isInitialized: Bool) async {
    do {
      let meta = try RequestMeta(of: params, isInitialized: isInitialized)
      // The earlier revision has `resources/subscribe` instead.
      if method == "subscriptions/listen", meta.revision == .modern {
        try await library.follow()
        try Task.checkCancellation()
        try subscriptions.open(id, params)
        // Answered when the stream ends. A cancellation that arrived before it was open closes it.
        if !finish(id, {}) { _ = subscriptions.close(id) }
        return
      }
      let progress = meta.progressToken.map { ProgressReport($0, output, permissions) }
      let isCancelled = state.withLock { state in
        state.running[id]?.progress = progress
        return state.running[id]?.isCancelled != false
      }
      if isCancelled { progress?.end() }
      // A request that fails ends them, too.
      defer { progress?.end() }
      let report = progress.map { progress in { @Sendable (value: JSONValue) in progress.report(value) } }
      let result = try await answers.result(of: method, params, meta, report)
      progress?.end()
      finish(id) { send(result: result, to: id) }
    } catch {
      let failure = error as? ProtocolError ?? ToolFailure(error).asProtocolError
      finish(id) { send(error: failure, to: id) }
    }
  }

  /// Ends a request, and sends its answer unless it was cancelled.
  ///
  /// - Returns: false if it was cancelled.
  @discardableResult
  private func finish(_ id: RequestID, _ send: () -> Void) -> Bool {
    let (isWanted, idle) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
      let isWanted = state.running.removeValue(forKey: id)?.isCancelled == false
      guard state.running.isEmpty, let idle = state.whenIdle else { return (isWanted, nil) }
      state.whenIdle = nil
      return (isWanted, idle)
    }
    if isWanted { send() }
    idle?.resume()
    return isWanted
  }

  /// Cancels a request whose task is running; an open subscription, which has no task, is closed.
  private func cancel(_ id: JSONValue?) {
    guard let id = id.flatMap(RequestID.init) else { return }
    let (task, progress) = state.withLock { state in
      state.running[id]?.isCancelled = true
      return (state.running[id]?.task, state.running[id]?.progress)
    }
    task?.cancel()
    progress?.end()
    _ = subscriptions.close(id)
  }

  // MARK: Output

  private func send(result: JSONObject, to id: RequestID) {
    output.send(MessageBytes.result(id: id, JSONWriter.bytes(of: .object(result))))
  }

  private func send(error: ProtocolError, to id: RequestID?) {
    var body: JSONObject = ["code": .integer(Int64(error.code)), "message": .string(error.text)]
    if !error.data.isEmpty { body["data"] = .object(error.data) }
    var message: JSONObject = ["jsonrpc": "2.0"]
    message["id"] = id?.json
    message["error"] = .object(body)
    output.send(JSONWriter.bytes(of: .object(message)))
  }
}

extension ToolFailure {
  /// The failure of a request that is no call of a tool.
  fileprivate var asProtocolError: ProtocolError {
    var data = data
    if let quoted { data["untrusted"] = .string(quoted) }
    return ProtocolError(code: RPCError.Code.internalError, text: text, data: data)
  }
}
