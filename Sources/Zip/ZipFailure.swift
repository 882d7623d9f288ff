/// Why a zip is not read any further. Nothing of it is to be trusted then.
package enum ZipFailure: Error, Equatable {
  /// libarchive is not there, or is too old.
  case unavailable(String)
  /// It is no zip, was cut off, or is damaged.
  case damaged(String)
  case encrypted(entry: String)
  /// A name that leads out of the folder into which the zip would be unpacked.
  case unsafeName(entry: String)
  /// A link, a device or the like.
  case noFile(entry: String)
  case tooManyEntries(limit: Int)
  case tooManyBytes(limit: Int)
  /// The content is larger than its compressed form by a factor that no file of a person has.
  case tooDense(limit: Int)
}
