import FoundationEssentials

/// The parameters of a download.
package struct DownloadRequest: Sendable {
  /// The decision about a file's first bytes.
  package enum Decision: Sendable, Equatable {
    case accepted
    /// More bytes are needed. At the end of the head (see `validate`) this is a refusal.
    case undecided
    /// The file is not acceptable, for this reason. The download ends with `refusedContent` and its part is deleted.
    case refused(String)
  }

  /// An absolute http or https URL from the user or a service.
  package var url: String
  /// As in `HTTPRequest`.
  package var isNamedByContent = false
  package var headers: HTTPHeaders
  /// As in `HTTPRequest`.
  package var credentials: HTTPHeaders
  /// The validators of the caller's copy: requests the file only if it has changed. Sent only to the URL that returned
  /// them.
  package var validators: Validators?
  /// Path of the part file; its folder must exist. `part.json` beside it describes its contents. The caller chooses the
  /// name: no response header affects it.
  package var part: String
  /// The largest file accepted, in bytes.
  package var limit: Int
  /// Checks the file by its first bytes while they arrive: called with the available bytes of the first 1,024, again
  /// with more while undecided, and with `isWhole` once all 1,024, or all of a shorter file, are available. Also called
  /// for a part from an earlier call. Runs on the network thread: it must return quickly.
  package var validate: @Sendable (_ head: Data, _ isWhole: Bool) -> Decision

  package init(
    url: String, part: String, limit: Int, headers: HTTPHeaders = [:], credentials: HTTPHeaders = [:],
    validators: Validators? = nil,
    validate: @escaping @Sendable (_ head: Data, _ isWhole: Bool) -> Decision = { _, _ in .accepted }
  ) {
    self.url = url
    self.part = part
    self.limit = limit
    self.headers = headers
    self.credentials = credentials
    self.validators = validators
    self.validate = validate
  }
}

/// The progress of a download.
package struct DownloadProgress: Sendable, Equatable {
  /// Bytes in the part file, including those of earlier calls.
  package let received: Int
  /// The size of the whole file, if the server states it.
  package let total: Int?
}

/// A completely downloaded file, synced to disk. The caller moves it away, then calls `discard`.
package struct Download: Sendable {
  /// The path of the part file, which is now complete.
  package let file: String
  /// Retained for as long as the file must not change.
  package let lock: PartLock
  /// In bytes.
  package let size: Int
  /// The URL after redirects. May contain a secret: show `finalURL.masked`.
  package let finalURL: WebURL
  /// The `Content-Type` as the server states it; known to be wrong often.
  package let mediaType: String?
  /// Verbatim.
  package let etag: String?
  /// Verbatim.
  package let lastModified: String?
  /// The validators for the next request; nil if the server returned none, or returned them for a URL that changes
  /// every time.
  package let validators: Validators?
  /// The number of bytes from earlier calls that were reused.
  package let resumedFrom: Int

  /// Deletes the files of a download that will not be continued.
  package static func discard(part: String) { PartFile.remove(part) }

  /// Whether a later call can continue a part.
  package static func isResumable(part: String) -> Bool { PartRecord.load(part: part)?.validator != nil }

  /// Deletes a part that will not be continued: one that cannot be resumed, or that was last written before `time`. A
  /// part that is being written is not deleted.
  package static func discardAbandoned(part: String, untouchedSince time: Date) {
    guard let file = try? PartFile(part) else { return }
    if !isResumable(part: part) || file.modified < time { PartFile.remove(part) }
  }
}
