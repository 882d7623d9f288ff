/// Lets one task after the other through, in the order in which they came.
actor Turnstile {
  private var isBusy = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func run<Value: Sendable>(_ body: @Sendable () async throws -> Value) async rethrows -> Value {
    if isBusy {
      await withCheckedContinuation { waiting.append($0) }
    }
    isBusy = true
    defer {
      if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
    }
    return try await body()
  }
}
