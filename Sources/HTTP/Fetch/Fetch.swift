/// One request with its redirects, without budget and retries.
struct Fetch: Sendable {
  let request: HTTPRequest
  let url: WebURL
  let redirects: Redirects

  /// Returns the complete response, with any status.
  func response(into sink: MemorySink) async throws(HTTPFailure) -> HTTPResponse {
    let identity = Identity(
      headers: request.headers, credentials: request.credentials, secretQuery: request.secretQuery,
      secretPlace: request.secretPlace, validators: request.validators)
    let arrival = try await redirects.run(url, as: identity, into: sink)
    let (head, body) = try sink.finish()
    let sent = arrival.wasConditional ? request.validators : nil
    // Without validators in the request there is nothing to compare with.
    if head.status == 304, sent == nil { throw .badResponse(reason: "answerUnasked") }
    let isGood = (200...299).contains(head.status) || head.status == 304
    return HTTPResponse(
      status: head.status, headers: head.headers, body: body, finalURL: arrival.url,
      validators: Validators(head, from: arrival.url, asked: url, sent: sent),
      freshFor: Freshness.duration(head.headers, now: redirects.configuration.wallClock?()),
      movedPermanentlyTo: isGood ? arrival.movedTo?.text : nil)
  }
}
