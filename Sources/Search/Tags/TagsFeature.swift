import Kit

/// The tags of all collections as one: a collection takes part if its fields declare tags.
package enum TagsFeature {
  package static let feature = Feature(
    name: "tags", routes: [Route(ListTags.self), Route(RenameTag.self), Route(RemoveTag.self)])
}
