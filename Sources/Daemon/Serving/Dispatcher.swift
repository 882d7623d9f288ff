import DequeModule
import Kit
import Store
import System
import Wire

/// Determines the order in which one client's messages start. The format and sending of replies are the peer's task.
///
/// Messages start in the order in which they were sent. Three conditions delay the next one, each a state and never a
/// blocking wait, since the loop serves other clients too:
///
///     a read    waits until this client's queued writes are done      (it sees every write sent before it)
///     any       waits until the preceding read has pinned its snapshot (a later write must not be visible to it)
///     any       waits while 64 of its requests run, or while more than 4 MiB of its replies are unsent
///     the reply to a fetch, too, is only created when there is room again
///
/// External delays must not block the library, so other messages do not wait for fetches: if all 64 running requests
/// are fetches, one more gets the error `busy`, and requests that finish immediately are run. Methods without external
/// resources end by themselves; while one of them runs, the next call waits for its turn.
///
/// Cancellations and `exit` bypass this queue; they are handled when they are read.
final class Dispatcher {
  /// One request or notification, waiting or running.
  struct Call {
    let number: Int
    let method: String
    let params: JSONValue
    let bytes: Int
    /// The handler of a notification that has one.
    var handler: NotificationHandler?
  }

  /// The means to stop a running call.
  enum Running {
    case write(WriteToken)
    case read(Interruption)
    case fetch(Task<Void, Never>, method: String)
  }

  static let runningLimit = 64
  /// The most concurrent long reads of a client, so that one client cannot occupy all readers.
  static let longReadLimit = 2
  /// The socket is read while fewer messages than this wait.
  static let waitingLimit = 1_024
  static let waitingByteLimit = 4 << 20
  /// The most calls of a client that start in one turn of the loop, and the longest such turn, since it has other
  /// clients too.
  static let startsPerTurn = 128
  static let longestTurn: Duration = .milliseconds(2)

  unowned let peer: Peer
  let host: LoopContext
  private var waiting: Deque<Call> = []
  private var waitingBytes = 0
  var running: [Int: Running] = [:]
  private var views = OpenViews()
  private var writes = 0
  /// The number of them that run in slices; a later write must not run between two slices.
  private var longWrites = 0
  var fetches = 0
  /// Finished fetches whose replies wait for room.
  var fetched: Deque<(number: Int, reply: FetchedReply)> = []
  let largeReplies = LargeReplies()
  private var longReads = 0
  /// The read whose snapshot is being pinned; nothing starts meanwhile.
  private var pinning: Int?
  /// The write whose reply the writer may send itself.
  private var lent: Int?
  private var isStarting = false
  /// Whether the next call starts in the loop's next turn.
  private var isYielding = false

  init(peer: Peer, host: LoopContext) {
    self.peer = peer
    self.host = host
  }

  var isFull: Bool {
    waiting.count >= Self.waitingLimit || waitingBytes >= Self.waitingByteLimit
  }

  var isIdle: Bool {
    waiting.isEmpty && running.isEmpty
  }

  var runningCount: Int { running.count }

  /// The methods of the running fetches.
  var fetchedMethods: [String] {
    running.values.compactMap { if case .fetch(_, let method) = $0 { method } else { nil } }
  }

  func add(_ call: Call) {
    supersede(by: call)
    waiting.append(call)
    waitingBytes += call.bytes
    startWhatCanStart()
  }

  /// Adds the members of a batch. They start when all of them are added, in as many turns as needed.
  func addTogether(_ add: () -> Void) {
    isStarting = true
    add()
    isStarting = false
    startWhatCanStart()
  }

  /// Stops a waiting or running call. Returns true if it will not finish by itself, so that the caller must send the
  /// reply.
  func cancel(_ number: Int) -> Bool {
    if let index = waiting.firstIndex(where: { $0.number == number }) {
      waitingBytes -= waiting[index].bytes
      waiting.remove(at: index)
      startWhatCanStart()
      return true
    }
    switch running[number] {
    case .write(let token): return token.cancel()
    case .read(let interruption):
      interruption.interrupt(.cancelled)
      unpin(number)
    case .fetch(let task, _): stop(task, number)
    case nil: return false
    }
    return true
  }

  func stop(_ fetch: Task<Void, Never>, _ number: Int) {
    fetch.cancel()
    largeReplies.release(number)
  }

  /// The client has disconnected: reads and fetches are stopped; accepted writes continue, since their order is
  /// guaranteed.
  func cancelAll() {
    waiting.removeAll()
    waitingBytes = 0
    for number in running.keys {
      if case .write = running[number] { continue }
      _ = cancel(number)
    }
  }

  /// The daemon shuts down: running fetches are cancelled, with an error as their reply.
  func cancelFetches() {
    for case (let number, .fetch(let task, _)) in running {
      stop(task, number)
      peer.finish(number, .failure(RPCError.stoppedRequest))
    }
  }

  // MARK: - Starting

  /// Starts calls until the next one must wait. Called whenever a condition for waiting has ended.
  func startWhatCanStart() {
    // A call that ends immediately calls this again from inside; the outer call continues with the next one.
    guard !isStarting, !isYielding else { return }
    isStarting = true
    defer { isStarting = false }
    answerFetched()
    var left = Self.startsPerTurn
    let begun = ContinuousClock.now
    while let call = waiting.first, pinning == nil, running.count < Self.runningLimit || fetches == running.count,
      peer.hasRoom
    {
      guard left > 0, !left.isMultiple(of: 8) || ContinuousClock.now - begun < Self.longestTurn else {
        yield()
        break
      }
      left -= 1
      do {
        guard try start(call) else { break }
        // The result of a fetch that needed no request is already available.
        if !fetched.isEmpty { answerFetched() }
      } catch {
        take()
        peer.finish(call.number, .failure(error))
      }
    }
    peer.readingMayHaveChanged()
  }

  private func yield() {
    isYielding = true
    host.loop.executeAfterOthers(
      onLoop { dispatcher in
        dispatcher.isYielding = false
        dispatcher.startWhatCanStart()
      })
  }

  /// Returns false if the call must wait. A waiting call is not decoded: this is called again whenever a message
  /// arrives.
  private func start(_ call: Call) throws -> Bool {
    if let handler = call.handler { return try start(call, handler) }
    let route = try host.route(call.method)
    switch route.body {
    case .control(let run):
      try peer.checkOpen()
      take()
      peer.finish(call.number, Result { Outcome(output: try run(call.params, peer), clock: nil) })
    case .detached(let decode):
      try peer.checkOpen()
      guard try mayRun() else { return false }
      startMaking(call, label: route.name, try decode(call.params))
    case .write(let decode):
      try peer.checkOpen()
      guard longWrites == 0, try mayRun() else { return false }
      let body = try decode(call.params)
      take()
      enqueue(call.number, label: route.name, body)
    case .longWrite(let decode):
      try peer.checkOpen()
      guard longWrites == 0, try mayRun() else { return false }
      let body = try decode(call.params)
      take()
      enqueue(call.number, label: route.name, long: body)
    case .read(let isQuick, let decode):
      try peer.checkOpen()
      let isQuick = isQuick(call.params)
      guard writes == 0, isQuick || longReads < Self.longReadLimit, try isQuick || mayRun() else { return false }
      let body = try decode(call.params)
      isQuick ? readNow(call, body, route) : readOnThread(call, body, route)
    case .external(let doing, let decode):
      try peer.checkOpen()
      guard writes == 0, try mayRun() else { return false }
      startFetch(call, label: route.name, doing: doing, prepare: try decode(call.params))
    }
    return true
  }

  private func start(_ call: Call, _ handler: NotificationHandler) throws -> Bool {
    try peer.checkOpen()
    guard handler.isWanted(call.params, peer) else {
      take()
      peer.finish(call.number, .success(Outcome(output: [], clock: nil)))
      return true
    }
    switch handler.body {
    case .control(let run):
      take()
      peer.finish(
        call.number,
        Result {
          try run(call.params, peer)
          return Outcome(output: [], clock: nil)
        })
    case .write(let decode, let ended):
      guard longWrites == 0, try mayRun() else { return false }
      let body = try decode(call.params)
      take()
      let token = beginWrite(call.number)
      host.store.writes.add(
        WriteJob(
          caller: peer.caller, label: handler.name, token: token, body: body,
          completion: onLoop { dispatcher, result in
            dispatcher.endWrite(call.number, result)
            ended(call.params, result.map(\.output), dispatcher.peer.caller)
          }))
    }
    return true
  }

  /// Whether one more call may run now; false while it must wait.
  ///
  /// - Throws: `busy` if all running calls are fetches.
  private func mayRun() throws(RPCError) -> Bool {
    if running.count < Self.runningLimit { return true }
    if running.values.allSatisfy(waitsOutside) { throw .busy }
    return false
  }

  private func waitsOutside(_ running: Running) -> Bool {
    guard case .fetch(_, let method) = running else { return false }
    return host.router.routes[method]?.asksOutside ?? true
  }

  func take() {
    waitingBytes -= waiting.removeFirst().bytes
  }

  // MARK: - Writes

  func enqueue(_ number: Int, label: String, _ body: @escaping Route.Writing) {
    let token = beginWrite(number)
    host.store.writes.add(
      WriteJob(
        caller: peer.caller, label: label, token: token, body: body, reply: lend(number),
        completion: onLoop { dispatcher, result in dispatcher.endWrite(number, result) }))
  }

  func enqueue(_ number: Int, label: String, long body: @escaping LongWrite.Body) {
    longWrites += 1
    host.store.add(
      LongWrite(
        caller: peer.caller, label: label, token: beginWrite(number), body: body,
        completion: onLoop { dispatcher, result in
          dispatcher.longWrites -= 1
          dispatcher.endWrite(number, result)
          // Releases the writer's larger cache, and the memory of the import.
          dispatcher.host.giveMemoryBackSoon()
        }))
  }

  private func beginWrite(_ number: Int) -> WriteToken {
    let token = WriteToken()
    running[number] = .write(token)
    writes += 1
    return token
  }

  /// Lets the writer send the reply of a write that is its client's only request; nil otherwise.
  private func lend(_ number: Int) -> (@Sendable (WriteOutcome) -> Bool)? {
    guard running.count == 1, waiting.isEmpty, let (id, output) = peer.lendOutput(for: number) else { return nil }
    lent = number
    return { output.send(Reply.bytes(id: id, Outcome($0))) }
  }

  /// Called after the writer has sent the reply for which it was lent the output.
  func endLent() {
    guard let number = lent, running.removeValue(forKey: number) != nil else { return }
    lent = nil
    writes -= 1
    peer.wasAnswered(number)
    startWhatCanStart()
  }

  private func endWrite(_ number: Int, _ result: Result<WriteOutcome, any Error>) {
    writes -= 1
    end(number, result.map(Outcome.init))
  }

  // MARK: - Reads

  private func readNow(_ call: Call, _ body: Route.Reading, _ route: Route) {
    take()
    peer.finish(call.number, Result { try host.quick(peer.caller, body, givesClock: route.givesClock) })
  }

  private func readOnThread(_ call: Call, _ body: @escaping Route.Reading, _ route: Route) {
    take()
    let givesClock = route.givesClock
    let interruption = Interruption()
    running[call.number] = .read(interruption)
    longReads += 1
    pinning = call.number
    let deadline = host.after(
      host.readDeadline,
      onLoop { dispatcher in
        // The read may be at a point that cannot be interrupted; its client gets its reply without waiting.
        interruption.interrupt(.timedOut)
        dispatcher.unpin(call.number)
        dispatcher.peer.finish(call.number, .failure(RPCError.readTimedOut))
      })
    host.store.reads.read(
      for: peer.caller, interruption: interruption,
      pinned: onLoop { dispatcher in
        dispatcher.unpin(call.number)
      },
      body: { Outcome(output: try body($0), clock: $0.clock, givesClock: givesClock) },
      completion: onLoop { dispatcher, result in
        deadline.cancel()
        dispatcher.longReads -= 1
        dispatcher.end(call.number, result)
      })
  }

  /// The read has pinned its snapshot, or its result is not needed any more.
  private func unpin(_ number: Int) {
    guard pinning == number else { return }
    pinning = nil
    startWhatCanStart()
  }

  // MARK: - Ending

  /// A closure for another thread that runs on this loop. It retains the peer, and with it this dispatcher, until then:
  /// the client may have disconnected meanwhile.
  func onLoop<Value: Sendable>(
    _ body: @escaping @Sendable (Dispatcher, Value) -> Void
  ) -> @Sendable (Value) -> Void {
    host.onLoop(peer) { (peer: Peer, value: Value) in body(peer.dispatcher, value) }
  }

  private func onLoop(_ body: @escaping @Sendable (Dispatcher) -> Void) -> @Sendable () -> Void {
    host.onLoop(peer) { (peer: Peer) in body(peer.dispatcher) }
  }

  func end(_ number: Int, _ result: Result<Outcome, any Error>) {
    running[number] = nil
    peer.finish(number, result)
    startWhatCanStart()
  }

  // MARK: - Superseding

  /// A newer request of the same method and view replaces the older one, whether that waits or runs.
  private func supersede(by call: Call) {
    // A longer view than `RequestOptions` allows is refused when the call is decoded, and not stored until then; an
    // unknown method is refused too.
    guard let view = view(of: call), view.utf8.count <= 1_024, let method = host.router.routes[call.method]?.name else {
      return
    }
    if let older = views.open(call.number, as: OpenViews.Key(method: method, view: view)), cancel(older) {
      peer.finish(older, .failure(RPCError.superseded))
    }
  }

  /// The client's own choice; for some requests about a text, that text.
  private func view(of call: Call) -> String? {
    if case .string(let view) = call.params["view"] { return view }
    guard case .object? = call.params["textDocument"], host.router.routes[call.method]?.replacesOlder == true else {
      return nil
    }
    return call.params["textDocument"]?["uri"]?.stringValue
  }

  /// Called when the request has its reply, from any source.
  func wasAnswered(_ number: Int) { views.close(number) }

  /// The number of outstanding requests with a view.
  var openViews: Int { views.count }
}
