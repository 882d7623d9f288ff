import Link
import Wire

/// The part of a client that lives on its connection's loop: the requests, and their waiting replies.
final class Session: ConnectionDelegate {
  struct Progress: Sendable {
    var token: RequestID
    var handler: @Sendable (JSONValue) -> Void
  }

  typealias Notifications = AsyncThrowingStream<ServerNotification, any Error>

  let connection: Connection
  private let record: Record
  private let cancellationGrace: Duration
  private let notifications: Notifications.Continuation
  private let answering: Client.Answering?
  private var pending: [RequestID: (reply: PendingReply, token: RequestID?)] = [:]
  private var progress: [RequestID: Progress] = [:]
  private var end: CloseReason?

  init(
    _ connection: Connection, record: Record, notifications: Notifications.Continuation, cancellationGrace: Duration,
    answering: Client.Answering? = nil
  ) {
    self.answering = answering
    self.connection = connection
    self.record = record
    self.cancellationGrace = cancellationGrace
    self.notifications = notifications
  }

  static func makeStream() -> (Notifications, Notifications.Continuation) {
    Notifications.makeStream(bufferingPolicy: .bufferingOldest(Client.notificationLimit))
  }

  // MARK: Out

  func send(request bytes: [UInt8], pending reply: PendingReply, progress: Progress?) {
    if let end { return reply.answer(.failure(ClientError.closed(end))) }
    guard connection.unsentBytes < Client.unsentLimit else {
      return reply.answer(.failure(ClientError.tooMuchUnsent(limit: Client.unsentLimit)))
    }
    pending[reply.id] = (reply, progress?.token)
    if let progress { self.progress[progress.token] = progress }
    connection.send(reply: bytes)
  }

  func send(_ bytes: [UInt8]) {
    connection.send(reply: bytes)
  }

  func send(raw bytes: [UInt8]) {
    connection.send(raw: bytes)
  }

  func cancel(_ id: RequestID) {
    guard let reply = pending[id]?.reply else { return }
    send(MessageBytes.notification(method: "$/cancelRequest", params: ["id": id.json]))
    // A reply that arrives in time, or later, is delivered separately; the first one counts.
    connection.loop.schedule(after: cancellationGrace) { reply.answer(.failure(CancellationError())) }
  }

  // MARK: In

  func connection(_ connection: Connection, received frame: Frame, byteCount: Int) {
    guard record.append(frame) else {
      notifications.finish(throwing: ClientError.overflow(limit: Record.limit))
      return connection.close(reason: .failed("the record is full"))
    }
    switch frame {
    case .single(let message): receive(message)
    case .batch(let messages): messages.forEach(receive)
    case .unreadable(let error): connection.close(reason: .failed(error.text.key))
    }
  }

  private func receive(_ message: Message) {
    switch message {
    case .response(let id?, let result, let error):
      guard let (reply, token) = pending.removeValue(forKey: id) else { return }
      if let token { progress[token] = nil }
      reply.answer(error.map { .failure(RemoteError($0)) } ?? .success(result ?? .null))
    case .notification("$/progress", let params):
      guard let token = params["token"].flatMap(RequestID.init), let value = params["value"] else { return }
      progress[token]?.handler(value)
    case .notification(let method, let params): yield(ServerNotification(method: method, params: params))
    case .request(let id, let method, let params):
      if let result = try? answering?(method, params)?.json() {
        return send(MessageBytes.result(id: id, result))
      }
      // A daemon that sends this client a request must not wait for ever.
      send(
        MessageBytes.error(
          id: id, code: RPCError.Code.methodNotFound, message: "This client answers no requests: \(method)", data: [:]))
    case .response(nil, _, _), .invalid: break
    }
  }

  private func yield(_ notification: ServerNotification) {
    if case .dropped = notifications.yield(notification) {
      notifications.finish(throwing: ClientError.overflow(limit: Client.notificationLimit))
    }
  }

  func connectionInputEnded(_ connection: Connection) {
    connection.closeWhenDrained()
  }

  func connectionDidClose(_ connection: Connection, reason: CloseReason) {
    end = reason
    for (reply, _) in pending.values { reply.answer(.failure(ClientError.closed(reason))) }
    pending = [:]
    progress = [:]
    notifications.finish()
    record.end(reason)
  }

  func connectionHasRoom(_ connection: Connection) {}

  func nextNotification(for connection: Connection) -> [UInt8]? { nil }
}
