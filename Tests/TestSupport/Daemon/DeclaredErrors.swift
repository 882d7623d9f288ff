import Client
import Features
import Testing
import Wire

/// The kinds of errors that each method declares.
package enum DeclaredErrors {
  private static let kinds: [String: Set<String>] = {
    let general = Set(ErrorKind.general.map(\.rawValue))
    let descriptions = AllFeatures.features.flatMap { $0.routes.map(\.description) }
    return Dictionary(uniqueKeysWithValues: descriptions.map { ($0.name, general.union($0.errors.map(\.rawValue))) })
  }()

  /// Records an issue if a method answered a kind that is not on its page. A test's own methods have no page.
  @Sendable package static func check(_ method: String, _ error: RemoteError) {
    guard let declared = kinds[method], let kind = error.kind, !declared.contains(kind) else { return }
    Issue.record("\(method) answered \(kind), which it does not declare: \(error.message)")
  }
}
