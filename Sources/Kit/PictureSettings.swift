/// The settings for page images in `[pdf]` of config.toml.
package struct PictureSettings: Sendable, Equatable {
  /// Bytes of images to cache; 0 disables the cache.
  package var limit: Int64 = 256 << 20
  /// Whether the next and previous page are rendered in advance while the user is idle.
  package var drawsAhead = true

  package init() {}
}
