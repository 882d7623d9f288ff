import Contract
import Exchange
import Kit
import Markup
import Store
import Wire

/// What a list shows of a post's audio or video.
struct PostRecording: Payload {
  var url: String
  var type: String?
  var size: Int64?
  var duration: Int?
  var file: String?
  static let example = PostRecording(
    url: "https://podcast.example/7.mp3", type: "audio/mpeg", size: 40_960, duration: 1_800, file: nil)
  static let fields = [
    "url": "Its URL.", "type": "Its media type, as the source states.",
    "size": "Size in bytes: of the file, or as the source states.",
    "duration": "Its length in seconds, as the source states.",
    "file": "The file, if it was downloaded with `boards/download`: the `id` of `files/get`.",
  ]

  private init(url: String, type: String?, size: Int64?, duration: Int?, file: String?) {
    (self.url, self.type, self.size, self.duration, self.file) = (url, type, size, duration, file)
  }

  init?(of post: ShownPost) throws {
    let attachments = post.item.head.attachments
    guard attachments.json != "[]", let found = try attachments.value().first(where: \.isRecording),
      let url = found.url
    else { return nil }
    let file = try post.mark.flatMap { try $0.hasFiles ? $0.files.value().first { sameBytes($0.url, url) } : nil }
    self.init(
      url: url, type: found.type, size: file?.size ?? found.size, duration: found.duration, file: file?.file)
  }
}

extension PostAttachment {
  /// Whether it has a URL and is played.
  var isRecording: Bool { url != nil && (duration != nil || type.map(FeedEntry.isRecording) ?? false) }
}
