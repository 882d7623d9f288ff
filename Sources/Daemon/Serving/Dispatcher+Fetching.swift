import Kit
import Store
import System
import Wire

/// What waits for the world outside, and the replies to it.
extension Dispatcher {
  /// The reply to what was fetched, once there is room for it.
  enum FetchedReply {
    case read(Route.Reading)
    case made([UInt8])
  }

  func startFetch(_ call: Call, label: String, doing: Text, prepare: Route.Preparing) {
    take()
    do {
      switch try host.quick(peer.caller, prepare) {
      case .asking(let fetch):
        let progress = peer.progress(for: call, doing: doing)
        runFetch(call.number, label: label) { try await fetch($0, progress) }
      case .known(let finishing):
        fetches += 1
        finishFetch(call.number, label: label, .success(finishing))
      }
    } catch {
      peer.finish(call.number, .failure(error))
    }
  }

  /// What takes long and reads nothing of the library goes the way of a fetch, so that no loop is held by it.
  func startMaking(_ call: Call, label: String, _ make: @escaping Route.Making) {
    take()
    let reader = peer.reader
    runFetch(call.number, label: label) { .made(try await make(reader, $0)) }
  }

  private func runFetch(
    _ number: Int, label: String, _ work: @escaping @Sendable (Services) async throws -> Route.Finishing
  ) {
    fetches += 1
    let (services, room) = (host.services, host.store.room)
    let deliver: @Sendable (Result<Route.Finishing, any Error>) -> Void = onLoop { dispatcher, result in
      dispatcher.finishFetch(number, label: label, result)
    }
    running[number] = .fetch(
      Task {
        do {
          let (finishing, hasWritten) = try await FileWrites.watch { try await work(services) }
          if hasWritten { room.saved(to: .files(method: label)) }
          deliver(.success(finishing))
        } catch {
          if StoreError.isDiskFull(error) { room.refused(label, to: .files(method: label)) }
          deliver(.failure(error))
        }
      }, method: label)
  }

  private func finishFetch(_ number: Int, label: String, _ result: Result<Route.Finishing, any Error>) {
    // A cancel was answered already; what was fetched meanwhile is not kept.
    if isStopped(number) { return endFetch(number, .failure(RPCError.cancelled)) }
    switch result {
    case .failure(let error): endFetch(number, .failure(error))
    case .success(.write(let body)):
      leaveFetches(number)
      enqueue(number, label: label, body)
    case .success(.longWrite(let body)):
      leaveFetches(number)
      enqueue(number, label: label, long: body)
    case .success(.read(let body)): answerWithRoom(number, .read(body))
    case .success(.made(let bytes)): answerWithRoom(number, .made(bytes))
    }
  }

  private func answerWithRoom(_ number: Int, _ reply: FetchedReply) {
    fetched.append((number, reply))
    startWhatCanStart()
  }

  /// Replies of fetches, in the order in which these were done, while there is room for them.
  func answerFetched() {
    while let (number, reply) = fetched.first, peer.hasRoom || isStopped(number) {
      fetched.removeFirst()
      endFetch(number, isStopped(number) ? .failure(RPCError.cancelled) : Result { try outcome(reply) })
    }
    largeReplies.admitNext(hasRoom: peer.hasRoom)
  }

  private func outcome(_ reply: FetchedReply) throws -> Outcome {
    switch reply {
    case .read(let body): try host.quick(peer.caller, body)
    case .made(let bytes): Outcome(output: bytes, clock: nil)
    }
  }

  private func isStopped(_ number: Int) -> Bool {
    if case .fetch(let task, _) = running[number] { task.isCancelled } else { false }
  }

  private func endFetch(_ number: Int, _ result: Result<Outcome, any Error>) {
    leaveFetches(number)
    end(number, result)
  }

  /// The world outside is done with it; what was admitted to make a large reply makes room, whatever it became.
  private func leaveFetches(_ number: Int) {
    fetches -= 1
    largeReplies.release(number)
  }

  /// Returns when a fetch may make a reply of megabytes in memory.
  func waitForRoom(_ number: Int, _ admitted: CheckedContinuation<Void, Never>) {
    guard case .fetch = running[number], !isStopped(number) else { return admitted.resume() }
    largeReplies.add(number, admitted)
    largeReplies.admitNext(hasRoom: peer.hasRoom)
  }
}
