import Contract
import Kit

/// The connection itself: LSP's lifecycle, barriers, the daemon's state, and the protocol as data.
package enum SessionFeature {
  package static let feature = Feature(
    name: "session",
    routes: [
      Route(Initialize.self), Route(Shutdown.self), Route(Ping.self), Route(Sync.self), Route(Configure.self),
      Route(Confine.self),
      Route(Status.self), Route(Discover.self),
    ],
    notifications: [
      { NotificationDescription(Initialized.self) }, { NotificationDescription(Exit.self) },
      { NotificationDescription(CancelRequest.self) }, { NotificationDescription(SetTrace.self) },
      { NotificationDescription(ProgressNotification.self) }, { NotificationDescription(LogMessage.self) },
      { NotificationDescription(DidChangeDay.self) },
    ])
}
