import Contract
import Display
import Store

/// Deadlines that a file states as instants, which have a day and a time only in a zone: for a card the zone is the one
/// of its import, whichever client imports the file again.
extension ExternalTask {
  /// Stores the zone of the import, if it matters.
  mutating func noteZone(_ zone: Zone, of reading: TaskReading) {
    guard isDueAtMoment, source?.format == reading.format else { return }
    source?.zone = dueZone ?? zone.identifier
  }

  /// Reads the deadline in the zone of the card's import, if it equals the deadline in the file then, or one that the
  /// card has or had: for a file of any format with instants. An unknown instant is read in the zone of this import,
  /// which is the card's zone from then on.
  mutating func keepDeadline(
    of record: ProjectRecord, in reading: TaskReading, zone: Zone, snapshot: Snapshot
  ) throws {
    // Our own lines state the deadline themselves, beside the source text of the original import.
    guard let source, reading.format == source.format, let zoneHere = source.zone,
      let stored = try StoredSource(record)?.source, let zoneThere = stored.zone, zoneThere != zoneHere
    else { return }
    var same = source
    same.zone = zoneThere
    guard let read = same.task(zone: zone) else { return }
    let before = stored.format == source.format ? stored.task(zone: zone) : nil
    let isOld = before.map { read.deadline == $0.deadline && read.time == $0.time } ?? false
    let isKnown =
      try isOld || read.isDue(as: record)
      || record.states(in: snapshot).contains { read.isDue(as: $0.state) }
    guard isKnown else { return }
    (card.deadline, card.time) = (read.deadline, read.time)
    card.recurrence = read.recurrence
    self.source = same
  }

  /// If a file of another format than the card's source changes the deadline, which is read in the zone of this import,
  /// that becomes the zone of the card's instants. A source of the same format already has it in its text.
  func moveZone(of record: inout ProjectRecord, from old: ProjectRecord, in reading: TaskReading) throws {
    guard (record.deadline, record.time) != (old.deadline, old.time), let source, source.format == reading.format,
      let zone = source.zone,
      var stored = try StoredSource(record), stored.source.format != source.format, stored.source.zone != nil,
      stored.source.zone != zone
    else { return }
    stored.source.zone = zone
    record.foreign = try StoredJSON(stored).json
  }

  private func isDue(as record: ProjectRecord) -> Bool {
    card.deadline == record.deadline && card.time == record.time
  }
}
