import Display
import Glibc
import Wire

/// The sentences of the bridge in the user's language.
struct Voice: Sendable {
  private let catalogue = Catalogue()
  let reader: Reader

  init(environment: [String: String]) {
    reader = Reader.system(environment: environment)
  }

  func sentence(_ words: BridgeFailure.Words) -> String {
    switch words {
    case .said(let sentence): sentence
    case .text(let text):
      reader.language.joined(
        [
          catalogue.string(for: text, language: reader.language), catalogue.advice(on: text, language: reader.language),
        ].compactMap(\.self))
    }
  }

  func say(_ text: Text) {
    write(sentence(.text(text)) + "\n", to: STDOUT_FILENO)
  }

  func complain(_ failure: BridgeFailure) {
    write("commonplace: \(sentence(failure.words))\n", to: STDERR_FILENO)
  }

  private func write(_ line: String, to descriptor: Int32) {
    _ = Array(line.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}
