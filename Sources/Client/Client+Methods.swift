import Contract
import Wire

extension Client {
  /// Asks by a method's own types.
  ///
  /// Throws what `call(_:_:)` throws, and an `RPCError` that names the field when the result is not what the method
  /// promises, which only a server of another protocol level gives.
  package func call<M: Method>(_ method: M.Type, _ params: M.Params) async throws -> M.Result {
    let result = try await call(M.name, JSONEncoding.value(of: params))
    return try JSONDecoding.decode(M.Result.self, from: result)
  }
}
