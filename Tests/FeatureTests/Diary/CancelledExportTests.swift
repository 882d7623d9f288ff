import Contract
import Exchange
import Foundation
import TestSupport
import Testing
import Wire

@testable import Diary
@testable import Kit

@Suite("Diary: exports that are cancelled") struct CancelledExportTests {
  @Test(
    "an export in any format ends when it is cancelled, and leaves nothing", arguments: ExportEntries.Format.allCases)
  func cancelled(format: ExportEntries.Format) async throws {
    let bench = try await DiaryBench()
    for text in ["Rain\n", "Sun\n"] { try await bench.add(text) }
    let services = bench.daemon.daemon.services
    let folder = TemporaryFolder()
    let path = folder.file("diary")
    let params = ExportEntries.Params(
      path: path, format: format, overwrite: nil, from: nil, to: nil, journal: nil)
    let caller = FeatureCaller.daemon(services)
    let (plan, (spool, shown)) = try await services.library.read(as: caller) { snapshot in
      (try ExportEntries.prepare(params, in: snapshot), try ExportEntries.spool(params, of: snapshot))
    }
    func export(cancelled: Bool) throws {
      try ExportEntries.write(
        spool, beside: shown, plan, to: FileExport(to: path, services: services), .none,
        checkCancelled: { if cancelled { throw CancellationError() } })
    }
    #expect(throws: CancellationError.self) { try export(cancelled: true) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    try export(cancelled: false)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["diary"])
    await bench.stop()
  }
}
