import Foundation

/// Real files, where they are: COMMONPLACE_CORPUS, else ../shared/corpus beside the package.
enum CorpusFiles {
  static let all: [URL] = {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let places =
      ProcessInfo.processInfo.environment["COMMONPLACE_CORPUS"].map { [URL(filePath: $0)] }
      ?? [package.appending(path: "../shared/corpus"), package.appending(path: "../../shared/corpus")]
    for place in places {
      let files = try? FileManager.default.contentsOfDirectory(
        at: place.appending(path: "pdf").standardized, includingPropertiesForKeys: nil)
      if let files { return files.filter { $0.pathExtension == "pdf" }.sorted { $0.path < $1.path } }
    }
    return []
  }()

  static func file(_ name: String) -> URL? {
    all.first { $0.lastPathComponent == name }
  }

  /// What opens those that need it, as the corpus' own list has it.
  static let passwords = [
    "enc-user-aes128.pdf": "ELXRTQWS", "enc-user-aes256.pdf": "abc", "enc-user-unicode.pdf": "pässwört",
  ]
}
