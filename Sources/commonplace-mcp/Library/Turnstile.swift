/// Runs one task at a time, in the order of arrival.
actor Turnstile {
  private var isBusy = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// - Throws: `CancellationError` if the task was cancelled before its turn, and the errors of the body.
  func run<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    if isBusy {
      await withCheckedContinuation { waiting.append($0) }
    }
    isBusy = true
    defer {
      if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
    }
    try Task.checkCancellation()
    return try await body()
  }
}
