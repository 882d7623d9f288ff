import Client
import Glibc
import Kit
import Link
import Store
import Wire

/// What happens when the daemon that runs is of another version than this command, as after an upgrade.
///
/// One that was started by a bridge and that nobody uses is asked to finish, and ours takes its place. One that is
/// used, or that a person started, is left alone: the protocol takes nothing away, so it can be talked to.
struct Succession {
  let place: Place

  /// True when the old one has gone and one of this version may be started. Closes the connection then.
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

  /// Whether the daemon says that nobody but us is there. What cannot be learnt counts as used.
  private func isUnused(_ found: Reach.Found) async -> Bool {
    guard let client = try? await Client.connect(socket: found.socket) else { return false }
    let status = try? await client.call("session/status")
    await client.close()
    guard let clients = status?["clients"]?.arrayValue, !clients.isEmpty else { return false }
    let ours = Int64(getpid())
    return clients.allSatisfy { $0["pid"]?.integerValue == ours }
  }
}
