/// The files that are fetched while an earlier one is read. Only their bytes are held.
struct LogFetches {
  private var ahead: [FileName] = []
  private var tasks: [FileName: Task<[UInt8]?, any Error>] = [:]

  /// Fetches these files with the next one, and no others.
  ///
  /// - Parameter work: the file that it gets is needed first.
  mutating func keep(_ names: [FileName], besides work: SyncWork? = nil) {
    ahead = names
    var needed = Set(names)
    if case .step(.get(let name)) = work { needed.insert(name) }
    for (name, task) in tasks where !needed.contains(name) {
      task.cancel()
      tasks[name] = nil
    }
  }

  /// The bytes of a file; nil for one that does not exist.
  ///
  /// - Throws: `TargetError`, `CancellationError`.
  mutating func bytes(of name: FileName, from target: any SyncTarget, limit: Int) async throws -> [UInt8]? {
    for next in [name] + ahead where tasks[next] == nil {
      tasks[next] = Task { try await target.file("log/\(next)", limit: limit) }
    }
    guard let task = tasks.removeValue(forKey: name) else { return nil }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
