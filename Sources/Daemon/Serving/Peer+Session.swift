import Kit
import Store

/// The connection as control methods see it.
extension Peer: Session {
  var services: Services { host.services }

  func beginShutdown() {
    isShuttingDown = true
    hasRequestedShutdown = true
  }

  func follow(_ filter: ChangeFilter) -> Int64 {
    // Set before the starting clock is read.
    host.bell.isWanted = true
    return follower.follow(filter)
  }

  func unfollow() {
    follower.unfollow()
  }

  func beginTelling() {
    let isFirst = !follower.hasStarted
    follower.hasStarted = true
    if isFirst { notifyOfPending() }
    connection.flush()
  }
}
