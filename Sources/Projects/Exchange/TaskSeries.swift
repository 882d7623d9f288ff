/// The position of a Taskwarrior task in a recurring series.
///
/// Taskwarrior makes tasks of a template when their time comes. So a template that was imported alone, as a card, may
/// have tasks when its file is imported again: one of them is the task of the existing card, and joins it.
struct TaskSeries: Sendable, Equatable {
  /// Its uuid in the file.
  var uuid: String
  /// The uuid of its template.
  var template: String
  /// Our own id of the template, if the file was exported from here and changed by Taskwarrior.
  var ownTemplate: String
  /// Whether the file contains the template. A partial export may not.
  var hasTemplate: Bool
  /// Its number, from 0.
  var number: Int
  /// The numbers of all its tasks in the file, in order.
  var numbers: [Int]
  /// Whether it is the last open task of its series.
  var goesOn: Bool
}
