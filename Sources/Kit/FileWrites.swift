import Synchronization

/// Whether a request has written a file. If it found its file existing, the disk may still be as full as before.
///
/// It is passed on with the request's task, and to the threads for which the task waits. Writes of a task shared with
/// another request are recorded there.
package final class FileWrites: Sendable {
  @TaskLocal static var current: FileWrites?

  private let isNoted = Atomic(false)

  private init() {}

  /// The result of `body`, and whether any file was written in it.
  ///
  /// - Throws: whatever `body` throws.
  package static func watch<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> (result: Result, hasWritten: Bool) {
    let writes = FileWrites()
    let result = try await $current.withValue(writes) { try await body() }
    return (result, writes.isNoted.load(ordering: .acquiring))
  }

  /// Records that bytes were written into a file, by us or by a worker.
  package static func note() {
    current?.isNoted.store(true, ordering: .releasing)
  }
}
