import FoundationEssentials
import Wire

/// The placeholder of a secret in a URL, for services that accept it only there: a feed with a token in its address.
///
/// The URL is stored, shown and logged with the placeholder; the secret is inserted when the request is sent, and
/// replaced by the placeholder in everything that a service returns.
package enum SecretPlace {
  /// As users write it.
  package static let written = "{credential}"
  /// As it is in `WebURL.text`.
  package static let encoded = "%7Bcredential%7D"
  /// Shorter secrets would match unrelated text.
  package static let shortest = 6

  /// The URL for users.
  package static func shown(_ url: String) -> String { url.replacing(encoded, with: written) }

  /// Whether a URL contains the placeholder.
  package static func isIn(_ url: String) -> Bool { url.contains(encoded) || url.contains(written) }

  /// Replaces a secret in a service's data, in each form in which the service may repeat it.
  package static func scrubbed(_ data: Data, of secret: Secret) -> Data {
    guard secret.value.utf8.count >= shortest else { return data }
    var result = data
    for (form, place) in forms(of: secret) {
      let needle = Data(form.utf8)
      guard result.firstRange(of: needle) != nil else { continue }
      var clean = Data()
      var start = result.startIndex
      while let found = result[start...].firstRange(of: needle) {
        clean += result[start..<found.lowerBound]
        clean += Data(place.utf8)
        start = found.upperBound
      }
      result = clean + result[start...]
    }
    return result
  }

  /// The same for a URL.
  package static func scrubbed(_ url: String, of secret: Secret) -> String {
    guard secret.value.utf8.count >= shortest else { return url }
    return forms(of: secret).reduce(url) { $0.replacing($1.form, with: encoded) }
  }

  /// The secret verbatim, as JSON may escape it, and percent-encoded in either case, each with its placeholder.
  private static func forms(of secret: Secret) -> [(form: String, place: String)] {
    let percent = PercentEncoding.encoded(secret.value)
    let small = percent.split(separator: "%", omittingEmptySubsequences: false).enumerated().map { place, part in
      place == 0 ? String(part) : part.prefix(2).lowercased() + part.dropFirst(2)
    }.joined(separator: "%")
    let plain = [secret.value, secret.value.replacing("/", with: "\\/")].map { ($0, written) }
    return plain + [percent, small].filter { $0 != secret.value }.map { ($0, encoded) }
  }
}

extension WebURL {
  /// The URL as it is sent.
  func filled(with secret: Secret) -> WebURL {
    replacing(target: target.replacing(SecretPlace.encoded, with: PercentEncoding.encoded(secret.value)))
  }

  /// The URL with the placeholder instead of the secret.
  func scrubbed(of secret: Secret) -> WebURL {
    replacing(target: SecretPlace.scrubbed(target, of: secret))
  }
}
