import DequeModule
import Kit
import Store
import System
import Wire

/// The order in which one client's messages start. Nothing else is here: what a reply looks like and how it leaves is
/// the peer's.
///
/// Messages start in the order in which they were sent. Three things hold the next one back, each a state and never a
/// wait, since the loop serves other clients too:
///
///     a read    waits until this client's queued writes are done     (it sees every write sent before it)
///     any       waits until the read before it has its state pinned   (a later write must not be seen by it)
///     any       waits while 64 of its requests run, or while more than 4 MiB of its replies are unsent
///     the reply to a fetch, too, is made only when there is room again
///
/// What the world outside delays must not hold back the library, so nobody waits for it: where all 64 wait for it, what
/// would be one more is answered `busy`, and what is done at once is done. Methods that ask nobody outside end by
/// themselves; where one of them runs, the next call waits for its turn.
///
/// Cancels and `exit` do not come here; they are handled as they are read.
final class Dispatcher {
  /// One request or notification that has its turn, or waits for it.
  struct Call {
    let number: Int
    let method: String
    let params: JSONValue
    let bytes: Int
  }

  /// What can stop a call that runs.
  enum Running {
    case write(WriteToken)
    case read(Interruption)
    case fetch(Task<Void, Never>, method: String)
  }

  static let runningLimit = 64
  /// A client's long reads beyond this wait, so that one client cannot take all readers.
  static let longReadLimit = 2
  /// The socket is read while less than this waits.
  static let waitingLimit = 1_024
  static let waitingByteLimit = 4 << 20
  /// So many of a client's calls start in one turn of the loop, and for so long, since it has other clients too.
  static let startsPerTurn = 128
  static let longestTurn: Duration = .milliseconds(2)

  unowned let peer: Peer
  let host: Host
  private var waiting: Deque<Call> = []
  private var waitingBytes = 0
  var running: [Int: Running] = [:]
  private var views = OpenViews()
  private var writes = 0
  /// Of them, those that run in slices; a later write must not get between two of them.
  private var longWrites = 0
  var fetches = 0
  /// Fetches that are done, and whose replies wait for room.
  var fetched: Deque<(number: Int, reply: FetchedReply)> = []
  let largeReplies = LargeReplies()
  private var longReads = 0
  /// The read whose state is being pinned; nothing starts meanwhile.
  private var pinning: Int?
  /// The write that the writer may answer itself.
  private var lent: Int?
  private var isStarting = false
  /// The next call starts in the loop's next turn.
  private var isYielding = false

  init(peer: Peer, host: Host) {
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

  /// The methods that wait for the world outside.
  var fetchedMethods: [String] {
    running.values.compactMap { if case .fetch(_, let method) = $0 { method } else { nil } }
  }

  func add(_ call: Call) {
    supersede(by: call)
    waiting.append(call)
    waitingBytes += call.bytes
    startWhatCanStart()
  }

  /// Adds the members of a batch. They start when all of them are here, and so in as many turns as it takes.
  func addTogether(_ add: () -> Void) {
    isStarting = true
    add()
    isStarting = false
    startWhatCanStart()
  }

  /// Stops a call wherever it is. True when it will not be answered by itself, so that the caller answers now.
  func cancel(_ number: Int, reason: RPCError = .cancelled) -> Bool {
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

  /// The client has gone: reads and fetches stop; writes that were taken go on, since they were promised in order.
  func cancelAll() {
    waiting.removeAll()
    waitingBytes = 0
    for number in running.keys {
      if case .write = running[number] { continue }
      _ = cancel(number)
    }
  }

  /// The daemon ends: what waits for the world outside is given up, and answered so.
  func cancelFetches() {
    for case (let number, .fetch(let task, _)) in running {
      stop(task, number)
      peer.finish(number, .failure(RPCError.stoppedRequest))
    }
  }

  // MARK: - Starting

  /// Starts calls until the next one must wait. Called whenever something that held it back is over.
  func startWhatCanStart() {
    // A call that ends at once calls this again from inside; the outer turn goes on with what is next.
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
        // What was known is done already.
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

  /// False when the call must wait. One that waits is not decoded: it is asked again whenever a message arrives.
  private func start(_ call: Call) throws -> Bool {
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

  /// Whether one more call may run now; false while it must wait.
  ///
  /// - Throws: `busy` when all that run wait for the world outside.
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
          // The writer's larger cache, and what was imported.
          dispatcher.host.giveMemoryBackSoon()
        }))
  }

  private func beginWrite(_ number: Int) -> WriteToken {
    let token = WriteToken()
    running[number] = .write(token)
    writes += 1
    return token
  }

  /// Lets the writer answer a write that is all its client waits for; nil when it is not.
  private func lend(_ number: Int) -> (@Sendable (WriteOutcome) -> Bool)? {
    guard running.count == 1, waiting.isEmpty, let (id, output) = peer.lendOutput(for: number) else { return nil }
    lent = number
    return { output.send(Reply.bytes(id: id, Outcome($0))) }
  }

  /// The writer has answered the write for which it was lent the output.
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
        // The read may be where nothing can stop it; its client is not kept waiting.
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

  /// The read has its state, or nobody waits for what it shows any more.
  private func unpin(_ number: Int) {
    guard pinning == number else { return }
    pinning = nil
    startWhatCanStart()
  }

  // MARK: - Ending

  /// A closure for another thread that comes back to this loop. It holds the peer, and with it this dispatcher, until
  /// then: the client may have left meanwhile.
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

  /// A newer request of the same method and view takes the place of the older, wherever that is.
  private func supersede(by call: Call) {
    // What is longer than `RequestOptions` allows is refused when the call is read, and not kept until then; an unknown
    // method is refused too.
    guard case .string(let view) = call.params["view"], view.utf8.count <= 1_024,
      let method = host.router.routes[call.method]?.name
    else { return }
    if let older = views.open(call.number, as: OpenViews.Key(method: method, view: view)), cancel(older) {
      peer.finish(older, .failure(RPCError.superseded))
    }
  }

  /// The request has its answer, whoever gave it.
  func wasAnswered(_ number: Int) { views.close(number) }

  /// How many requests with a view wait for their answers.
  var openViews: Int { views.count }
}
