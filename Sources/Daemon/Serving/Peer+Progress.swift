import Contract
import Kit
import Link
import System
import Wire

/// Progress and partial results of a request, before its reply.
extension Peer {
  func progress(for call: Dispatcher.Call, doing: Text) -> Progress {
    guard let sender = senders[call.number] else { return .none }
    let parts = sender.partialToken.map { token in
      host.onLoop(self) { (peer: Peer, value: JSONValue) in
        guard peer.senders[call.number] != nil else { return }
        peer.sendPart(token, value)
      }
    }
    let ask = host.onLoop(self) { (peer: Peer, admitted: CheckedContinuation<Void, Never>) in
      peer.dispatcher.waitForRoom(call.number, admitted)
    }
    let room: @Sendable () async -> Void = { await withCheckedContinuation { ask($0) } }
    guard let token = sender.token else { return Progress(nil, parts: parts, room: room) }
    let title = host.services.catalogue.string(for: doing, language: reader.language)
    sendProgress(token, ["kind": "begin", "title": .string(title), "cancellable": true])
    return Progress(
      host.onLoop(self) { (peer: Peer, report: ProgressReport) in
        // Reports after the reply would contradict it.
        guard peer.senders[call.number] != nil else { return }
        peer.sendProgress(token, report.value(in: peer.reader.language, catalogue: peer.host.services.catalogue))
      }, parts: parts, room: room)
  }

  /// Parts of a result count as reply bytes: none are dropped, and while too many are unsent nothing more is started.
  private func sendPart(_ token: RequestID, _ value: JSONValue) {
    let params: JSONValue = ["token": token.json, "value": value]
    connection.send(reply: MessageBytes.notification(method: ProgressNotification.name, params: params))
  }

  func endProgress(of sender: Sender) {
    guard let token = sender.token, begunProgress.remove(token) != nil else { return }
    sendProgress(token, ["kind": "end"])
  }

  private func sendProgress(_ token: RequestID, _ value: JSONValue) {
    if value["kind"] == "begin" { begunProgress.insert(token) }
    let params: JSONValue = ["token": token.json, "value": value]
    connection.send(
      progress: MessageBytes.notification(method: ProgressNotification.name, params: params),
      step: value["kind"]?.stringValue.flatMap(ProgressStep.init(rawValue:)) ?? .report, token: token)
  }
}
