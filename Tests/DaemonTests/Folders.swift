import Foundation

func copyFolder(_ source: String, to target: String) throws {
  try FileManager.default.copyItem(atPath: source, toPath: target)
}

/// Puts a copy in the place of a library, as a person who restores one does.
func replaceFolder(_ library: String, with copy: String) throws {
  try FileManager.default.removeItem(atPath: library)
  try FileManager.default.copyItem(atPath: copy, toPath: library)
}
