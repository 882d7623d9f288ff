import FoundationEssentials

/// The place in a URL where a secret goes, for services that take it nowhere else: a feed with a token in its address.
///
/// The URL is kept, shown and logged with the place; the secret is put into it when the request is sent, and whatever a
/// service gives back with the secret in it gets the place again.
package enum SecretPlace {
  /// As a person writes it.
  package static let written = "{credential}"
  /// As it stands in `WebURL.text`.
  package static let encoded = "%7Bcredential%7D"
  /// Shorter secrets would be found where they are none.
  package static let shortest = 6

  /// The URL for people.
  package static func shown(_ url: String) -> String { url.replacing(encoded, with: written) }

  /// Whether a URL has such a place.
  package static func isIn(_ url: String) -> Bool { url.contains(encoded) || url.contains(written) }

  /// Takes a secret out of what a service said, in each of the forms in which it may repeat it.
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

  /// The same of a URL.
  package static func scrubbed(_ url: String, of secret: Secret) -> String {
    guard secret.value.utf8.count >= shortest else { return url }
    return forms(of: secret).reduce(url) { $0.replacing($1.form, with: encoded) }
  }

  /// As it is, as JSON may write it, and in percent of either case; with what takes its place there.
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

  /// The URL as it may be known.
  func scrubbed(of secret: Secret) -> WebURL {
    replacing(target: SecretPlace.scrubbed(target, of: secret))
  }
}
