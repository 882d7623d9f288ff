import Contract
import HTTP
import Kit
import Store
import Wire

/// A picture in the text of a post, as a file.
struct PostPicture: Payload {
  var url: String
  var path: String?
  var mediaType: String?
  static let example = PostPicture(
    url: "https://groupware.example/lunch.png", path: "/home/ann/.cache/commonplace/network/0f", mediaType: "image/png")
  static let fields = [
    "url": "Its URL.", "path": "The path of the file; absent if it could not be fetched.",
    "mediaType": "Its media type, as the server states.",
  ]
  static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]

  /// The most pictures fetched for a post, and the maximum size of each.
  private static let limit = 40
  private static let bytes = 8 << 20
  /// For so long a fetched picture is shown offline too.
  private static let allowance = Duration.seconds(90 * 86_400)

  /// The pictures of a post, in their order. They are requested without a credential, since the URLs may lead to any
  /// site. `home` is the URL of the post's source, if a person typed that: an untrusted page must not lead to other
  /// addresses of this network.
  static func all(of urls: [String], home: String?, with services: Services) async -> [PostPicture] {
    var pictures = urls.prefix(limit).map { PostPicture(url: $0, path: nil, mediaType: nil) }
    await withTaskGroup(of: (Int, CachedFile?).self) { group in
      for (number, picture) in pictures.enumerated()
      where Origin(picture.url)?.mayBeNamed(by: home.flatMap { Origin($0) }) == true {
        group.addTask {
          let isAtHome = Origin(picture.url) == home.flatMap { Origin($0) }
          let file = await file(picture.url, isNamedByContent: !isAtHome, with: services)
          return (number, file)
        }
      }
      for await (number, file) in group {
        pictures[number].path = file?.path
        pictures[number].mediaType = file?.mediaType
      }
    }
    return pictures
  }

  private static func file(
    _ url: String, isNamedByContent: Bool, with services: Services
  ) async -> CachedFile? {
    let request = HTTPRequest(url: url, limit: bytes, isNamedByContent: isNamedByContent)
    do throws(HTTPFailure) {
      return try await services.httpCache.file(request, allowance: allowance, accepts: isPicture)
    } catch {
      // Offline, a cached copy is used.
      return services.httpCache.cached(url, allowance: allowance)
    }
  }

  private static func isPicture(_ response: HTTPResponse) -> Bool {
    response.headers["Content-Type"]?.lowercased().hasPrefix("image/") ?? false
  }
}
