import FoundationEssentials

/// A file to be got.
package struct DownloadRequest: Sendable {
  /// What is thought of the first bytes of a file.
  package enum Judgement: Sendable, Equatable {
    case accepted
    /// More bytes are needed. At the end of the head (see `validate`) this is a refusal.
    case undecided
    /// Nothing the caller wants, and why. The download ends with `refusedContent` and its part is removed.
    case refused(String)
  }

  /// An absolute http or https URL as a person or a service wrote it.
  package var url: String
  /// As in `HTTPRequest`.
  package var isNamedByContent = false
  package var headers: HTTPHeaders
  /// As in `HTTPRequest`.
  package var credentials: HTTPHeaders
  /// Of what the caller has already: asks only for what has changed since. Sent to the URL alone that gave them.
  package var validators: Validators?
  /// Path of the part file; its folder must exist. What the part holds is described beside it in `part.json`. The
  /// caller chooses the name: no header of an answer ever has a say in it.
  package var part: String
  /// The largest file accepted, in bytes.
  package var limit: Int
  /// Judges the file by its first bytes while they arrive: called with what has come of the first 1,024, again with
  /// more while undecided, and with `isWhole` once all 1,024, or all of a shorter file, are there. Also called for a
  /// part that an earlier call left. Runs on the network thread: it must return quickly.
  package var validate: @Sendable (_ head: Data, _ isWhole: Bool) -> Judgement

  package init(
    url: String, part: String, limit: Int, headers: HTTPHeaders = [:], credentials: HTTPHeaders = [:],
    validators: Validators? = nil,
    validate: @escaping @Sendable (_ head: Data, _ isWhole: Bool) -> Judgement = { _, _ in .accepted }
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

/// How far a download is.
package struct DownloadProgress: Sendable, Equatable {
  /// Bytes in the part file, with those of earlier calls.
  package let received: Int
  /// The size of the whole file, if the server tells.
  package let total: Int?
}

/// A file that has arrived whole and is on disk (synced). The caller moves it away, then calls `discard`.
package struct Download: Sendable {
  /// The path of the part file, which is now the file.
  package let file: String
  /// To be kept for as long as the file is to stay as it is.
  package let lock: PartLock
  /// In bytes.
  package let size: Int
  /// Where it came from, after redirects. May hold a secret: show `finalURL.masked`.
  package let finalURL: WebURL
  /// The `Content-Type` as the server states it; known to be wrong often.
  package let mediaType: String?
  /// Verbatim.
  package let etag: String?
  /// Verbatim.
  package let lastModified: String?
  /// What to ask with the next time; nil where the server gave nothing, or from a place that is another every time.
  package let validators: Validators?
  /// How many bytes were there when the call began, and were used.
  package let resumedFrom: Int

  /// Removes the part file, if it is still there, and what describes it.
  package func discard() { Self.discard(part: file) }

  /// Removes what a download left that nobody will continue.
  package static func discard(part: String) { PartFile.remove(part) }

  /// Whether a later call can use what lies in a part.
  package static func isResumable(part: String) -> Bool { PartRecord.load(part: part)?.validator != nil }

  /// Removes a part that nobody will continue: one that cannot be resumed, and one that nobody has written to since a
  /// time. Not one that is being written.
  package static func discardAbandoned(part: String, untouchedSince time: Date) {
    guard let file = try? PartFile(part) else { return }
    if !isResumable(part: part) || file.modified < time { PartFile.remove(part) }
  }
}
