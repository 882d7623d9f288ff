import CCurl

/// The transfers of the network thread: those that wait for a slot, in order, and those that libcurl runs. Confined to
/// that thread.
///
/// The slots per origin are counted here and not by libcurl, since with libcurl's own limits the connect timeout of a
/// waiting transfer runs.
struct TransferSet {
  private struct Place: Hashable {
    let origin: Origin
    let lane: Exchange.Lane
  }

  private let multi: Multi
  private var waiting: [Transfer] = []
  private var active: [UnsafeMutableRawPointer: Transfer] = [:]
  private var taken: [Place: Int] = [:]

  init(_ multi: Multi) {
    self.multi = multi
  }

  /// Appends transfers to the queue and starts those that get a slot.
  mutating func add(_ transfers: [Transfer]) {
    guard !transfers.isEmpty else { return }
    waiting += transfers
    admit()
    while let last = waiting.last, waiting.count > last.exchange.configuration.callsWaiting {
      waiting.removeLast()
      last.answer(.failed(.busy))
    }
  }

  /// Lets libcurl work, completes ended transfers, and waits for the network or for a wakeup. Returns the reason if
  /// libcurl cannot continue.
  mutating func advance() -> String? {
    guard ccurl_multi_perform(multi.handle) == CURLM_OK else { return "curlTransfers" }
    var code = CURLE_OK
    var hasEnded = false
    while let easy = ccurl_multi_next_done(multi.handle, &code) {
      hasEnded = true
      if let transfer = active[easy] { finish(easy, transfer.end(code)) }
    }
    if hasEnded {
      admit()
      if !active.isEmpty { return nil }  // Admitted transfers have to begin before the thread waits.
    }
    guard ccurl_multi_poll(multi.handle, 60_000) == CURLM_OK else { return "curlWaiting" }
    return nil
  }

  /// Ends cancelled transfers, waiting or running.
  mutating func endCancelled() {
    for transfer in waiting where transfer.isCancelled { transfer.answer(.failed(.cancelled)) }
    waiting.removeAll { $0.isCancelled }
    for (easy, transfer) in active where transfer.isCancelled { finish(easy, .failed(.cancelled)) }
    admit()
  }

  /// Ends all transfers.
  mutating func endAll(_ failure: HTTPFailure) {
    for transfer in waiting { transfer.answer(.failed(failure)) }
    waiting = []
    for easy in Array(active.keys) { finish(easy, .failed(failure)) }
  }

  private mutating func admit() {
    var index = 0
    while index < waiting.count {
      let transfer = waiting[index]
      let configuration = transfer.exchange.configuration
      let place = place(of: transfer)
      guard active.count < configuration.callsInAll, taken[place, default: 0] < configuration.callsPerOrigin else {
        index += 1
        continue
      }
      waiting.remove(at: index)
      start(transfer, at: place)
    }
  }

  private mutating func start(_ transfer: Transfer, at place: Place) {
    // The transfer may have been cancelled before it arrived here.
    guard !transfer.isCancelled else { return transfer.answer(.failed(.cancelled)) }
    guard let easy = transfer.open() else {
      return transfer.answer(.failed(.unavailable(reason: "curlOptions")))
    }
    guard ccurl_multi_add(multi.handle, easy) == CURLM_OK else {
      transfer.close()
      return transfer.answer(.failed(.unavailable(reason: "curlRequest")))
    }
    active[easy] = transfer
    taken[place, default: 0] += 1
  }

  /// Removes and closes the handle before it resumes the caller, so that the connection is already free.
  private mutating func finish(_ easy: UnsafeMutableRawPointer, _ end: ExchangeEnd) {
    guard let transfer = active.removeValue(forKey: easy) else { return }
    let place = place(of: transfer)
    taken[place] = taken[place]! == 1 ? nil : taken[place]! - 1
    _ = ccurl_multi_remove(multi.handle, easy)
    transfer.close()
    transfer.answer(end)
  }

  private func place(of transfer: Transfer) -> Place {
    Place(origin: transfer.exchange.url.origin, lane: transfer.exchange.lane)
  }
}
