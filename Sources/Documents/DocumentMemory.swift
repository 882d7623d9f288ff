import Kit
import PDF
import Synchronization

/// Data about documents that exists only while the daemon runs: passwords, and the text of protected documents.
final class DocumentMemory: Sendable {
  private struct State {
    var passwords: [String: String] = [:]
    var pages: [String: [Int: PageText]] = [:]
    /// The keys of `pages`, least recently used first.
    var order: [String] = []
  }

  /// Protected documents whose text is in memory at once; a document of 500 pages takes some 10 MiB.
  private static let textLimit = 4

  private let state = Mutex(State())

  func password(of hash: String) -> String? {
    state.withLock { $0.passwords[hash] }
  }

  func unlock(_ hash: String, with password: String) {
    state.withLock { $0.passwords[hash] = password }
  }

  /// Deletes everything about a document.
  func forget(_ hash: String) {
    state.withLock { state in
      state.passwords[hash] = nil
      state.pages[hash] = nil
      state.order.removeAll { $0 == hash }
    }
  }

  func page(_ page: Int, of hash: String) -> PageText? {
    state.withLock { $0.pages[hash]?[page] }
  }

  /// All pages of a document that are in memory, in order.
  func pages(of hash: String) -> [PageText] {
    state.withLock { $0.pages[hash]?.values.sorted { $0.page < $1.page } ?? [] }
  }

  /// The documents of which pages are in memory.
  var hashesWithText: [String] { state.withLock(\.order) }

  func store(_ texts: [PageText], of hash: String) {
    state.withLock { state in
      state.order.removeAll { $0 == hash }
      state.order.append(hash)
      for text in texts { state.pages[hash, default: [:]][text.page] = text }
      while state.order.count > Self.textLimit { state.pages[state.order.removeFirst()] = nil }
    }
  }
}

extension Services {
  var documents: DocumentMemory { memory.object(DocumentMemory.self) { DocumentMemory() } }
}
