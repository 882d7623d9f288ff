import Wire

extension RPCError {
  static let busy = RPCError(code: Code.busy, kind: .busy, text: Text("error.busy"))
  static let afterShutdown = RPCError(code: Code.invalidRequest, text: Text("error.afterShutdown"))
}
