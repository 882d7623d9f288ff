import Kit

extension TextsFeature {
  /// Our own methods about texts.
  static var textRoutes: [Route] {
    [
      Route(OpenLibraryText.self), Route(SaveLibraryText.self), Route(LayLibraryText.self),
      Route(ListTextDrafts.self), Route(DiscardTextDraft.self),
    ]
  }
}
