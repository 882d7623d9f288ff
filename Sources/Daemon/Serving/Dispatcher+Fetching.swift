import Features
import Wire

/// What waits for the world outside, and the replies to it.
extension Dispatcher {
  func startFetch(_ call: Call, label: String, prepare: Route.Preparing) {
    take()
    let fetch: Route.Fetching
    do {
      fetch = try host.quick(peer.caller, prepare)
    } catch {
      peer.finish(call.number, .failure(error))
      return
    }
    fetches += 1
    let services = host.services
    let progress = peer.progress(for: call)
    let deliver: @Sendable (Result<Route.Finishing, any Error>) -> Void = onLoop { dispatcher, result in
      dispatcher.finishFetch(call.number, label: label, result)
    }
    running[call.number] = .fetch(
      Task {
        do {
          deliver(.success(try await fetch(services, progress)))
        } catch {
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
    case .success(.read(let body)):
      fetched.append((number, body))
      startWhatCanStart()
    }
  }

  /// Replies of fetches, in the order in which these were done, while there is room for them.
  func answerFetched() {
    while let (number, reply) = fetched.first, peer.hasRoom || isStopped(number) {
      fetched.removeFirst()
      endFetch(
        number,
        isStopped(number) ? .failure(RPCError.cancelled) : Result { try host.quick(peer.caller, reply) })
    }
    largeReplies.admitNext(hasRoom: peer.hasRoom)
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
