/// Runs blocking code on a thread of its own, so that it occupies none of the few that tasks share.
///
/// A thread cannot be stopped from outside. `body` gets a check that throws `CancellationError` once the task is
/// cancelled; long work calls it between its steps.
///
/// - Throws: whatever `body` throws; `CancellationError`.
package func onThread<Result: Sendable>(
  _ body: @escaping @Sendable (_ checkCancelled: @escaping @Sendable () throws -> Void) throws -> Result
) async throws -> Result {
  try await WorkThreads.shared.run(body)
}
