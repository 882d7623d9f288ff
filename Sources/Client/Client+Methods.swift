import Contract
import Wire

extension Client {
  /// Calls a method with its own types.
  ///
  /// - Throws: the errors of `call(_:_:)`, and an `RPCError` that names the field if the result does not have the
  ///   method's type, which only a server of another protocol level sends.
  package func call<M: Method>(_ method: M.Type, _ params: M.Params) async throws -> M.Result {
    let result = try await call(M.name, JSONEncoding.value(of: params))
    return try JSONDecoding.decode(M.Result.self, from: result)
  }
}
