import Kit
import Store

extension Route {
  /// All methods of a collection that is fully described by its declared fields.
  package static func items<Shown: SnapshotItem>(_ shown: Shown.Type) -> [Route]
  where Shown.Item: ExchangedItem {
    [
      Route(AddItem<Shown>.self), Route(UpdateItem<Shown>.self), Route(RemoveItem<Shown>.self),
      Route(GetItem<Shown>.self), Route(ListItems<Shown>.self), Route(ImportItems<Shown>.self),
    ]
  }
}
