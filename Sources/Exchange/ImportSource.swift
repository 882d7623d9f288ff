import Kit
import Store
import Wire
import Zip

extension RPCError {
  /// A file that is not what its format says, in words. `source` is its path, or what else it came as.
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

  /// Why an import could not be read, as the reply to it; an error of any other kind stays as it is.
  package static func reading(_ failure: any Error, of source: String, format: String) -> any Error {
    switch failure {
    case let failure as FileFailure: RPCError(failure)
    case let failure as ZipFailure: RPCError(failure)
    case let failure as WrongFormat: RPCError(failure, of: source, format: format)
    default: failure
    }
  }
}
