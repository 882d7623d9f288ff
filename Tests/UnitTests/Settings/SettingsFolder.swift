import Foundation

/// Runs a body with a folder that is gone afterwards.
func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
  let folder = try makeFolder()
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try body(folder)
}

/// The same for a body that waits.
func withFolder<Result>(
  isolation: isolated (any Actor)? = #isolation, _ body: (String) async throws -> Result
) async throws -> Result {
  let folder = try makeFolder()
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try await body(folder)
}

private func makeFolder() throws -> String {
  let folder = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(
    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  return folder
}
