import Wire

/// A string enum: `enum ProjectState: String, Choice { case todo, doing, done }`.
package protocol Choice: RawRepresentable, CaseIterable, ShapedValue, WireValue, Hashable where RawValue == String {}

extension Choice {
  package static var wireType: WireType<Self> { WireType(shape) { $1.write(string: $0.rawValue) } }
  package static var shape: Shape { .choice(typeName(Self.self), allCases.map(\.rawValue)) }

  package static var sample: Self {
    guard let first = allCases.first else { fatalError("\(Self.self) is a choice without cases") }
    return first
  }
}
