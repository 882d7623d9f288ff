import CStore

/// Exchanges two files of a folder in one step, so that neither is lost. False where one is missing, and on a file system
/// that cannot.
package func exchangeFiles(_ one: String, _ other: String, in folder: Int32) -> Bool {
  cp_files_exchange(folder, one, other) == 0
}
