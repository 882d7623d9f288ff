import Synchronization

/// Whether a request has written a file: of one that found its file there already the disk may be as full as before.
///
/// It goes with the request's task, and with the threads of its own that the task waits for. What another request's task
/// writes for both is that one's.
package final class FileWrites: Sendable {
  @TaskLocal static var current: FileWrites?

  private let isNoted = Atomic(false)

  private init() {}

  /// What `body` gives, and whether any file was written for it.
  package static func watch<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> (result: Result, hasWritten: Bool) {
    let writes = FileWrites()
    let result = try await $current.withValue(writes) { try await body() }
    return (result, writes.isNoted.load(ordering: .acquiring))
  }

  /// Bytes were written into a file, by us or by a worker.
  package static func note() {
    current?.isNoted.store(true, ordering: .releasing)
  }
}
