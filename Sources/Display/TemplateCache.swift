import Synchronization

/// Templates that were read before. There are as many as the catalogue has sentences with places, and to read one
/// takes longer than to fill it.
final class TemplateCache: Sendable {
  private let known = Mutex<[String: Template]>([:])

  func template(_ text: String) -> Template {
    known.withLock { known in
      if let template = known[text] { return template }
      let template = Template(text)
      known[text] = template
      return template
    }
  }
}
