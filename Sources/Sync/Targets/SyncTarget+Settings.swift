import HTTP
import Kit
import Wire

/// The target that config.toml names.
///
/// - Throws: `TargetError` for settings that cannot be used.
package func syncTarget(
  _ target: SyncSettings.Target, allowsPlain: Bool, _ services: Services
) throws(TargetError) -> any SyncTarget {
  let credentials = services.credentials
  @Sendable func credential(_ name: String, for url: String) async throws -> (name: String, password: String) {
    let origin: Origin
    do throws(HTTPFailure) { origin = try WebURL(url).origin } catch { throw RemoteFiles.error(error) }
    let secret: Secret
    do throws(RPCError) {
      secret = try await credentials.secret(named: name, for: origin)
    } catch {
      throw TargetError(.refused, error.text)
    }
    return try credentialParts(secret, named: name)
  }
  switch target {
  case .folder(let path): return FolderTarget(path: path)
  case .webDAV(let url, let name):
    return try WebDAVTarget(services.http, url: url, allowsPlain: allowsPlain) {
      guard let name else { return nil }
      return try await credential(name, for: url)
    }
  case .s3(let endpoint, let bucket, let region, let prefix, let usesPath, let name):
    let place = S3Target.Place(
      endpoint: endpoint, bucket: bucket, region: region, prefix: prefix, usesPath: usesPath)
    return try S3Target(services.http, place, allowsPlain: allowsPlain, now: services.now) {
      try await credential(name, for: endpoint)
    }
  }
}
