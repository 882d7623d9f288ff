import NIOCore

/// `POST /frame`: the HTML of a form's field comes back as a document that can run and load nothing.
///
/// The page sends a hidden form with the target of a frame. The document has an origin of its own, so that not even its
/// address leads to the page or the daemon.
enum FrameForm {
  static func answer(to body: ByteBuffer) -> Answer {
    guard let html = FileQuery.values(Substring(String(buffer: body)))?["html"] else {
      return .refusal(.badRequest, "The form has no field “html”.")
    }
    return Answer(
      status: .ok, headers: [("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store")],
      body: .bytes(ByteBuffer(string: html)), policy: .isolated)
  }
}
