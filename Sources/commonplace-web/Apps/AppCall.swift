import Client
import NIOCore
import NIOHTTP1
import Wire

/// A request of a feed reader on another device, which the daemon answers by the Google Reader API. The bridge knows no
/// more of it than its paths.
struct AppCall: Sendable {
  /// The path and the query, as they were sent.
  let path: String
  let query: String

  private static let method = "boards/answerApp"

  /// Nil for any other path. An app puts the API's paths after the URL that it was given.
  init?(path: String, query: Substring) {
    guard path.contains("/reader/api/0/") || path.contains("/reader/atom/") || path.hasSuffix("/accounts/ClientLogin")
    else { return nil }
    (self.path, self.query) = (path, String(query))
  }

  func answer(_ body: ByteBuffer, to head: HTTPRequestHead, on site: Site) async -> Answer {
    guard let form = String(validating: body.readableBytesView, as: UTF8.self) else {
      return .refusal(.badRequest, "The form is not valid UTF-8.")
    }
    var params: JSONObject = [
      "method": .string(head.method.rawValue), "path": .string(path), "query": .string(query), "body": .string(form),
    ]
    let authorization = head.headers["authorization"].first
    if let authorization { params["authorization"] = .string(authorization) }
    let client = site.appClients.client(for: authorization)
    let answer = await Self.answer(.object(params), by: client, on: site)
    // Any other failure proves nothing about the credential.
    if answer.status == .ok || answer.status == .unauthorized {
      site.appClients.note(authorization, isAccepted: answer.status == .ok)
    }
    return answer
  }

  private static func answer(_ params: JSONValue, by client: FileClient, on site: Site) async -> Answer {
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
