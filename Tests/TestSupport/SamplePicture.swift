/// Pictures of 40 by 20 pixels in base64: the left half is red, or gray where there is no color, and the right half is
/// white, or transparent.
package enum SamplePicture {
  /// Red, green, blue and alpha.
  package static let png =
    "iVBORw0KGgoAAAANSUhEUgAAACgAAAAUCAYAAAD/Rn+7AAAAK0lEQVR42u3OsQ0AAAzCMP5/mj7BVDlSdqdJl2cdIC"
    + "AgICAgICAgIOBn4AFVUx0O6QAvkwAAAABJRU5ErkJggg=="
  package static let palette =
    "iVBORw0KGgoAAAANSUhEUgAAACgAAAAUCAMAAADImI+JAAAABlBMVEX/AAD///9BHTQRAAAAF0lEQVR42mNgwAIYsQ"
    + "CGUYWjCkcVggAAdFIBkdI8g/4AAAAASUVORK5CYII="
  /// Gray of 16 bits, and alpha.
  package static let gray =
    "iVBORw0KGgoAAAANSUhEUgAAACgAAAAUEAQAAAAF32tzAAAAK0lEQVR42u3OsQ0AAAjDsJ7O5/BEJ+RI2Z3JbvO0Aw"
    + "QEBAQEBAQEBAT8DDy/3OUOrnvI0wAAAABJRU5ErkJggg=="
  /// A photo of a camera that was held upright, whose Exif data tell that it was taken on 2020-12-22.
  package static let jpeg =
    ""
    + "/9j/4QBURXhpZgAASUkqAAgAAAACABIBAwABAAAABgAAAGmHBAABAAAAJgAAAAAAAAABAAOQAgAUAAAAOAAAAAAAAAAyMDIwOjEyOjIyIDE1Oj"
    + "M1OjMzAP/gABBKRklGAAEBAQBIAEgAAP/bAEMACAYGBwYFCAcHBwkJCAoMFA0MCwsMGRITDxQdGh8eHRocHCAkLicgIiwjHBwoNyksMDE0NDQf"
    + "Jzk9ODI8LjM0Mv/bAEMBCQkJDAsMGA0NGDIhHCEyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMv/AAB"
    + "EIABQAKAMBIgACEQEDEQH/xAAfAAABBQEBAQEBAQAAAAAAAAAAAQIDBAUGBwgJCgv/xAC1EAACAQMDAgQDBQUEBAAAAX0BAgMABBEFEiExQQYT"
    + "UWEHInEUMoGRoQgjQrHBFVLR8CQzYnKCCQoWFxgZGiUmJygpKjQ1Njc4OTpDREVGR0hJSlNUVVZXWFlaY2RlZmdoaWpzdHV2d3h5eoOEhYaHiI"
    + "mKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4eLj5OXm5+jp6vHy8/T19vf4+fr/xAAfAQADAQEBAQEBAQEB"
    + "AAAAAAAAAQIDBAUGBwgJCgv/xAC1EQACAQIEBAMEBwUEBAABAncAAQIDEQQFITEGEkFRB2FxEyIygQgUQpGhscEJIzNS8BVictEKFiQ04SXxFx"
    + "gZGiYnKCkqNTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqCg4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrC"
    + "w8TFxsfIycrS09TV1tfY2dri4+Tl5ufo6ery8/T19vf4+fr/2gAMAwEAAhEDEQA/AOLooor5k/cT0/4L/wDIX1T/AK4L/wChV7JXjfwX/wCQvq"
    + "n/AFwX/wBCr2SvbwX8FH5dxP8A8jKfovyQUUUV1nz58mUUUV8yfuJ6f8F/+Qvqn/XBf/Qq9koor28F/BR+XcT/APIyn6L8kFFFFdZ8+f/Z"
}
