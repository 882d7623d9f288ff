import Contract
import Display
import Kit

/// The connection itself: LSP's lifecycle, barriers, the daemon's state, and the protocol as data.
package enum SessionFeature {
  package static let feature = Feature(
    name: "session",
    routes: [
      Route(Initialize.self), Route(Shutdown.self), Route(Ping.self), Route(Sync.self), Route(Configure.self),
      Route(Status.self), Route(Discover.self),
    ],
    notifications: [
      { NotificationDescription(Initialized.self) }, { NotificationDescription(Exit.self) },
      { NotificationDescription(CancelRequest.self) }, { NotificationDescription(SetTrace.self) },
      { NotificationDescription(ProgressNotification.self) }, { NotificationDescription(LogMessage.self) },
      { NotificationDescription(DidChangeDay.self) },
    ],
    texts: [
      .init(
        "session.brokenConfiguration",
        en: "{sentence.mistake} Until the file is mended, what config.toml said before holds.",
        ko: "{sentence.mistake} 파일을 고칠 때까지 전에 읽은 config.toml의 설정을 씁니다."),
      .init(
        "session.oldClient",
        en: "{name} {version} is known not to get along with this daemon; update it to {good} or newer.",
        ko: "{name} {version}은(는) 이 데몬과 잘 맞지 않습니다. {good} 이상으로 업데이트하십시오."),
    ])
}
