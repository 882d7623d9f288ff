import Exchange
import Kit

/// The library as a whole: its integrity, and copies of it.
package enum LibraryFeature {
  package static let feature = Feature(
    name: "library",
    routes: [
      Route(CheckLibrary.self), Route(BackUpLibrary.self), Route(ExportLibrary.self), Route(ImportLibrary.self),
      Route(ExportItems.self),
    ],
    start: { Leftovers.removeExports(of: $0.folder) })
}
