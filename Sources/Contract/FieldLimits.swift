/// Limits of a field's values beyond its type.
///
///     static let limits: [String: FieldLimits] = [
///       "limit": .range(1...500), "title": .text(0...1_000, notBlank: true), "color": .form(.color),
///     ]
///
/// For a list, the length is the list's own; all other limits apply to each element.
public struct FieldLimits: Sendable, Equatable {
  /// The least and the greatest number.
  package var minimum: Double?
  package var maximum: Double?
  /// The length of a text in Unicode scalars, of a list or a dictionary in elements.
  package var minimumLength: Int?
  package var maximumLength: Int?
  /// Whether a text must contain a character that is not white space.
  package var notBlank: Bool
  package var form: TextForm?

  public init(
    minimum: Double? = nil, maximum: Double? = nil, minimumLength: Int? = nil, maximumLength: Int? = nil,
    notBlank: Bool = false, form: TextForm? = nil
  ) {
    self.minimum = minimum
    self.maximum = maximum
    self.minimumLength = minimumLength
    self.maximumLength = maximumLength
    self.notBlank = notBlank
    self.form = form
  }

  package static func range(_ range: ClosedRange<Double>) -> FieldLimits {
    FieldLimits(minimum: range.lowerBound, maximum: range.upperBound)
  }

  package static func atLeast(_ minimum: Double) -> FieldLimits { FieldLimits(minimum: minimum) }

  package static func length(_ range: ClosedRange<Int>, notBlank: Bool = false) -> FieldLimits {
    FieldLimits(minimumLength: range.lowerBound, maximumLength: range.upperBound, notBlank: notBlank)
  }

  /// A text that is not blank.
  package static func form(_ form: TextForm) -> FieldLimits { FieldLimits(form: form) }

  /// The limits of each element of a list with these limits.
  package var ofElements: FieldLimits {
    FieldLimits(minimum: minimum, maximum: maximum, notBlank: notBlank, form: form)
  }
}
