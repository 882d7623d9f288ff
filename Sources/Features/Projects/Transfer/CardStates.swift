import Contract
import Store
import Wire

extension ProjectRecord: ExchangedItem {
  var isImported: Bool { foreign != nil }
}
