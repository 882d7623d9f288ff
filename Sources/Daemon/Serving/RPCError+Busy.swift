import Wire

extension RPCError {
  static let busy = RPCError(code: Code.busy, kind: .busy, text: Text("error.busy"))
}
