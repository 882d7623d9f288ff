import Wire

extension RPCError {
  static let busy = RPCError(code: Code.busy, kind: .busy, text: Text("error.busy"))
  static let afterShutdown = RPCError(code: Code.invalidRequest, text: Text("error.afterShutdown"))
  /// A request that was begun, and given up because the daemon ends.
  static let stoppedRequest = RPCError(code: Code.invalidRequest, text: Text("error.stoppedRequest"))
}
