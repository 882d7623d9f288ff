/// Runs what blocks on a thread of its own, so that it takes none of the few that tasks share.
///
/// Nothing can stop a thread from outside. `body` gets a check that throws `CancellationError` once the task is
/// cancelled; what may take long calls it between its steps.
package func onThread<Result: Sendable>(
  _ body: @escaping @Sendable (_ checkCancelled: @escaping @Sendable () throws -> Void) throws -> Result
) async throws -> Result {
  try await WorkThreads.shared.run(body)
}
