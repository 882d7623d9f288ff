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
      // A request steps over a bounded number of changes whose items have changed since. So it is sent again until a
      // round undoes nothing and names no other conflict.
      var conflicts: Set<Int64> = []
      var isProgress = true
      while isProgress {
        let (undone, conflict) = try await round(conversation)
        count += undone
        isRefused = conflict != nil
        guard let conflict else { break }
        let isNew = conflict.data?["commit"]?.integerValue.map { conflicts.insert($0).inserted } ?? false
        isProgress = undone > 0 || isNew
      }
    } catch {
      await conversation.end()
      throw place.voice.failure(error)
    }
    await conversation.end()
    Terminal.write(
      place.voice.sentence(Text("command.undoneOf", ["count": String(count), "client": client])) + "\n")
    if isRefused { throw place.voice.failure(.conflict, Text("command.undoLeft", ["client": client])) }
  }

  /// Undoes the newest changes, one after the other, until none is left or only those are in reach that conflict.
  private func round(_ conversation: Conversation) async throws -> (undone: Int, conflict: RemoteError?) {
    var undone = 0
    do {
      while true {
        _ = try await conversation.client.call("changes/undo", ["skip": true, "reason": "undo --client"])
        undone += 1
      }
    } catch let error as RemoteError where ["nothingToUndo", "conflict"].contains(error.kind) {
      return (undone, error.kind == "conflict" ? error : nil)
    }
  }
}
