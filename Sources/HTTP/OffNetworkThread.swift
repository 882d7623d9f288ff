import Dispatch

/// Runs what waits for the disk where neither the network thread nor a task's thread is held up.
func offNetworkThread<Value: Sendable>(
  _ work: @escaping @Sendable () throws(HTTPFailure) -> Value
) async throws(HTTPFailure) -> Value {
  let result: Result<Value, HTTPFailure> = await withCheckedContinuation { continuation in
    DispatchQueue.global().async {
      continuation.resume(returning: Result { () throws(HTTPFailure) in try work() })
    }
  }
  return try result.get()
}
