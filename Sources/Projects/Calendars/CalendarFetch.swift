import Contract
import Exchange
import HTTP
import Kit
import Store
import Wire

/// Reads the file of a calendar once.
struct CalendarFetch: Sendable {
  let calendar: CalendarRecord
  /// Those of the stored events.
  var validators: Validators?
  var urgency = RequestPriority.Urgency.interactive

  /// What a fetch found.
  struct Answer: Sendable {
    /// Nil if nothing has changed.
    var reading: CalendarReading?
    var validators: Validators?
    /// For how long the server says that nothing changes.
    var freshFor: Duration?
  }

  private static let accept = "text/calendar, text/plain;q=0.5, */*;q=0.1"
  private static let format = "iCalendar"

  /// - Throws: `RPCError`: those of files and of the network; `corrupt` for a file that is no calendar.
  func answer(with services: Services) async throws -> Answer {
    if let path = calendar.path {
      guard calendar.isTyped else { throw unconfirmed() }
      let confinement = calendar.confinement.map { FileConfinement(json: $0) }
      let file = GivenImport(path: path, limit: CalendarReading.mostBytes, format: Self.format)
      return Answer(
        reading: try await FileConfinement.$current.withValue(confinement) {
          try await file.read { try CalendarReading($0, checkCancelled: $1) }
        })
    }
    return try await answer(from: calendar.url ?? "", with: services)
  }

  private func answer(from url: String, with services: Services) async throws -> Answer {
    var request = HTTPRequest(
      url: url, headers: ["Accept": Self.accept], limit: CalendarReading.mostBytes, validators: validators,
      budget: RequestBudget(service: "calendar \(Origin(url)?.description ?? url)", tokens: 30, atOnce: 2),
      urgency: urgency, isNamedByContent: !calendar.isTyped)
    let secret = try await secret(for: url, with: services)
    if let secret, SecretPlace.isIn(url) {
      request.secretPlace = secret
    } else if let secret {
      request.credentials = ["Authorization": "Bearer \(secret.value)"]
    }
    var response: HTTPResponse
    do throws(HTTPFailure) {
      response = try await services.http.get(request)
      if response.status == 401, let name = calendar.credential { services.credentials.forget(name) }
      try response.requireSuccess()
    } catch {
      if case .cancelled = error { throw CancellationError() }
      if case .refusedAddress = error, !calendar.isTyped { throw unconfirmed() }
      throw RPCError(error)
    }
    if let secret { response = response.scrubbed(of: secret) }
    if response.isNotModified {
      return Answer(validators: response.validators ?? validators, freshFor: response.freshFor)
    }
    let (body, source) = (response.body, calendar.shownPlace)
    let reading = try await onThread { checkCancelled in
      do {
        return try CalendarReading([UInt8](body), checkCancelled: checkCancelled)
      } catch {
        throw RPCError.reading(error, of: source, format: Self.format)
      }
    }
    return Answer(reading: reading, validators: response.validators, freshFor: response.freshFor)
  }

  private func secret(for url: String, with services: Services) async throws -> Secret? {
    guard let name = calendar.credential, let origin = Origin(url) else {
      guard SecretPlace.isIn(url) else { return nil }
      let arguments = ["url": calendar.shownPlace, "place": SecretPlace.written]
      throw RPCError(.unauthorized, text: Text("network.noSecretPlace", arguments))
    }
    let secret = try await services.credentials.secret(named: name, for: origin)
    guard !SecretPlace.isIn(url) || secret.value.utf8.count >= SecretPlace.shortest else {
      let arguments = ["name": name, "count": String(SecretPlace.shortest)]
      throw RPCError(.unauthorized, text: Text("network.secretTooShort", arguments))
    }
    return secret
  }

  private func unconfirmed() -> RPCError {
    RPCError(.refusedAddress, text: Text("projects.calendarUnconfirmed", ["place": calendar.shownPlace]))
  }
}
