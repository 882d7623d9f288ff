import Contract
import Glibc
import HTTP
import Kit
import Store
import Wire

/// A target that a person gave when sync was set up, for a machine whose config.toml names none. It lies beside the
/// secret, outside of the library: a copy of the library on another machine must not use a path of this one.
///
///     $XDG_STATE_HOME/commonplace/sync/4f2a….target    {"target":"folder","url":"/home/ann/Sync"}
struct GivenTarget: Sendable, Equatable {
  var kind: SyncSettings.Kind
  /// The path of the folder, or the URL of the server.
  var place: String
  var credential: String?
  var bucket: String?
  var region: String?
  var prefix: String?

  /// - Throws: `RPCError` for a place that cannot be one.
  init(
    _ kind: SyncSettings.Kind, place: String, credential: String?, bucket: String?, region: String?, prefix: String?
  ) throws(RPCError) {
    if kind == .folder {
      guard place.hasPrefix("/") else {
        throw .invalidParams(field: "url", reason: Text("param.absolutePath", ["field": "url"]))
      }
      self.place = place
    } else {
      self.place = try SourceURL.checked(place, field: "url")
    }
    if kind == .s3 {
      for (field, value) in [("bucket", bucket), ("credential", credential)] where value == nil {
        throw .invalidParams(field: field, reason: Text("param.missing", ["field": field]))
      }
    }
    (self.kind, self.credential, self.bucket) = (kind, credential, bucket)
    (self.region, self.prefix) = (region, prefix)
  }

  /// The settings with this target; the schedule and the rest stay as they are.
  func applied(to settings: SyncSettings) -> SyncSettings {
    var settings = settings
    settings.kind = kind
    (settings.place, settings.credential, settings.bucket) = (place, credential, bucket)
    if let region { settings.region = region }
    if let prefix { settings.prefix = prefix }
    return settings
  }

  // MARK: - File

  private static let limit = 16_384

  /// - Returns: nil if none was given.
  static func read(_ services: Services) -> GivenTarget? {
    guard let bytes = try? GivenFile(opening: path(services), limit: limit, followingLinks: false).bytes(),
      let json = try? JSONParser.parse(bytes), let kind = json["target"]?.stringValue.flatMap(SyncSettings.Kind.init),
      let place = json["url"]?.stringValue
    else { return nil }
    func text(_ name: String) -> String? { json[name]?.stringValue }
    return try? GivenTarget(
      kind, place: place, credential: text("credential"), bucket: text("bucket"), region: text("region"),
      prefix: text("prefix"))
  }

  /// - Throws: `FileFailure`, `CancellationError`.
  func write(_ services: Services) async throws {
    var json: JSONObject = ["target": .string(kind.rawValue), "url": .string(place)]
    for (name, value) in [("credential", credential), ("bucket", bucket), ("region", region), ("prefix", prefix)] {
      json[name] = value.map { .string($0) }
    }
    let bytes = JSONWriter.bytes(of: .object(json))
    try await onThread { _ in try SecretFile(services).replace(Self.path(services), with: bytes) }
  }

  static func remove(_ services: Services) { unlink(path(services)) }

  private static func path(_ services: Services) -> String { SecretFile(services).path + ".target" }
}

extension Services {
  /// `[sync]` of config.toml; if it names no target, with the one that was given when sync was set up.
  var syncSettings: SyncSettings {
    let settings = settings().sync
    guard settings.kind == nil, let given = GivenTarget.read(self) else { return settings }
    return given.applied(to: settings)
  }
}
