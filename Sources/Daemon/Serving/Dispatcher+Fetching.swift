import Kit
import Store
import System
import Wire

/// Requests that need external resources, and their replies.
extension Dispatcher {
  /// The result of a fetch, which becomes a reply once there is room for it.
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

  /// Long work that does not read the library is run like a fetch, so that it does not block a loop.
  func startMaking(_ call: Call, label: String, _ make: @escaping Route.Making) {
    take()
    let reader = peer.reader
    runFetch(call.number, label: label) { .made(try await make(reader, $0)) }
  }

  private func runFetch(
    _ number: Int, label: String, _ work: @escaping @Sendable (Services) async throws -> Route.Finishing
  ) {
    fetches += 1
    let (services, diskSpace) = (host.services, host.store.diskSpace)
    let confinement = peer.confinement
    let deliver: @Sendable (Result<Route.Finishing, any Error>) -> Void = onLoop { dispatcher, result in
      dispatcher.finishFetch(number, label: label, result)
    }
    running[number] = .fetch(
      Task {
        do {
          let (finishing, hasWritten) = try await FileConfinement.$current.withValue(confinement) {
            try await FileWrites.watch { try await work(services) }
          }
          if hasWritten { diskSpace.saved(to: .files(method: label)) }
          deliver(.success(finishing))
        } catch {
          if StoreError.isDiskFull(error) { diskSpace.refused(label, to: .files(method: label)) }
          deliver(.failure(error))
        }
      }, method: label)
  }

  private func finishFetch(_ number: Int, label: String, _ result: Result<Route.Finishing, any Error>) {
    // A cancelled request already has its reply; the fetched result is dropped.
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

  /// Sends the replies of finished fetches, in the order in which they finished, while there is room for them.
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

  /// The external work of a call is done; a large reply that it was admitted for makes room, whatever its result.
  private func leaveFetches(_ number: Int) {
    fetches -= 1
    largeReplies.release(number)
  }

  /// Returns when a fetch may create a reply of megabytes in memory.
  func waitForRoom(_ number: Int, _ admitted: CheckedContinuation<Void, Never>) {
    guard case .fetch = running[number], !isStopped(number) else { return admitted.resume() }
    largeReplies.add(number, admitted)
    largeReplies.admitNext(hasRoom: peer.hasRoom)
  }
}
