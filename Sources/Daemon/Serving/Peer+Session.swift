import Kit
import Store

/// What methods may ask of the connection.
extension Peer: Session {
  var services: Services { host.services }

  func beginShutdown() {
    isShuttingDown = true
    hasSaidShutdown = true
  }

  func follow(_ filter: ChangeFilter) -> Int64 {
    // Before the place from where it follows is taken.
    host.bell.isWanted = true
    return follower.follow(filter)
  }

  func unfollow() {
    follower.unfollow()
  }

  func beginTelling() {
    follower.isTold = true
    connection.flush()
  }
}
