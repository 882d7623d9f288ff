import Contract
import Display
import Store

/// A deadline that a file says as a moment, which is a day and a time only where somebody reads it: for a card they are
/// those of the zone in which it came, whichever client brings its file again.
extension ForeignTask {
  /// Keeps in which zone it was read, where that could make a difference.
  mutating func noteZone(_ zone: Zone, of reading: TaskReading) {
    guard [.ics, .taskwarrior].contains(reading.format), source?.format == reading.format else { return }
    source?.zone = zone.identifier
  }

  /// Reads the deadline in the zone in which the card came, where it is the one that the file had then or the one that
  /// the card has. A moment that is another by now is read where it is brought.
  mutating func keepDeadline(of record: ProjectRecord, in reading: TaskReading, zone: Zone) throws {
    // Our own lines say the deadline themselves, beside the text of the file in which the card came once.
    guard let source, reading.format == source.format, let zoneHere = source.zone,
      let kept = try KeptSource(record)?.source,
      let zoneThere = kept.zone, zoneThere != zoneHere, kept.format == source.format
    else { return }
    var same = source
    same.zone = zoneThere
    guard let read = same.task(zone: zone), let before = kept.task(zone: zone) else { return }
    let isOld = read.due == before.due && read.time == before.time
    guard isOld || read.due == record.deadline && read.time == record.time else { return }
    (due, time) = (read.due, read.time)
    (recurrence, recurrenceDetails) = (read.recurrence, read.recurrenceDetails)
    self.source = same
  }
}
