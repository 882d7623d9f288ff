/// The folder of a path, by its text alone: `/a` of `/a/b` and of `/a/b/`, `/` of `/a` and of `/`, empty for `a`.
package func parentFolder(of path: String) -> String {
  let bytes = path.utf8
  let slash = UInt8(ascii: "/")
  guard let last = bytes.lastIndex(where: { $0 != slash }) else { return bytes.isEmpty ? "" : "/" }
  guard let end = bytes[...last].lastIndex(of: slash) else { return "" }
  guard let parent = bytes[..<end].lastIndex(where: { $0 != slash }) else { return "/" }
  return String(path[...parent])
}
