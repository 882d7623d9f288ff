import Kit
import Store
import Wire
import Zip

extension RPCError {
  /// The error for a file that does not conform to its format. `source` is its path, or `data`.
  package init(_ failure: WrongFormat, of source: String, format: String) {
    let source = failure.file.map { "\(source): \($0)" } ?? source
    var text =
      failure.isMissing
      ? Text("import.missingPart", ["source": source, "format": format, "part": failure.reason])
      : Text("import.wrongFormat", ["source": source, "format": format, "reason": failure.reason])
    if let line = failure.line {
      text.key = failure.isMissing ? "import.missingLine" : "import.wrongLine"
      text.arguments["line"] = String(line)
    }
    self.init(.corrupt, text: text)
  }

  /// The error to reply for a failed import; unrelated errors are returned unchanged.
  package static func reading(_ failure: any Error, of source: String, format: String) -> any Error {
    switch failure {
    case let failure as FileFailure: RPCError(failure)
    case let failure as ZipFailure: RPCError(failure)
    case let failure as WrongFormat: RPCError(failure, of: source, format: format)
    default: failure
    }
  }
}
