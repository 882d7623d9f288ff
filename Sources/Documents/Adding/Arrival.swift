import Kit
import Store
import Wire

/// How one `documents/add` waits for its document.
///
/// Requests for the same URL share one download. A request with `detach` waits twice, once in a task of its own: when
/// its client disconnects, that task continues and writes the document.
struct Arrival: Sendable {
  let plan: AddDocument.Plan
  let services: Services

  func incoming(_ progress: Progress) async throws -> Incoming {
    guard plan.detach else { return try await take(progress) }
    let keeper = Task { try await take(.none) }
    do {
      return try await take(progress)
    } catch {
      if Task.isCancelled, !services.library.isConnected(plan.caller.connectionID) {
        Task { await finish(keeper) }
      } else {
        keeper.cancel()
      }
      throw error
    }
  }

  private func take(_ progress: Progress) async throws -> Incoming {
    let plan = plan
    let services = services
    return try await services.arrivals.value(for: key, progress: progress) { progress in
      try await Incoming.take(plan.source, password: plan.password, with: services, progress: progress)
    }
  }

  /// A file's contents may change between two requests, so only URLs are shared.
  private var key: String {
    guard let url = plan.source.address else { return plan.job }
    return "\(url)\u{0}\(plan.password ?? "")"
  }

  private func finish(_ keeper: Task<Incoming, any Error>) async {
    do {
      let incoming = try await keeper.value
      let plan = plan
      try await services.library.write(as: plan.caller, label: AddDocument.name) { transaction in
        _ = try AddDocument.finish(incoming, of: plan, in: transaction)
      }
    } catch {
      services.log("\(plan.source.name) was not added after its client disconnected: \(error)")
    }
  }
}

extension Services {
  fileprivate var arrivals: SharedWork<Incoming> {
    memory.object(SharedWork<Incoming>.self) { SharedWork() }
  }
}
