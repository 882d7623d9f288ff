import Kit
import PDF
import Wire

extension Services {
  /// Pages of one request to a worker: some 60 ms of work.
  private static let step = 24
  /// Pages that hang or crash a worker, each of which may cost a whole timeout: after so many failures the rest is
  /// given up.
  private static let mostFailures = 4

  /// How many times in a row all workers may be busy, each time for a whole timeout, once some of the text is
  /// extracted.
  private static let mostBusy = 3

  /// Extracts the text of a file's pages for callers that cannot continue without it. Pages whose extraction fails
  /// are missing from the result.
  ///
  /// - Parameters:
  ///   - pages: ascending.
  ///   - name: the file's name in errors.
  ///   - report: called with the number of finished pages.
  func extract(
    _ source: DocumentSource, pages: [Int], name: String, report: (Int) -> Void = { _ in }
  ) async throws -> [PageText] {
    var texts: [PageText] = []
    var rest = pages[...]
    var failures = 0
    var busy = 0
    // Pages before this one are tried one by one: a page that hangs or crashes a worker must not cost its neighbours
    // their text.
    var carefulEnd = 0
    while let first = rest.first, failures < Self.mostFailures {
      try Task.checkCancellation()
      let run = zip(rest, first...).prefix { $0 == $1 }.count
      let count = first < carefulEnd ? 1 : min(run, Self.step)
      do throws(WorkerFailure) {
        texts += try await workers.extract(source, pages: first..<first + count)
        rest = rest.dropFirst(count)
        busy = 0
        report(pages.count - rest.count)
      } catch {
        switch error {
        case .shutDown, .passwordRequired, .wrongPassword, .cancelled, .notPDF, .sandboxUnavailable, .unavailable:
          throw RPCError(error, source: name)
        case .busy:
          // A client waits here, so retries are limited.
          busy += 1
          guard !texts.isEmpty, busy < Self.mostBusy else { throw RPCError(error, source: name) }
          await pause(.milliseconds(250))
          continue
        case .markedDangerous:
          // Other requests for this file have failed; this one has not failed yet.
          await workers.forget(source.key)
          continue
        default: break
        }
        if count > 1 {
          carefulEnd = first + count
        } else {
          failures += 1
          rest = rest.dropFirst()
        }
      }
    }
    return texts
  }
}
