import Contract

package struct RuleID: Identifier {
  package let text: String
  package init(unchecked text: String) { self.text = text }
}

/// The actions of a rule on a post.
enum RuleAction: String, Choice {
  case hide, read, save, tag
}

/// The past actions of a rule on a post, as the post's mark stores them. The title is that of the rule at the time, so
/// that it is known after the rule was removed.
struct RuleTrace: Payload, Equatable {
  var rule: RuleID
  var title: String
  var actions: [RuleAction]
  static let example = RuleTrace(rule: "0195", title: "No sports", actions: [.hide])
  static let fields = [
    "rule": "The rule.", "title": "Its title, or its query, when it ran.",
    "actions": "What it did with the post: `hide`, `read`, `save`, `tag`; nothing that was so before.",
  ]
}
