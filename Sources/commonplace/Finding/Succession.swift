import Client
import Glibc
import Kit
import Link
import Store
import Wire

/// The procedure if the running daemon has another version than this command, as after an upgrade.
///
/// A daemon that was started by a bridge and that no client uses is stopped, and ours replaces it. A daemon that is
/// in use, or that a user started, is left alone: the protocol stays compatible, so it can be used.
struct Succession {
  let place: Place

  /// Returns true if the old daemon has exited and one of this version may be started. Closes the connection then.
  func takesOver(from found: Reach.Found) async throws(Failure) -> Bool {
    guard let owner = found.owner, owner.version != Version.current, !owner.version.isEmpty else { return false }
    guard owner.isAutomatic, await isUnused(found) else {
      Terminal.say(
        "commonplace: "
          + place.voice.sentence(Text("command.otherVersion", ["theirs": owner.version, "ours": Version.current])))
      return false
    }
    close(found.descriptor)
    try Dismissal(place: place, owner: owner).run(until: .now + Reach.deadline)
    return true
  }

  /// Whether the daemon reports no client but us. If its status is unavailable, it counts as used.
  private func isUnused(_ found: Reach.Found) async -> Bool {
    guard let client = try? await Client.connect(socket: found.socket) else { return false }
    let status = try? await client.call("session/status")
    await client.close()
    guard let clients = status?["clients"]?.arrayValue, !clients.isEmpty else { return false }
    let ours = Int64(getpid())
    return clients.allSatisfy { $0["pid"]?.integerValue == ours }
  }
}
