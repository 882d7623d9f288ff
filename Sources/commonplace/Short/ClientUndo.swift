import Client
import Wire

/// Takes back all changes of one client, such as an agent's session, the newest first.
struct ClientUndo {
  let place: Place
  let client: String

  /// - Throws: `Failure`, of the status `conflict` if changes are left that cannot be taken back.
  func run() async throws {
    let conversation = try await Conversation.open(place, from: .shared, as: client)
    var count = 0
    var isRefused = false
    do {
      while true {
        // Changes whose items have changed since are stepped over; `conflict` says that only those are left.
        _ = try await conversation.client.call("changes/undo", ["skip": true, "reason": "undo --client"])
        count += 1
      }
    } catch let error as RemoteError where ["nothingToUndo", "conflict"].contains(error.kind) {
      isRefused = error.kind == "conflict"
    } catch {
      await conversation.end()
      throw place.voice.failure(error)
    }
    await conversation.end()
    Terminal.write(
      place.voice.sentence(Text("command.undoneOf", ["count": String(count), "client": client])) + "\n")
    if isRefused { throw place.voice.failure(.conflict, Text("command.undoLeft", ["client": client])) }
  }
}
