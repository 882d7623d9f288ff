import Kit

/// The texts of the language server: those that a client has open, and those that are made from the library.
package enum TextsFeature {
  package static let feature = Feature(
    name: "text", routes: textRoutes,
    start: { services in services.desk.begin(with: services) })
}
