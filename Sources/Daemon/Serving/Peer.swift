import Contract
import Display
import Kit
import Link
import Store
import System
import Wire

/// One client: what came from it, who it is, and what it is told. Only touched on its connection's loop.
///
///     frames ─► InFlight ─► cancel, exit, answers     at once
///                       └─► Dispatcher ─► finish ─► held until the ring has reached its clock ─► Connection
final class Peer: ConnectionDelegate {
  /// Where the answer to a call goes; nil for notifications, which get none.
  struct Sender {
    var id: RequestID?
    var token: RequestID?
    /// Where parts of the result go.
    var partialToken: RequestID?
    /// Whether it came in a large message, of which it may keep the memory until it is answered.
    var isLarge = false
  }

  let connection: Connection
  let host: Host
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
  private(set) lazy var dispatcher = Dispatcher(peer: self, host: host)
  let connectionID: String
  private let log: Log
  /// Called when the client of a private daemon is done: with whether it said `shutdown` first.
  private let ended: (@Sendable (Bool) -> Void)?

  private var inFlight = InFlight()
  private(set) var senders: [Int: Sender] = [:]
  /// Tokens whose clients were told that the work has begun, and not yet that it has ended.
  var begunProgress: Set<RequestID> = []
  private var nextNumber = 0
  var follower: Follower
  private var days: DayWatch
  /// Replies that wait until the ring has reached `shown`.
  private var held: [(clock: Int64, bytes: [UInt8])] = []
  /// The newest state that any reply has shown. Replies leave in one order, so each waits for the state of those before
  /// it; so does a batch, whose members may have shown different ones.
  private var shown: Int64 = 0
  /// The daemon ends, or the client said that it leaves.
  var isShuttingDown = false
  var hasSaidShutdown = false
  private var isPaused = false
  private var inputHasEnded = false

  init(
    connection: Connection, host: Host, reader: Reader, connectionID: String,
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

  /// Who asks, as features see it; the same until the client says something else of itself.
  var caller: FeatureCaller {
    if let knownCaller { return knownCaller }
    let caller = FeatureCaller(
      clientName: clientName, connectionID: connectionID, reader: reader, services: host.services)
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

  // MARK: - What comes

  func connection(_ connection: Connection, received frame: Frame, byteCount: Int) {
    let admission = inFlight.admit(frame) { id, error in errorBytes(id: id, error) }
    if let reply = admission.reply { connection.send(reply: reply) }
    // The members of a batch share its bytes.
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
    case .response:
      // We ask clients nothing yet; an answer to nothing is no error.
      break
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
      if isForLanguageServers(method) { return }
      let number = takeNumber(Sender())
      dispatcher.add(Dispatcher.Call(number: number, method: method, params: params, bytes: byteCount))
    }
  }

  /// What an editor tells every language server is no error where nobody here wants to know it.
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
    // Looked for, since few are cancelled: an index of them would be kept for every request.
    guard let number = senders.first(where: { $0.value.id == id })?.key, dispatcher.cancel(number) else { return }
    finish(number, .failure(RPCError.cancelled))
  }

  private func leave() {
    if let ended {
      ended(isShuttingDown)
    } else {
      // What was asked before is answered first, as where the input ends.
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
    // In this order: what is cancelled now can tell that its client has left.
    host.remove(self)
    dispatcher.cancelAll()
    ended?(isShuttingDown)
  }

  /// A client that is ended or just goes is nothing to look after; one that cannot be served is.
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

  // MARK: - What goes

  /// The end of a call: its reply, once, however often it is said to have ended.
  func finish(_ number: Int, _ result: Result<Outcome, any Error>) {
    dispatcher.wasAnswered(number)
    guard let sender = senders.removeValue(forKey: number) else {
      // It was answered before, by a cancel; but only now is it over, and perhaps the last that the client waits for.
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

  /// The output for the reply to one call, to be written by the writer: where nothing else is to be told, and the reply is
  /// in no batch.
  func lendOutput(for number: Int) -> (id: RequestID, output: LentOutput)? {
    // Behind the end of its input nothing comes by which this loop would hear of the reply, and close.
    guard !inputHasEnded, !follower.isFollowing, held.isEmpty, let sender = senders[number], sender.token == nil,
      let id = sender.id, inFlight.isAlone(id), let output = connection.lendOutput()
    else { return nil }
    return (id, output)
  }

  func connectionSentLentReply(_ connection: Connection) {
    dispatcher.endLent()
  }

  /// The end of a call whose reply has left.
  func wasAnswered(_ number: Int) {
    dispatcher.wasAnswered(number)
    guard let sender = senders.removeValue(forKey: number), let id = sender.id else { return }
    if sender.isLarge { host.giveMemoryBackSoon() }
    inFlight.remove(id)
    closeIfDone()
  }

  /// Holds a reply back until every notification up to its clock can be written before it. A read may see a commit in
  /// the moment between COMMIT and its place in the ring.
  private func send(_ reply: [UInt8]) {
    if held.isEmpty, shown <= host.store.feed.head { return connection.send(reply: reply) }
    held.append((shown, reply))
    host.bell.isWanted = true
    // The ring may have got there before the writer could see that somebody waits.
    sendWhatTheRingHasReached()
  }

  private func sendWhatTheRingHasReached() {
    let head = host.store.feed.head
    while let first = held.first, first.clock <= head {
      connection.send(reply: first.bytes)
      held.removeFirst()
    }
  }

  /// Whether this client is to hear of commits, or a reply of its waits for one.
  var waitsForCommits: Bool {
    follower.isFollowing || !held.isEmpty
  }

  func libraryMovedOn() {
    sendWhatTheRingHasReached()
    connection.flush()
    closeIfDone()
  }

  /// Tells of a new day. Returns the milliseconds until the next one.
  @discardableResult
  func dayMayHaveTurned(at now: Instant) -> Int64 {
    let known = days.seen.libraryDay
    // Who is not told yet is compared later, with what held when it came.
    if follower.isTold, let turned = days.look(at: now, zone: reader.zone) {
      do {
        tell(try Notice(DidChangeDay.self, turned))
        try host.notices(ofDayAfter: known, turned.libraryDay, for: caller).forEach(tell)
      } catch {
        log("\(connectionID): a new day could not be told: \(error)", as: .error)
      }
    }
    return days.untilNextTurn(at: now, zone: reader.zone)
  }

  /// What a feature tells everybody, behind the commits that are told already.
  func hear(_ notice: Notice) {
    guard follower.isTold else { return }
    tell(notice)
    connection.flush()
  }

  private func tell(_ notice: Notice) {
    connection.send(reply: MessageBytes.notification(method: notice.method, rawParams: notice.params))
  }

  /// A zone that a client names when it introduces itself is no journey.
  private func zoneHasChanged() {
    if !follower.isTold { days = DayWatch(library: host.days, zone: reader.zone, now: host.services.now()) }
    // Its day may turn long before anybody's would be looked at again.
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
    log("a request failed for a reason that nobody foresaw: \(error)")
    return .internalError
  }

  /// The daemon ends: further requests are refused, fetches stop, and the connection closes when all is answered.
  func beginLeaving() {
    connection.takeOutputBack()
    isShuttingDown = true
    inputHasEnded = true
    dispatcher.cancelFetches()
    closeIfDone()
  }

  private func closeIfDone() {
    guard inputHasEnded, dispatcher.isIdle, held.isEmpty else { return }
    connection.closeWhenDrained()
  }

  // MARK: - Bounds

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

  /// After `shutdown` a client asks nothing more, says LSP.
  func checkOpen() throws(RPCError) {
    guard isShuttingDown else { return }
    throw hasSaidShutdown ? .afterShutdown : .shuttingDown
  }
}
