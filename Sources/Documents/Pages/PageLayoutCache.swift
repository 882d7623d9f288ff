import Kit
import Store
import Synchronization

/// Recently laid out pages, for drags, which request the same page dozens of times a second.
///
/// The key is the hash of the file's bytes, whose text does not change. The least recently used page is evicted
/// first.
final class PageLayoutCache: Sendable {
  /// The total number of characters of all pages; a character takes some 36 bytes.
  static let limit = 256 << 10

  private struct Key: Hashable {
    var hash: String
    var page: Int
  }

  private struct State {
    var pages: [Key: PageRows] = [:]
    /// Least lately used first.
    var order: [Key] = []
    var size = 0

    mutating func remove(_ key: Key) {
      guard let rows = pages.removeValue(forKey: key) else { return }
      size -= rows.layout.scalars.count
      order.removeAll { $0 == key }
    }
  }

  private let state = Mutex(State())

  func rows(of page: Int, of hash: String) -> PageRows? {
    let key = Key(hash: hash, page: page)
    return state.withLock { state in
      guard let rows = state.pages[key] else { return nil }
      if state.order.last != key {
        state.order.removeAll { $0 == key }
        state.order.append(key)
      }
      return rows
    }
  }

  func store(_ rows: PageRows, of page: Int, of hash: String) {
    let key = Key(hash: hash, page: page)
    let size = rows.layout.scalars.count
    guard size <= Self.limit else { return }
    state.withLock { state in
      state.remove(key)
      state.pages[key] = rows
      state.order.append(key)
      state.size += size
      while state.size > Self.limit, let oldest = state.order.first { state.remove(oldest) }
    }
  }

  /// Removes everything about a document.
  func forget(_ hash: String) {
    state.withLock { state in
      for key in state.order where key.hash == hash { state.remove(key) }
    }
  }
}

extension Services {
  var keptRows: PageLayoutCache { memory.object(PageLayoutCache.self) { PageLayoutCache() } }

  /// Removes a file's text from all caches in memory.
  func forgetText(of hash: String) {
    documents.forget(hash)
    memory.known(PageLayoutCache.self)?.forget(hash)
    memory.known(SearchedTexts.self)?.forget(hash)
  }
}
