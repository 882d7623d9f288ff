/// What `[pdf]` of config.toml says of pictures of pages.
package struct PictureSettings: Sendable, Equatable {
  /// Bytes of pictures that are kept for being asked for again; with 0 each is drawn anew.
  package var limit: Int64 = 256 << 20
  /// Whether the next page and the previous one are drawn while the reader rests.
  package var drawsAhead = true

  package init() {}
}
