import Contract
import Store
import Synchronization
import Wire

/// An object as one client sees it, with the data that its members need: they are encoded while the snapshot is valid.
public protocol ShownObject: SendableMetatype {
  /// Its name in the reference and the schemas.
  static var name: String { get }
  static var members: Members<Self> { get }
}

/// An item as one client sees it: its declared fields, and members that are derived from them and from other data when
/// a reply is written.
public protocol ShownItem: ShownObject {
  associatedtype Item: StoredItem
  /// An example item for the reference.
  static var example: Item { get }
  /// The first members: its id, revision and times.
  static var head: [DerivedMember<Self>] { get }
  /// Notes of head members whose usual note does not fit, by name.
  static var headNotes: [String: String] { get }
  /// The fields included as members.
  static var fields: [Field<Item>] { get }
  /// Members that are not stored in a column. A derived member replaces the field of the same name.
  static var derived: [DerivedMember<Self>] { get }
  var item: Item { get }
}

/// An item whose members can all be computed from a snapshot.
public protocol SnapshotItem: ShownItem {
  init(_ item: Item, in snapshot: Snapshot) throws
}

extension ShownItem {
  package static var headNotes: [String: String] { [:] }

  public static var head: [DerivedMember<Self>] {
    func note(_ name: String, _ usual: String) -> String { headNotes[name] ?? usual }
    return [
      DerivedMember("id", note("id", "The item's id."), example: .string(example.id)) {
        ItemID(unchecked: $0.item.id)
      },
      DerivedMember(
        "revision", note("revision", "Changes with every update. Compare for equality only."),
        example: .integer(example.revision)
      ) { $0.item.revision },
      DerivedMember(
        "createdAt", note("createdAt", "When it was added to the library."),
        example: .string(example.createdAt.description)
      ) { $0.item.createdAt },
      DerivedMember(
        "updatedAt", note("updatedAt", "When it last changed."), example: .string(example.updatedAt.description)
      ) { $0.item.updatedAt },
    ]
  }

  package static var fields: [Field<Item>] { Item.fields.shown }

  public static var members: Members<Self> {
    MembersOfItems.of(Self.self) {
      let derived = derived
      let replaced = Set(derived.map(\.name))
      let fields = fields.filter { !replaced.contains($0.wireName) }
      return Members(
        head.map(\.group) + [MemberGroup(fields, example: example) { $0.item }] + derived.map(\.group))
    }
  }
}

/// The members of each type of item, created once: a protocol cannot have stored properties.
private enum MembersOfItems {
  private static let known = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

  private final class CachedMembers<Shown: ShownItem>: Sendable {
    let members: Members<Shown>
    init(_ members: Members<Shown>) { self.members = members }
  }

  static func of<Shown: ShownItem>(_ type: Shown.Type, make: () -> Members<Shown>) -> Members<Shown> {
    let key = ObjectIdentifier(type)
    // The cached object has the type of its key, and a checked cast costs as much as a row.
    if let cached = known.withLock({ $0[key] }) { return unsafeDowncast(cached, to: CachedMembers<Shown>.self).members }
    // Not under the lock: an item may have another as a member.
    let members = make()
    let cached = CachedMembers(members)
    known.withLock { $0[key] = cached }
    return members
  }
}
