import CStore

/// Exchanges two files of a folder in one step, so that neither is lost. Returns false if one is missing, or if the
/// file system does not support it.
package func exchangeFiles(_ one: String, _ other: String, in folder: Int32) -> Bool {
  cp_files_exchange(folder, one, other) == 0
}
