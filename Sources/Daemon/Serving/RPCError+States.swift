import Wire

extension RPCError {
  /// A member of a batch whose replies exceed the limit.
  static let batchTooLarge = RPCError(code: Code.busy, kind: .tooLarge, text: Text("error.batchTooLarge"))
  static let busy = RPCError(code: Code.busy, kind: .busy, text: Text("error.busy"))
  static let afterShutdown = RPCError(code: Code.invalidRequest, text: Text("error.afterShutdown"))
}
