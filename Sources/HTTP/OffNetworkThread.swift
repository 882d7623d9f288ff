import Dispatch

/// Runs blocking disk work outside the network thread and the threads of tasks.
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
