import Contract
import Display
import Kit
import Link
import Store
import System
import Wire

/// One client: its requests, its identity, and its notifications. Confined to its connection's loop.
///
///     frames ─► InFlight ─► cancel, exit, responses   immediately
///                       └─► Dispatcher ─► finish ─► held until the ring has reached its clock ─► Connection
final class Peer: ConnectionDelegate {
  /// The destination of a call's reply; without an id for notifications, which get none.
  struct Sender {
    var id: RequestID?
    var token: RequestID?
    /// The token for parts of the result.
    var partialToken: RequestID?
    /// Whether it was part of a large message, whose memory it may retain until its reply.
    var isLarge = false
  }

  let connection: Connection
  let host: LoopContext
  var reader: Reader {
    didSet {
      knownCaller = nil
      if reader.zone != oldValue.zone { zoneHasChanged() }
    }
  }
  var clientName = "" {
    didSet { knownCaller = nil }
  }
  var isInitialized = false
  var trace = TraceValue.off
  var confinement: FileConfinement? {
    didSet { knownCaller = nil }
  }
  private(set) lazy var dispatcher = Dispatcher(peer: self, host: host)
  let connectionID: String
  private let log: Log
  /// Called when the client of a private daemon is done, with whether it sent `shutdown` first.
  private let ended: (@Sendable (Bool) -> Void)?

  private var inFlight = InFlight()
  private var allowance = NoticeAllowance()
  /// Whether the last frame gets no reply.
  private var hasNoReply = false
  private var questions = Questions()
  private(set) var senders: [Int: Sender] = [:]
  /// Tokens of progress that was begun and has not ended yet.
  var begunProgress: Set<RequestID> = []
  private var nextNumber = 0
  var follower: Follower
  private var days: DayWatch
  /// Replies that wait until the ring has reached `shown`.
  private var heldReplies: [(clock: Int64, bytes: [UInt8])] = []
  /// The newest clock of any reply. Replies are sent in one order, so each waits for the clocks of the preceding ones;
  /// so does a batch, whose members may have different clocks.
  private var shown: Int64 = 0
  /// Whether the daemon shuts down, or the client announced that it will disconnect.
  var isShuttingDown = false
  var hasRequestedShutdown = false
  private var isPaused = false
  private var inputHasEnded = false

  init(
    connection: Connection, host: LoopContext, reader: Reader, connectionID: String,
    log: Log, ended: (@Sendable (Bool) -> Void)? = nil
  ) {
    self.connection = connection
    self.host = host
    self.reader = reader
    self.connectionID = connectionID
    self.log = log
    self.ended = ended
    follower = Follower(notices: host.notices)
    days = DayWatch(library: host.days, zone: reader.zone, now: host.services.now())
  }

  /// The client as features see it; cached until its settings change.
  var caller: FeatureCaller {
    if let knownCaller { return knownCaller }
    let caller = FeatureCaller(
      clientName: clientName, connectionID: connectionID, reader: reader, services: host.services,
      confinement: confinement)
    knownCaller = caller
    return caller
  }
  private var knownCaller: FeatureCaller?

  var state: StatusReport.ClientState {
    connection.takeOutputBack()
    return StatusReport.ClientState(
      name: clientName, connection: connectionID, pid: connection.peer.map { Int($0.pid) },
      running: dispatcher.runningCount, unsentBytes: connection.unsentBytes)
  }

  var jobs: [StatusReport.Job] {
    dispatcher.fetchedMethods.map { StatusReport.Job(method: $0, connection: connectionID) }
  }

  // MARK: - Incoming messages

  func connection(_ connection: Connection, received frame: Frame, byteCount: Int) {
    let admission = inFlight.admit(frame) { id, error in errorBytes(id: id, error) }
    hasNoReply =
      admission.reply == nil && !admission.messages.contains { if case .request = $0 { true } else { false } }
    if !hasNoReply { host.requests.add(of: ObjectIdentifier(self), at: .now) }
    if let reply = admission.reply { connection.send(reply: reply) }
    // The bytes of a batch are divided among its members.
    let share = byteCount / max(1, admission.messages.count)
    isReceivingLarge = byteCount > Connection.largeFrame
    if admission.messages.count == 1 {
      receive(admission.messages[0], byteCount: share)
    } else {
      dispatcher.addTogether {
        for message in admission.messages { receive(message, byteCount: share) }
      }
    }
    if isReceivingLarge { host.giveMemoryBackSoon() }
    host.countFrame()
    isReceivingLarge = false
    readingMayHaveChanged()
  }
  private var isReceivingLarge = false

  func connection(
    _ connection: Connection, restsAfter begun: ContinuousClock.Instant, until ended: ContinuousClock.Instant
  ) -> Duration? {
    guard hasNoReply, !inputHasEnded else { return nil }
    return allowance.rest(after: begun, until: ended) {
      host.requests.includesOthers(than: ObjectIdentifier(self), at: ended)
    }
  }

  private func receive(_ message: Message, byteCount: Int) {
    switch message {
    case .request(let id, let method, let params):
      if trace != .off { log("\(connectionID) asks \(method)", as: .info) }
      let number = takeNumber(
        Sender(
          id: id, token: params["workDoneToken"].flatMap(RequestID.init),
          partialToken: params["partialResultToken"].flatMap(RequestID.init), isLarge: isReceivingLarge))
      dispatcher.add(Dispatcher.Call(number: number, method: method, params: params, bytes: byteCount))
    case .notification(let method, let params): notice(method, params, byteCount: byteCount)
    case .response(let id, let result, _): questions.answer(id, result)
    case .invalid: break
    }
  }

  private func notice(_ method: String, _ params: JSONValue, byteCount: Int) {
    switch method {
    case CancelRequest.name:
      if let id = params["id"].flatMap(RequestID.init) { cancel(id) }
    case Exit.name: leave()
    case Initialized.name: beginTelling()
    case SetTrace.name: trace = TraceValue(params["value"]?.stringValue)
    default:
      let handler = host.router.handlers[method]
      if handler == nil, isForLanguageServers(method) { return }
      let number = takeNumber(Sender())
      dispatcher.add(
        Dispatcher.Call(number: number, method: method, params: params, bytes: byteCount, handler: handler))
    }
  }

  /// Whether a notification is part of LSP and has no handler: it is ignored without an error.
  private func isForLanguageServers(_ method: String) -> Bool {
    ["$/", "textDocument/", "notebookDocument/", "workspace/", "window/"].contains { method.hasPrefix($0) }
      && host.router.routes[method] == nil
  }

  private func takeNumber(_ sender: Sender) -> Int {
    nextNumber += 1
    senders[nextNumber] = sender
    return nextNumber
  }

  private func cancel(_ id: RequestID) {
    // A linear search, since cancellations are rare: an index would have to be maintained for every request.
    guard let number = senders.first(where: { $0.value.id == id })?.key, dispatcher.cancel(number) else { return }
    finish(number, .failure(RPCError.cancelled))
  }

  private func leave() {
    if let ended {
      ended(isShuttingDown)
    } else {
      // Earlier requests get their replies first, as at the end of the input.
      connection.takeOutputBack()
      inputHasEnded = true
      connection.pauseReading()
      closeIfDone()
    }
  }

  func connectionInputEnded(_ connection: Connection) {
    connection.takeOutputBack()
    inputHasEnded = true
    closeIfDone()
  }

  func connectionDidClose(_ connection: Connection, reason: CloseReason) {
    switch reason {
    case .asked, .inputEnded: break
    default: log("\(connectionID) \(clientName): the connection was closed: \(reason)", as: level(of: reason))
    }
    // In this order: requests that are cancelled now can see that their client has disconnected.
    host.remove(self)
    dispatcher.cancelAll()
    questions.end()
    ended?(isShuttingDown)
  }

  /// The log level of a disconnection: a warning or an error only if the client could not be served.
  private func level(of reason: CloseReason) -> Log.Level {
    switch reason {
    case .asked, .inputEnded, .insideFrame, .vanished: .info
    case .badFrame, .halfFrame, .stalled: .warning
    case .failed: .error
    }
  }

  func connectionHasRoom(_ connection: Connection) {
    dispatcher.startWhatCanStart()
  }

  // MARK: - Outgoing messages

  /// Ends a call and sends its reply, exactly once, however often it is called.
  func finish(_ number: Int, _ result: Result<Outcome, any Error>) {
    dispatcher.wasAnswered(number)
    guard let sender = senders.removeValue(forKey: number) else {
      // It already has a reply, after a cancellation; but only now has it ended, and perhaps as the client's last one.
      closeIfDone()
      return
    }
    if sender.isLarge { host.giveMemoryBackSoon() }
    guard let id = sender.id else {
      if case .failure(let error) = result {
        let words = host.services.catalogue.render(asReply(error), language: .english)
        log("\(connectionID): a notification failed: \(words.message)")
      }
      closeIfDone()
      return
    }
    let bytes: [UInt8]
    var clock: Int64?
    switch result {
    case .success(let outcome):
      bytes = Reply.bytes(id: id, outcome)
      clock = outcome.clock
    case .failure(let error): bytes = errorBytes(id: id, asReply(error))
    }
    endProgress(of: sender)
    if let clock { shown = max(shown, clock) }
    if let ready = inFlight.complete(id, bytes, tooMuch: { errorBytes(id: id, .batchTooLarge) }) { send(ready) }
    closeIfDone()
  }

  /// Lends the output to the writer for the reply to one call: only if there are no other messages to send, and the
  /// call is not part of a batch.
  func lendOutput(for number: Int) -> (id: RequestID, output: LentOutput)? {
    // After the end of its input no event would inform this loop of the reply, so that it could close.
    guard !inputHasEnded, !follower.isFollowing, heldReplies.isEmpty, let sender = senders[number], sender.token == nil,
      let id = sender.id, inFlight.isAlone(id), let output = connection.lendOutput()
    else { return nil }
    return (id, output)
  }

  func connectionSentLentReply(_ connection: Connection) {
    dispatcher.endLent()
  }

  /// Ends a call whose reply was written.
  func wasAnswered(_ number: Int) {
    dispatcher.wasAnswered(number)
    guard let sender = senders.removeValue(forKey: number), let id = sender.id else { return }
    if sender.isLarge { host.giveMemoryBackSoon() }
    inFlight.remove(id)
    closeIfDone()
  }

  /// Holds a reply back until every notification up to its clock can be written before it. A read may see a commit
  /// between its COMMIT and its append to the ring.
  private func send(_ reply: [UInt8]) {
    if heldReplies.isEmpty, shown <= host.store.feed.head { return connection.send(reply: reply) }
    heldReplies.append((shown, reply))
    host.bell.isWanted = true
    // The ring may have reached it before the writer could see the flag.
    sendWhatTheRingHasReached()
  }

  private func sendWhatTheRingHasReached() {
    let head = host.store.feed.head
    while let first = heldReplies.first, first.clock <= head {
      connection.send(reply: first.bytes)
      heldReplies.removeFirst()
    }
  }

  /// Whether this client follows commits, or one of its replies waits for one.
  var waitsForCommits: Bool {
    follower.isFollowing || !heldReplies.isEmpty
  }

  func libraryMovedOn() {
    sendWhatTheRingHasReached()
    connection.flush()
    closeIfDone()
  }

  /// Sends a notification of a new day, if there is one. Returns the milliseconds until the next one.
  @discardableResult
  func dayMayHaveTurned(at now: Instant) -> Int64 {
    let known = days.seen.libraryDay
    // A client without notifications is compared later, with the day on which it connected.
    if follower.hasStarted, let turned = days.look(at: now, zone: reader.zone) {
      do {
        notify(try Notice(DidChangeDay.self, turned))
        try host.notices(ofDayAfter: known, turned.libraryDay, for: caller).forEach(notify)
      } catch {
        log("\(connectionID): the notification of a new day failed: \(error)", as: .error)
      }
    }
    return days.untilNextTurn(at: now, zone: reader.zone)
  }

  /// Sends a feature's notification, after those of earlier commits.
  func hear(_ notice: Notice) {
    guard follower.hasStarted else { return }
    notify(notice)
    connection.flush()
  }

  /// Sends a request of the daemon; `answer` gets the result, or nil.
  func ask(_ method: String, _ params: JSONValue, _ answer: @escaping @Sendable (JSONValue?) -> Void) {
    guard follower.hasStarted, let id = questions.add(answer) else { return answer(nil) }
    connection.send(reply: MessageBytes.request(id: id, method: method, params: params))
    connection.flush()
  }

  /// Sends the features' notifications of what happened before the client was notified of anything.
  func notifyOfPending() {
    do {
      try host.notices(forStarted: caller).forEach(notify)
    } catch {
      log("\(connectionID): the notification of what is pending failed: \(error)", as: .error)
    }
  }

  private func notify(_ notice: Notice) {
    connection.send(reply: MessageBytes.notification(method: notice.method, rawParams: notice.params))
  }

  /// A time zone set during initialization does not count as a change.
  private func zoneHasChanged() {
    if !follower.hasStarted { days = DayWatch(library: host.days, zone: reader.zone, now: host.services.now()) }
    // Its day may change long before the next scheduled check.
    host.watchDays(of: self)
  }

  func nextNotification(for connection: Connection) -> [UInt8]? {
    follower.next()
  }

  private func errorBytes(id: RequestID?, _ error: RPCError) -> [UInt8] {
    let words = host.services.catalogue.render(error, language: reader.language)
    return MessageBytes.error(id: id, code: error.code, message: words.message, data: words.data)
  }

  private func asReply(_ error: any Error) -> RPCError {
    if let error = error as? RPCError { return error }
    if error is CancellationError { return .cancelled }
    if let error = StoreError(error, path: host.store.folder.path) { return error.rpcError }
    log("a request failed unexpectedly: \(error)")
    return .internalError
  }

  /// The daemon shuts down: further requests are refused, fetches stop, and the connection closes when all requests
  /// have replies.
  func beginLeaving() {
    connection.takeOutputBack()
    isShuttingDown = true
    inputHasEnded = true
    dispatcher.cancelFetches()
    closeIfDone()
  }

  private func closeIfDone() {
    guard inputHasEnded, dispatcher.isIdle, heldReplies.isEmpty else { return }
    connection.closeWhenDrained()
  }

  // MARK: - Limits

  var hasRoom: Bool {
    connection.unsentBytes <= Connection.unsentLimit
  }

  func readingMayHaveChanged() {
    guard dispatcher.isFull != isPaused else { return }
    isPaused = dispatcher.isFull
    if isPaused {
      connection.pauseReading()
    } else {
      connection.resumeReading()
    }
  }

  /// After `shutdown` a client must not send further requests, according to LSP.
  func checkOpen() throws(RPCError) {
    guard isShuttingDown else { return }
    throw hasRequestedShutdown ? .afterShutdown : .shuttingDown
  }
}
