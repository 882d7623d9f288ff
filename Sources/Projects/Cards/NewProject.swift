import Contract
import Kit
import Wire

/// The params of `projects/add`: a title and further fields, or a line that has them all.
struct NewProject: ItemParams {
  typealias Shown = ShownProject
  let given: JSONObject
  init(given: JSONObject) { self.given = given }

  static let typeName = NewItem<ShownProject>.typeName
  static var members: [ObjectShape.Field] {
    NewItem<ShownProject>.members.map { member in
      var member = member
      if sameBytes(member.name, "title") { member.presence = .optional }
      return member
    } + [
      .param(
        "line", String.self, .optional, limits: .length(1...ProjectRecord.longestTitle, notBlank: true),
        "The card as one line: `Pay rent every month on 1 Dec at 9am #home !1`. Tags and the priority may stand anywhere, "
          + "the deadline with its time and the recurrence at the end or the beginning, in any language that dates have "
          + "here, or `someday` as the last word; reminders after `remind`, as in `remind 1h before`, `remind the day before`, "
          + "`remind in 10 minutes`, `remind tomorrow 9am`, `remind at 8am`. Words that name their field may stand anywhere too: "
          + "`due:friday`, `start:monday` (or `wait:`, `scheduled:`), `priority:H`, `recur:weekly`, and `project:garden` or `+garden` for the tag `+garden`. The rest is the title. A word after a backslash is part of the title, and so is `#12`, which is no "
          + "tag. A field that is given apart is not read from the line.")
    ]
  }
  static let exactlyOne = [["title", "line"]]

  var values: JSONObject { NewItem<ShownProject>(given: given).values }
}
