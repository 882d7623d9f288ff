import Foundation
import PDF

/// A pool of real workers, or of scripts that pose as such, with a folder of its own.
package final class PDFBench: Sendable {
  package let pool: WorkerPool
  package let folder: URL
  /// The lines that the pool has logged.
  package let log = EventLog<String>()

  /// - Parameter configure: changes the configuration that tests have: two minutes a request, so that none runs out on
  ///   a busy machine, and one spare.
  package init(
    executable: String? = nil, _ configure: (inout WorkerConfiguration) -> Void = { _ in }
  ) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "pdf-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var configuration = WorkerConfiguration(executable: try executable ?? WorkerExecutable.path())
    configuration.timeout = .seconds(120)
    configure(&configuration)
    pool = WorkerPool(configuration, log: { [log] in log.append($0) })
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// Writes a document and names it; the name is its key.
  package func source(_ bytes: [UInt8], named name: String, password: String? = nil) throws -> DocumentSource {
    let file = folder.appending(path: "\(name).pdf")
    if !FileManager.default.fileExists(atPath: file.path) {
      try Data(bytes).write(to: file)
    }
    return DocumentSource(key: name, path: file.path, password: password)
  }

  package func source(_ sample: SamplePDF, named name: String = "sample") throws -> DocumentSource {
    try source(sample.bytes, named: name)
  }

  /// A path in the folder at which nothing is yet.
  package func newPath() -> String {
    folder.appending(path: UUID().uuidString).path
  }

  /// Draws a picture and reads it back.
  package func draw(_ source: DocumentSource, _ request: PictureRequest) async throws -> Raster {
    let path = newPath()
    let picture = try await pool.render(source, request, into: path)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    return switch request.format {
    case .png: try Raster(png: bytes)
    case .raw: Raster(raw: bytes, width: picture.width, height: picture.height)
    }
  }

  /// Waits, without sleeping, for what another process or the pool's thread is about to do.
  ///
  /// - Throws: ``NeverHappened`` after five minutes.
  package func until(_ condition: @Sendable (WorkerStatus) -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(300)
    while !condition(pool.status) {
      guard ContinuousClock.now < deadline else { throw NeverHappened(status: pool.status) }
      await Task.yield()
    }
  }

  package struct NeverHappened: Error {
    package let status: WorkerStatus
  }
}
