import Client
import NIOCore
import NIOHTTP1
import Wire

/// A request of an app on another device, which the daemon answers: of a feed reader by the Google Reader API, or of
/// KOReader by its own. The bridge knows no more of them than their paths.
struct AppCall: Sendable {
  private enum API {
    case feeds, progress

    init?(of path: String) {
      if path.contains("/reader/api/0/") || path.contains("/reader/atom/") || path.hasSuffix("/accounts/ClientLogin") {
        self = .feeds
      } else if path.hasSuffix("/syncs/progress") || path.contains("/syncs/progress/")
        || path.hasSuffix("/users/auth") || path.hasSuffix("/users/create")
      {
        self = .progress
      } else {
        return nil
      }
    }
  }

  /// The path and the query, as they were sent.
  let path: String
  let query: String
  private let api: API

  /// Nil for any other path. An app puts the API's paths after the URL that it was given.
  init?(path: String, query: Substring) {
    guard let api = API(of: path) else { return nil }
    (self.path, self.query, self.api) = (path, String(query), api)
  }

  /// The methods of HTTP that its API has.
  var methods: [HTTPMethod] { [.GET, .HEAD, .POST] + (api == .progress ? [.PUT] : []) }

  func answer(_ body: ByteBuffer, to head: HTTPRequestHead, on site: Site) async -> Answer {
    guard let form = String(validating: body.readableBytesView, as: UTF8.self) else {
      return .refusal(.badRequest, "The form is not valid UTF-8.")
    }
    var params: JSONObject = [
      "method": .string(head.method.rawValue), "path": .string(path), "body": .string(form),
    ]
    let (method, header, credential) =
      switch api {
      case .feeds: ("boards/answerApp", "authorization", "authorization")
      case .progress: ("books/answerReader", "x-auth-key", "key")
      }
    if api == .feeds { params["query"] = .string(query) }
    let secret = head.headers[header].first
    if let secret { params[credential] = .string(secret) }
    let client = site.appClients.client(for: secret)
    let answer = await Self.answer(to: method, .object(params), by: client, on: site)
    // Any other failure proves nothing about the credential.
    if answer.status == .ok || answer.status == .unauthorized {
      site.appClients.note(secret, isAccepted: answer.status == .ok)
    }
    return answer
  }

  private static func answer(
    to method: String, _ params: JSONValue, by client: FileClient, on site: Site
  ) async -> Answer {
    do throws(BridgeFailure) {
      let connection = try await client.connection()
      do {
        return answer(try await connection.client.call(method, params))
      } catch let error as RemoteError {
        return FileCall.answer(to: error)
      } catch {
        // The daemon has ended meanwhile. Whether it marked a post is unknown, so the app asks again.
        await client.leave(connection)
        return FileCall.unavailable(site.voice.sentence(BridgeFailure.daemonEnded.words))
      }
    } catch {
      return FileCall.unavailable(site.voice.sentence(error.words))
    }
  }

  private static func answer(_ reply: JSONValue) -> Answer {
    guard let status = reply["status"]?.integerValue, let type = reply["type"]?.stringValue,
      let body = reply["body"]?.stringValue
    else { return .refusal(.badGateway, "The daemon answered in another way.") }
    return Answer(
      status: HTTPResponseStatus(statusCode: Int(status)),
      headers: [("Content-Type", type + "; charset=utf-8"), ("Cache-Control", "no-store")],
      body: .bytes(ByteBuffer(string: body)))
  }
}
