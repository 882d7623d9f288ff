extension ItemState {
  /// Gives the writes of a writer after a number to another writer, which is new.
  mutating func move(writesOf old: WriterID, after number: Int64, to new: WriterID) {
    func moved(_ dot: Dot) -> Dot { dot.writer == old && dot.number > number ? Dot(new, dot.number) : dot }
    func moved(_ vector: VersionVector) -> VersionVector {
      guard let highest = vector.highest[old], highest > number else { return vector }
      let earlier = number > 0 ? [Dot(old, number)] : []
      return VersionVector(vector.dots.filter { $0.writer != old } + earlier + [Dot(new, highest)])
    }
    func moved(_ base: TextHead.Base) -> TextHead.Base {
      TextHead.Base(text: base.text, at: base.at, dots: base.dots.map(moved).sorted())
    }
    func moved<Value>(_ heads: Heads<Value>) -> Heads<Value> {
      Dictionary(uniqueKeysWithValues: heads.map { (moved($0.key), $0.value) })
    }
    (context, gone, being) = (moved(context), moved(gone), moved(being))
    latest = latest.mapValues(moved)
    sets = sets.mapValues { $0.mapValues(moved) }
    texts = texts.mapValues { heads in
      moved(heads).mapValues {
        TextHead(at: $0.at, text: $0.text, past: moved($0.past), bases: $0.bases.map(moved))
      }
    }
  }
}
