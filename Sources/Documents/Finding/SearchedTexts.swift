import Kit
import SearchEngine
import Store
import Synchronization

/// The texts of recently searched documents, with the pages that had hits, so that the second search of a document
/// reads no page again.
///
/// The key is the hash of the file's bytes, whose text does not change. Their total size is bounded; the least
/// recently searched text is evicted first.
final class SearchedTexts: Sendable {
  /// Some ten thousand pages of prose, or some four thousand if all of them had hits.
  static let limit = 128 << 20

  private struct Key: Hashable {
    var hash: String
    var form: ComparableText.Form
  }

  private struct CachedText {
    let text: SearchedText
    var pages: [Int: FoundPage] = [:]
    var size: Int
  }

  private struct State {
    var texts: [Key: CachedText] = [:]
    /// Least lately used first.
    var order: [Key] = []
    var size = 0

    mutating func remove(_ key: Key) {
      guard let text = texts.removeValue(forKey: key) else { return }
      size -= text.size
      order.removeAll { $0 == key }
    }

    mutating func removeOldest() {
      while size > SearchedTexts.limit, let oldest = order.first { remove(oldest) }
    }
  }

  private let state = Mutex(State())

  func text(of hash: String, as form: ComparableText.Form) -> SearchedText? {
    let key = Key(hash: hash, form: form)
    return state.withLock { state in
      guard let cached = state.texts[key] else { return nil }
      state.order.removeAll { $0 == key }
      state.order.append(key)
      return cached.text
    }
  }

  /// The pages that had hits, by their numbers.
  func pages(of hash: String, as form: ComparableText.Form) -> [Int: FoundPage] {
    state.withLock { $0.texts[Key(hash: hash, form: form)]?.pages ?? [:] }
  }

  /// Caches pages of a cached text, as many as there is room for beside it.
  func store(_ pages: [Int: FoundPage], of hash: String, as form: ComparableText.Form) {
    let key = Key(hash: hash, form: form)
    state.withLock { state in
      guard var cached = state.texts.removeValue(forKey: key) else { return }
      let before = cached.size
      for (page, found) in pages where cached.size + found.size <= Self.limit && cached.pages[page] == nil {
        cached.pages[page] = found
        cached.size += found.size
      }
      state.size += cached.size - before
      state.texts[key] = cached
      state.removeOldest()
    }
  }

  func store(_ text: SearchedText, of hash: String) {
    let key = Key(hash: hash, form: text.form)
    guard text.size <= Self.limit else { return }
    state.withLock { state in
      state.remove(key)
      state.texts[key] = CachedText(text: text, size: text.size)
      state.order.append(key)
      state.size += text.size
      state.removeOldest()
    }
  }

  /// Removes everything about a document.
  func forget(_ hash: String) {
    state.withLock { state in
      for key in state.order where key.hash == hash { state.remove(key) }
    }
  }

  /// The memory that all of them use, in bytes.
  var size: Int { state.withLock(\.size) }
}

extension Services {
  var searchedTexts: SearchedTexts { memory.object(SearchedTexts.self) { SearchedTexts() } }
}
