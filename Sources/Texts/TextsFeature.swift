import Contract
import Kit
import Store
import Wire

/// The texts of the language server: those that a client has open, and those that are made from the library.
package enum TextsFeature {
  package static let feature = Feature(
    name: "text",
    routes: languageRoutes + textRoutes,
    notifications: [
      { NotificationDescription(PublishDiagnostics.self) }, { NotificationDescription(ShowMessage.self) },
    ],
    handlers: [
      NotificationHandler(DidOpenText.self), NotificationHandler(DidChangeText.self),
      NotificationHandler(DidCloseText.self), NotificationHandler(DidSaveText.self),
    ],
    neededFiles: { ids, moment, snapshot in
      let opened = try snapshot.db.mentions(
        of: ids, in: "SELECT base FROM textBase WHERE usedAt >= ?", [.integer(moment)])
      return try opened.union(DraftTable.texts.files(among: ids, since: moment, in: snapshot.db))
    },
    start: { services in
      services.desk.begin(with: services)
      services.library.follow { [weak services] in
        guard let services else { return }
        Diagnostics.publishAllSoon(with: services)
        services.liveTexts.libraryChanged(with: services)
        services.shownContents.libraryChanged(with: services)
      }
    },
    dayTurned: { _, _, snapshot in
      // Cards become overdue with a new day, without a commit.
      Diagnostics.publishAllSoon(with: snapshot.services)
      try snapshot.services.desk.dayTurned(in: snapshot)
      return []
    },
    negotiate: Negotiation.capabilities,
    clientLeft: { connectionID, services in
      if let client = services.languageClients[connectionID] {
        for text in client.texts { services.textDrafts.closing(text, of: client, with: services) }
      }
      guard services.languageClients.remove(connectionID) else { return }
      services.shownContents.left(connectionID)
      services.liveTexts.left(connectionID, with: services)
      services.desk.left(connectionID, with: services)
    })

  /// LSP's requests about texts.
  private static var languageRoutes: [Route] {
    [
      Route(CompleteText.self), Route(ResolveCompletion.self), Route(HoverText.self), Route(DefineText.self),
      Route(ReferText.self), Route(ListTextLinks.self), Route(ResolveTextLink.self), Route(ListTextSymbols.self),
      Route(FindSymbols.self), Route(ResolveSymbol.self), Route(OfferActions.self), Route(ResolveAction.self),
      Route(RenameText.self), Route(PrepareRename.self), Route(ExecuteCommand.self),
      Route(FoldText.self), Route(PrepareSave.self), Route(WriteCanonically.self), Route(HintText.self),
      Route(LensText.self), Route(ColorText.self),
      Route(ShowTextContent.self),
    ]
  }
}
