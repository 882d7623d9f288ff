import Glibc
import HTTP
import PDF
import Store
import Wire

extension RPCError {
  /// The error of a failed download for the client, if it is more specific than a network failure.
  ///
  /// - Parameter isResumable: whether the next request continues after the received bytes.
  init(_ failure: HTTPFailure, url: String, isResumable: Bool = false) {
    switch failure {
    case .invalidURL(let reason): self = .invalidURL(reason: reason)
    case .unreachable(let host, let reason) where isResumable, .untrusted(let host, let reason) where isResumable:
      self.init(.unreachable, text: Text("documents.unreachable", ["host": host, "reason": reason]))
    case .tooLarge(let limit):
      self.init(.tooLarge, text: Text("file.tooLarge", ["limit": String(limit >> 20)]))
    case .refusedContent: self.init(.notPDF, text: Text("documents.notPDF", ["source": WebURL.masked(url)]))
    case .httpStatus(let code, let url) where code == 401 || code == 403:
      self.init(
        .httpStatus, text: Text("documents.wantsLogin", ["code": String(code), "url": url]),
        data: ["status": .integer(Int64(code))])
    case .partInUse:
      self.init(
        .busy, text: Text("documents.downloading", ["url": WebURL.masked(url), "seconds": String(Self.busySeconds)]),
        data: Self.busyData)
    default: self.init(failure)
    }
  }

  /// The error of a failed worker for the client.
  init(_ failure: WorkerFailure, source: String) {
    let named = ["source": source]
    switch failure {
    case .passwordRequired: self.init(.passwordRequired, text: Text("documents.passwordRequired", named))
    case .wrongPassword: self.init(.passwordRequired, text: Text("documents.wrongPassword", named))
    case .notPDF: self.init(.notPDF, text: Text("documents.notPDF", named))
    case .corrupt(let reason):
      self.init(.corrupt, text: Text("documents.corrupt", ["source": source, "reason": reason]))
    case .crashed: self.init(.workerCrashed, text: Text("documents.workerCrashed", named))
    case .outOfMemory: self.init(.workerCrashed, text: Text("documents.outOfMemory", named))
    case .badReply: self.init(.workerCrashed, text: Text("documents.badReply", named))
    case .markedDangerous(let part, let seconds): self = .leftAlone(part, of: source, retryAfter: seconds)
    case .timedOut: self.init(.timedOut, text: Text("documents.tooSlow", named))
    case .busy: self.init(code: Code.busy, kind: .busy, text: Text("documents.workersBusy"), data: Self.busyData)
    case .sandboxUnavailable(let missing):
      self.init(
        .sandboxUnavailable,
        text: Text("documents.sandboxUnavailable", ["missing": missing.joined(separator: ", ")]))
    case .pageUnavailable(let page):
      self.init(
        .corrupt, text: Text("documents.pageUnavailable", ["page": String(page + 1)]),
        data: ["page": .integer(Int64(page))])
    case .undrawable(let page):
      self.init(
        .tooLarge, text: Text("documents.undrawable", ["source": source, "page": String(page + 1)]),
        data: ["page": .integer(Int64(page))])
    case .pictureTooLarge(let pixels, let limit):
      self.init(
        .tooLarge, text: Text("documents.pictureTooLarge", ["limit": String(limit / 1_000_000)]),
        data: [
          "pixels": .integer(Int64(pixels)), "mostPixels": .integer(Int64(limit)),
          "longestSide": .integer(Int64(PictureRequest.longestSide - 1)),
        ])
    case .textTooLarge(let page):
      self.init(.tooLarge, text: Text("documents.textTooLarge", ["page": String(page + 1)]))
    case .fileTooLarge(let limit):
      self.init(.tooLarge, text: Text("file.tooLarge", ["limit": String(limit >> 20)]))
    case .outputError(let errno):
      let failure = FileFailure(path: "", errno)
      self.init(
        failure, otherwise: RPCError(.readOnly, text: Text("documents.outputError", ["reason": failure.reason])))
    case .unreadable(let errno):
      let failure = FileFailure(path: "", errno)
      let isForbidden = errno == EACCES || errno == EPERM
      self.init(
        failure,
        otherwise: failure.isMissing
          ? RPCError(.corrupt, text: Text("documents.fileMissing", named))
          : RPCError(
            isForbidden ? .notAllowed : .corrupt,
            text: Text("documents.fileError", ["source": source, "reason": failure.reason])))
    case .unavailable(let reason):
      self.init(.sandboxUnavailable, text: Text("documents.noWorker", ["reason": reason]))
    case .badRequest: self = .internalError
    case .cancelled: self = .cancelled
    case .shutDown: self = .shuttingDown
    }
  }

  /// How long another client's request keeps a worker busy is unknown; clients are asked to retry after so many
  /// seconds.
  private static let busySeconds = 5
  private static let busyData: JSONObject = ["retryAfter": .integer(Int64(busySeconds))]

  /// After three failures an operation is not tried for a while; the message names the operation and the time.
  private static func leftAlone(_ part: WorkerFailure.Part, of source: String, retryAfter seconds: Int) -> RPCError {
    var named = ["source": source, "minutes": String(max(1, (seconds + 59) / 60))]
    var data: JSONObject = ["retryAfter": .integer(Int64(seconds))]
    switch part {
    case .document: return RPCError(.workerCrashed, text: Text("documents.leftAlone", named), data: data)
    case .request: return RPCError(.workerCrashed, text: Text("documents.requestLeftAlone", named), data: data)
    case .page(let page):
      named["page"] = String(page + 1)
      data["page"] = .integer(Int64(page))
      return RPCError(.workerCrashed, text: Text("documents.pageLeftAlone", named), data: data)
    }
  }

  static func invalidURL(reason: String) -> RPCError {
    RPCError(
      .invalidURL, text: Text("documents.invalidURL", ["reason": reason]), data: ["field": "url"])
  }

  static func pageOutOfRange(_ page: Int, count: Int, field: String = "page") -> RPCError {
    .invalidParams(
      field: field, reason: Text("param.pageOutOfRange", ["page": String(page), "count": String(count)]))
  }
}
