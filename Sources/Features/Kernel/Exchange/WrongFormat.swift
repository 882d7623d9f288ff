/// A file that is not what its format says, from the outside: nothing of it can be read.
package struct WrongFormat: Error, Equatable {
  /// Where it was seen, in the format's own words: `line 12`, `BEGIN:VCALENDAR`.
  package var reason: String

  package init(reason: String) { self.reason = reason }
}
