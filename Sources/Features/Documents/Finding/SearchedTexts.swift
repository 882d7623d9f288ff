import GRDB
import Store
import Synchronization

/// The texts of documents as they were searched last, so that the second search of a document reads no page again.
///
/// They are known by the hash of the file's bytes, whose text does not change. All together they are bounded; the one
/// that was searched longest ago goes first.
final class SearchedTexts: Sendable {
  /// Some ten thousand pages of prose.
  static let limit = 64 << 20

  private struct Key: Hashable {
    var hash: String
    var form: ComparableText.Form
  }

  private struct State {
    var texts: [Key: SearchedText] = [:]
    /// Least lately used first.
    var order: [Key] = []
    var size = 0

    mutating func remove(_ key: Key) {
      guard let text = texts.removeValue(forKey: key) else { return }
      size -= text.size
      order.removeAll { $0 == key }
    }
  }

  private let state = Mutex(State())

  func text(of hash: String, as form: ComparableText.Form) -> SearchedText? {
    let key = Key(hash: hash, form: form)
    return state.withLock { state in
      guard let text = state.texts[key] else { return nil }
      state.order.removeAll { $0 == key }
      state.order.append(key)
      return text
    }
  }

  func keep(_ text: SearchedText, of hash: String) {
    let key = Key(hash: hash, form: text.form)
    guard text.size <= Self.limit else { return }
    state.withLock { state in
      state.remove(key)
      state.texts[key] = text
      state.order.append(key)
      state.size += text.size
      while state.size > Self.limit, let oldest = state.order.first { state.remove(oldest) }
    }
  }

  /// Nothing of a document is known any more.
  func forget(_ hash: String) {
    state.withLock { state in
      for key in state.order where key.hash == hash { state.remove(key) }
    }
  }

  /// The memory that all of them take.
  var size: Int { state.withLock(\.size) }
}

extension Services {
  var searchedTexts: SearchedTexts { memory.object(SearchedTexts.self) { SearchedTexts() } }
}
