import Client
import Display
import Foundation
import HTTP
import PDF
import Store
import TestSupport
import Testing
import Wire

@testable import Documents
@testable import Features

/// Files that are missing, and folders and disks that cannot be written.
@Suite("Failures of files") struct FileFailureTests {
  private static let catalogue = Catalogue()

  private static let failures: [(error: RPCError, kind: ErrorKind, key: String)] = [
    (RPCError(WorkerFailure.unreadable(errno: ENOENT), source: "“a”"), ErrorKind.corrupt, "documents.fileMissing"),
    (RPCError(WorkerFailure.unreadable(errno: EACCES), source: "“a”"), ErrorKind.notAllowed, "documents.fileError"),
    (RPCError(WorkerFailure.unreadable(errno: EINVAL), source: "“a”"), ErrorKind.corrupt, "documents.fileError"),
    (RPCError(WorkerFailure.unreadable(errno: EMFILE), source: "“a”"), ErrorKind.busy, "error.tooManyFiles"),
    (RPCError(WorkerFailure.outputError(errno: ENFILE), source: "“a”"), ErrorKind.busy, "error.tooManyFiles"),
    (RPCError(HTTPFailure.fileError(errno: EMFILE)), ErrorKind.busy, "error.tooManyFiles"),
    (RPCError(HTTPFailure.fileError(errno: EDQUOT)), ErrorKind.diskFull, "error.diskFull"),
    (RPCError(HTTPFailure.fileError(errno: EACCES)), ErrorKind.readOnly, "network.fileError"),
    (RPCError(WorkerFailure.unreadable(errno: EIO), source: "“a”"), ErrorKind.ioError, "file.diskError"),
    (RPCError(WorkerFailure.outputError(errno: EIO), source: "“a”"), ErrorKind.ioError, "file.diskError"),
    (RPCError(WorkerFailure.outputError(errno: ENOSPC), source: "“a”"), ErrorKind.diskFull, "error.diskFull"),
    (RPCError(WorkerFailure.outputError(errno: EACCES), source: "“a”"), ErrorKind.readOnly, "documents.outputError"),
    (StoreError.unfinished(path: "/x", isFull: false).rpcError, ErrorKind.ioError, "error.unfinishedOnFailing"),
    (StoreError.unfinished(path: "/x", isFull: true).rpcError, ErrorKind.diskFull, "error.unfinishedWrite"),
  ]

  @Test("a missing file, an unwritable folder and a failing disk are reported as such, with advice in both languages")
  func fileFailures() {
    for (error, kind, key) in Self.failures {
      #expect(error.kind == kind && error.text.key == key)
      for language in Language.allCases {
        let words = Self.catalogue.render(error, language: language)
        let advice = words.data["advice"]?.stringValue ?? ""
        #expect(!words.message.contains("errno") && !advice.isEmpty, "\(words.message)")
      }
    }
  }

  @Test("a document whose file is missing, and pictures whose folder is a file, are answered with what helps")
  func missingFiles() async throws {
    let daemon = try await TestDaemon.started()
    let client = try await daemon.client()
    let bytes = SamplePDF(["one"]).bytes
    let id = try #require(
      try await client.call("documents/add", ["data": .string(Data(bytes).base64EncodedString())])["id"])
    let picture = try await client.call("documents/render", ["id": id, "page": 0, "width": 100])
    let pictures = (try #require(picture["path"]?.stringValue) as NSString).deletingLastPathComponent
    try FileManager.default.removeItem(atPath: pictures)
    try Data().write(to: URL(filePath: pictures))
    let unwritable = try await client.failure("documents/render", ["id": id, "page": 0, "width": 200])
    #expect(
      unwritable?.kind == "readOnly" && unwritable?.message.contains(pictures) == true,
      "\(String(describing: unwritable))")
    #expect(unwritable?.data?["advice"]?.text.isEmpty == false)
    await daemon.stop()

    try FileManager.default.removeItem(
      atPath: Blobs(folder: daemon.library + "/blobs").path(named: Blobs.hash(of: bytes)))
    let again = try await TestDaemon.started(in: daemon.folder)
    let reader = try await again.client()
    let missing = try await reader.failure("documents/metadata", ["id": id])
    #expect(missing?.data?["key"] == "documents.fileMissing", "\(String(describing: missing))")
    #expect(missing?.data?["advice"]?.text.contains("backup") == true)
    await again.stop()
  }
}
