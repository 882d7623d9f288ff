import Contract
import Kit
import Store
import Wire

/// Several devices with one library: their changes are exchanged as encrypted files over a folder or a server.
package enum SyncFeature {
  package static let feature = Feature(
    name: "sync",
    routes: [
      Route(SetUpSync.self), Route(RunSync.self), Route(ShowSyncStatus.self), Route(ShowSyncCode.self),
      Route(PauseSync.self), Route(LeaveSync.self), Route(RenewSync.self), Route(ListSyncDevices.self),
      Route(UpdateSyncDevice.self), Route(ForgetSyncDevice.self),
    ],
    notifications: [{ NotificationDescription(DidChangeSync.self) }],
    migrations: SyncTables.migrations,
    // Another device may show it in a text that has not arrived.
    retainedFiles: { ids, _, snapshot in
      try snapshot.db.first("SELECT 1 FROM syncSpace") { _ in ids } ?? []
    },
    start: { services in
      PieceFile.removeLeftovers(in: services.folder, now: services.now().milliseconds)
      services.fileRequests.serve { [weak services] hash in
        if let services { services.sync.fetch(hash, with: services) }
      }
      services.sync.schedule.begin(with: services)
    },
    stop: { services in services.memory.known(SyncEngine.self)?.end() },
    jobs: { memory in
      memory.known(SyncEngine.self)?.isRunning == true ? [StatusReport.Job(method: RunSync.name, connection: "")] : []
    })
}
