import Contract
import Display
import Store

/// A deadline that a file says as a moment, which is a day and a time only where somebody reads it: for a card they are
/// those of the zone in which it came, whichever client brings its file again.
extension ForeignTask {
  /// Keeps in which zone it was read, where that could make a difference.
  mutating func noteZone(_ zone: Zone, of reading: TaskReading) {
    guard isDueAtMoment, source?.format == reading.format else { return }
    source?.zone = dueZone ?? zone.identifier
  }

  /// Reads the deadline in the zone in which the card came, where it is the one that the file had then, or one that the
  /// card has or had: in a file of any format that says moments. A moment that nobody here knows is read where it is
  /// brought, and that is the card's zone from then on.
  mutating func keepDeadline(
    of record: ProjectRecord, in reading: TaskReading, zone: Zone, snapshot: Snapshot
  ) throws {
    // Our own lines say the deadline themselves, beside the text of the file in which the card came once.
    guard let source, reading.format == source.format, let zoneHere = source.zone,
      let kept = try StoredSource(record)?.source, let zoneThere = kept.zone, zoneThere != zoneHere
    else { return }
    var same = source
    same.zone = zoneThere
    guard let read = same.task(zone: zone) else { return }
    let before = kept.format == source.format ? kept.task(zone: zone) : nil
    let isOld = before.map { read.deadline == $0.deadline && read.time == $0.time } ?? false
    let isKnown =
      try isOld || read.isDue(as: record)
      || record.states(in: snapshot).contains { read.isDue(as: $0.state) }
    guard isKnown else { return }
    (card.deadline, card.time) = (read.deadline, read.time)
    card.recurrence = read.recurrence
    self.source = same
  }

  /// Where a file of another format than the one in which the card came has moved its deadline, whose moment is read where
  /// it is brought, the card's moments are of there too. What came in that format is its text, and stays.
  func moveZone(of record: inout ProjectRecord, from old: ProjectRecord, in reading: TaskReading) throws {
    guard (record.deadline, record.time) != (old.deadline, old.time), let source, source.format == reading.format,
      let zone = source.zone,
      var kept = try StoredSource(record), kept.source.format != source.format, kept.source.zone != nil,
      kept.source.zone != zone
    else { return }
    kept.source.zone = zone
    record.foreign = try StoredJSON(kept).json
  }

  private func isDue(as record: ProjectRecord) -> Bool {
    card.deadline == record.deadline && card.time == record.time
  }
}
