import FoundationEssentials

/// Responses that other programs use as files (covers, pictures of posts), cached on disk by URL for as long as the
/// service allows.
///
///     fresh                        → the file, without a request
///     not fresh, within allowance  → requested with its validators; 304 → the file; a failure → the file, stale
///     beyond the allowance, none   → fetched
///
/// Creating one costs nothing; the folder is created with the first file.
package final class HTTPCache: Sendable {
  private let client: HTTPClient
  private let folder: CacheFolder
  private let wallClock: @Sendable () -> Date

  /// - Parameters:
  ///   - folder: used exclusively; any file in it may be deleted.
  ///   - limit: for all files together, in bytes.
  package init(
    client: HTTPClient, folder: String, limit: Int = 256 << 20, wallClock: @escaping @Sendable () -> Date
  ) {
    self.client = client
    self.folder = CacheFolder(folder, limit: limit)
    self.wallClock = wallClock
  }

  /// Returns the response to a request as a file.
  ///
  /// - Parameters:
  ///   - allowance: the longest time to cache a file, regardless of the service's headers: a limit in its terms.
  ///   - accepts: whether the body of a 2xx response is usable. Other bodies are not cached, and fail with
  ///     `refusedContent`.
  /// - Throws: `httpStatus` for an error status. A 404 or 410 also deletes the cached file.
  package func file(
    _ request: HTTPRequest, allowance: Duration, accepts: @escaping @Sendable (HTTPResponse) -> Bool = { _ in true }
  ) async throws(HTTPFailure) -> CachedFile {
    let url = try WebURL(request.url).text
    let cached = try await offNetworkThread { [self] () throws(HTTPFailure) in lookUp(url, allowance: allowance) }
    if let cached, cached.isFresh {
      client.logCached(request.url, bytes: cached.record.size)
      return file(cached.record, isStale: false)
    }
    do throws(HTTPFailure) {
      return try await fetch(request, url: url, allowance: allowance, cached: cached?.record, accepts: accepts)
    } catch {
      switch error {
      case .httpStatus(code: 404, _), .httpStatus(code: 410, _):
        folder.remove(url)
        throw error
      case .cancelled, .refusedContent, .shutDown: throw error
      default:
        guard let cached else { throw error }
        return file(cached.record, isStale: true)
      }
    }
  }

  /// The cached response of a URL within its allowance, without a request. Blocks for the disk.
  package func cached(_ url: String, allowance: Duration) -> CachedFile? {
    guard let url = try? WebURL(url).text, let cached = lookUp(url, allowance: allowance) else { return nil }
    return file(cached.record, isStale: !cached.isFresh)
  }

  private func lookUp(_ url: String, allowance: Duration) -> (record: CacheRecord, isFresh: Bool)? {
    guard let record = folder.record(of: url) else { return nil }
    let now = wallClock()
    let age = now.timeIntervalSince(record.fetchedAt)
    // A clock that was set back must not make a file valid for ever.
    guard age >= 0, age <= allowance / .seconds(1) else {
      folder.remove(url)
      return nil
    }
    folder.touch(url)
    return (record, now < record.freshUntil)
  }

  private func fetch(
    _ request: HTTPRequest, url: String, allowance: Duration, cached: CacheRecord?,
    accepts: @escaping @Sendable (HTTPResponse) -> Bool
  ) async throws(HTTPFailure) -> CachedFile {
    var request = request
    request.validators = cached?.validators
    let response = try await client.get(request)
    try response.requireSuccess()
    let now = wallClock()
    let fresh = min(response.freshFor ?? allowance, allowance) / .seconds(1)
    let record = CacheRecord(
      url: url, mediaType: response.headers["Content-Type"], validators: response.validators, fetchedAt: now,
      freshUntil: now.addingTimeInterval(fresh), size: 0, bodyStamp: 0)
    if response.isNotModified, var cached {
      (cached.fetchedAt, cached.freshUntil, cached.validators) = (now, record.freshUntil, response.validators)
      let updated = cached
      try await offNetworkThread { [folder] () throws(HTTPFailure) in try folder.update(updated) }
      return file(updated, isStale: false)
    }
    guard accepts(response) else { throw .refusedContent(reason: "answerUnexpected") }
    let stored = try await offNetworkThread { [folder] () throws(HTTPFailure) in
      try folder.store(response.body, record)
    }
    return file(stored, isStale: false)
  }

  private func file(_ record: CacheRecord, isStale: Bool) -> CachedFile {
    CachedFile(
      path: folder.body(of: record.url), size: record.size, mediaType: record.mediaType, fetchedAt: record.fetchedAt,
      isStale: isStale)
  }
}
