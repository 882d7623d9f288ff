import CPoppler
import PDF

extension Document {
  /// The target of a poppler action, which the caller still owns.
  func target(of action: UnsafePointer<PopplerAction>) -> LinkTarget {
    func text(_ text: UnsafePointer<CChar>?) -> String? { string(text, limit: HostileInput.longestTarget) }
    let action = action.pointee
    switch action.type {
    case POPPLER_ACTION_GOTO_DEST:
      guard let place = action.goto_dest.dest?.pointee else { return LinkTarget(.broken) }
      return target(of: place)
    case POPPLER_ACTION_GOTO_REMOTE:
      let place = action.goto_remote.dest?.pointee
      let name = text(action.goto_remote.file_name) ?? ""
      let fragment = place.flatMap { $0.type == POPPLER_DEST_NAMED ? text($0.named_dest) : nil }
      let page = place.flatMap { $0.type != POPPLER_DEST_NAMED && $0.page_num > 0 ? Int($0.page_num) - 1 : nil }
      return LinkTarget(
        .file, text: fragment.map { cut("\(name)#\($0)") } ?? name,
        page: page.flatMap { $0 <= HostileInput.mostPages ? $0 : nil })
    case POPPLER_ACTION_LAUNCH: return LinkTarget(.launch, text: text(action.launch.file_name))
    case POPPLER_ACTION_URI: return LinkTarget(.uri, text: text(action.uri.uri))
    case POPPLER_ACTION_NAMED: return LinkTarget(.action, text: text(action.named.named_dest))
    case POPPLER_ACTION_NONE: return LinkTarget(.nowhere)
    case POPPLER_ACTION_JAVASCRIPT: return LinkTarget(.other, text: "script")
    case POPPLER_ACTION_MOVIE, POPPLER_ACTION_RENDITION: return LinkTarget(.other, text: "film")
    case POPPLER_ACTION_OCG_STATE: return LinkTarget(.other, text: "layers")
    case POPPLER_ACTION_RESET_FORM: return LinkTarget(.other, text: "form")
    default: return LinkTarget(.other)
    }
  }

  private func target(of place: PopplerDest) -> LinkTarget {
    var place = place
    if place.type == POPPLER_DEST_NAMED {
      let name = string(place.named_dest, limit: HostileInput.longestTarget)
      // A name that refers to another name is invalid.
      guard let found = namedPlaces.place(named: place.named_dest), found.type != POPPLER_DEST_NAMED else {
        return LinkTarget(.broken, text: name)
      }
      place = found
    }
    let page = Int(place.page_num) - 1
    guard page >= 0, page < pageCount else { return LinkTarget(.broken) }
    func inPlace(_ number: Double, _ isGiven: Bool = true) -> Double? {
      isGiven && (-PictureRequest.farthest...PictureRequest.farthest).contains(number) ? number : nil
    }
    switch place.type {
    case POPPLER_DEST_XYZ:
      let zoom = place.change_zoom != 0 && place.zoom > 0 && place.zoom <= 1_000 ? place.zoom : nil
      return LinkTarget(
        .page, page: page, x: inPlace(place.left, place.change_left != 0), y: inPlace(place.top, place.change_top != 0),
        zoom: zoom)
    case POPPLER_DEST_FITH, POPPLER_DEST_FITBH:
      return LinkTarget(.page, page: page, y: inPlace(place.top, place.change_top != 0))
    case POPPLER_DEST_FITV, POPPLER_DEST_FITBV:
      return LinkTarget(.page, page: page, x: inPlace(place.left, place.change_left != 0))
    case POPPLER_DEST_FITR:
      return LinkTarget(.page, page: page, x: inPlace(place.left), y: inPlace(place.top))
    default: return LinkTarget(.page, page: page)
    }
  }

  private func cut(_ text: String) -> String {
    text.withCString { string($0, limit: HostileInput.longestTarget) } ?? ""
  }
}
