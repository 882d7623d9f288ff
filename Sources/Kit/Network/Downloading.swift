import Display
import HTTP
import Store
import Wire

extension Services {
  /// The file in which a download is continued, also for another client or after a restart: of one name there is one.
  package func partFile(of name: String) -> String {
    folder.parts + "/" + Blobs.hash(of: Array(name.utf8)) + ".part"
  }
}

extension Progress {
  /// Reports how far a download is.
  package func report(_ download: DownloadProgress) {
    let done = ByteCount(Int64(download.received))
    guard let total = download.total, total > 0 else {
      return report(message: Text("progress.downloadingUnknown"), sizes: ["done": done])
    }
    report(
      message: Text("progress.downloading"), sizes: ["done": done, "total": ByteCount(Int64(total))],
      percentage: Int(download.received * 100 / total))
  }
}
