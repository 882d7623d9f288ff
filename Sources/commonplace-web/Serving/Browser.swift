import Glibc

/// Opens the page in the desktop's browser.
enum Browser {
  /// Everybody on the machine can read the arguments of a program. So the browser gets a file of mode 600 that leads to
  /// the URL with its token.
  static func open(_ url: String, by folder: ScratchFolder) {
    let page =
      #"<!DOCTYPE html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=\#(url)"><title>Commonplace</title>"#
    guard let file = folder.write(page, named: "open.html") else { return }
    Process.start("xdg-open", [file])
  }
}
