/// The first rows of several selections together. Each selection has the same order, by which `read` reads it.
///
/// Once there are enough rows, the next selection is not read beyond the last of them. So with an index in this order
/// the cost depends on the number of selections, and not on how many rows they have.
///
/// - Parameters:
///   - most: the maximum number of rows, at least 1.
///   - read: returns the first rows of a selection, at most `most`; those after `last` are not needed.
/// - Throws: whatever `read` throws.
package func firstRows<Selection, Row>(
  _ most: Int, of selections: [Selection], by precedes: (Row, Row) -> Bool,
  read: (_ selection: Selection, _ last: Row?) throws -> [Row]
) rethrows -> [Row] {
  var rows: [Row] = []
  for selection in selections {
    let found = try read(selection, rows.count < most ? nil : rows.last)
    if found.isEmpty { continue }
    rows += found
    rows.sort(by: precedes)
    rows.removeLast(max(0, rows.count - most))
  }
  return rows
}
