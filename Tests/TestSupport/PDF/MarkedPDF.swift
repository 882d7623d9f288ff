/// Small PDFs with contents beside their pages.
extension SamplePDF {
  /// The number of the first page's object when there are so many objects of our own; the next pages follow by twos.
  private static func page(_ index: Int, behind objects: Int) -> Int { firstOwnObject + objects + 2 * index }

  /// An outline with named, missing and outside places; links; all fields of information; XMP. The second page is
  /// cropped and lies on its side.
  package static var described: SamplePDF {
    let first = "\(page(0, behind: 8)) 0 R"
    let second = "\(page(1, behind: 8)) 0 R"
    var sample = SamplePDF(
      pages: [Page(["first"]), Page(["second"], cropBox: [50, 100, 580, 700], rotation: 90)], title: "Described")
    sample.objects = [
      "<</Type/Outlines/First 21 0 R/Last 23 0 R/Count 4>>",
      "<</Title(One)/Parent 20 0 R/Next 22 0 R/First 24 0 R/Last 24 0 R/Count 1/Dest[\(first)/XYZ 72 700 2]>>",
      "<</Title(Named)/Parent 20 0 R/Prev 21 0 R/Next 23 0 R/A<</S/GoTo/D(chapter)>>>>",
      "<</Title(Missing)/Parent 20 0 R/Prev 22 0 R/Dest(missing)>>",
      "<</Title(Outside)/Parent 21 0 R/A<</S/URI/URI(https://example.org/a?b=1)>>>>",
      "<</Type/Annot/Subtype/Link/Rect[72 600 200 620]/Dest[\(second)/XYZ 100 600 0]>>",
      "<</Type/Annot/Subtype/Link/Rect[72 500 200 520]/A<</S/URI/URI(https://example.org/out)>>>>",
      stream("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>", "/Type/Metadata/Subtype/XML"),
    ]
    sample.pages[0].entries = "/Annots[25 0 R 26 0 R]"
    sample.catalog =
      "/Outlines 20 0 R/Metadata 27 0 R/PageLayout/TwoColumnLeft/PageMode/UseOutlines/Names<</Dests<<"
      + "/Names[(chapter)[\(second)/FitH 500]]>>>>"
    sample.information =
      "/Author(Ada)/Subject(A subject)/Keywords(one, two)/Creator(A hand)/Producer(Another)"
      + "/CreationDate(D:20261121194500+09'00')/ModDate(D:20261121104500Z)"
    return sample
  }

  /// A file of the document with a name that leads out of a folder, and one that is pinned to the second page.
  package static var carrying: SamplePDF {
    var sample = SamplePDF(pages: [Page(["first"]), Page(["second"])])
    sample.objects = [
      "<</Type/Filespec/F(../../evil.sh)/UF(../../evil.sh)/Desc(Figures)/EF<</F 21 0 R>>>>",
      stream("hello", "/Type/EmbeddedFile/Params<</Size 5/ModDate(D:20261121104500Z)>>"),
      "<</Type/Annot/Subtype/FileAttachment/Rect[10 10 30 30]/FS 23 0 R/Contents(Pinned)>>",
      "<</Type/Filespec/F(pinned.txt)/EF<</F 24 0 R>>>>",
      stream("pinned bytes", "/Type/EmbeddedFile"),
    ]
    sample.catalog = "/Names<</EmbeddedFiles<</Names[(a) 20 0 R]>>>>"
    sample.pages[1].entries = "/Annots[22 0 R]"
    return sample
  }

  /// What readers of other programs left on a page of two lines: two highlights that look the same, an underline, a
  /// note, an ink drawing; and a hidden note and a link, which are no marks of theirs.
  package static var annotated: SamplePDF {
    var sample = SamplePDF(pages: [Page(["first line here", "second line"])])
    let quad = "/Rect[70 694 260 722]/QuadPoints[70 722 260 722 70 694 260 694]"
    sample.objects = [
      "<</Type/Annot/Subtype/Highlight\(quad)/C[1 0 0]/T(Ann)/Contents(What is\\rthis?)/M(D:20261121104500Z)/NM(a-1)>>",
      "<</Type/Annot/Subtype/Highlight\(quad)/C[0 1 0]>>",
      "<</Type/Annot/Subtype/Highlight\(quad)/C[0 1 0]>>",
      "<</Type/Annot/Subtype/Underline/Rect[70 664 130 692]/QuadPoints[70 692 155 692 70 664 155 664]/NM(u-1)>>",
      "<</Type/Annot/Subtype/Text/Rect[500 700 520 720]/Contents(A note)/T(Bob)/Subj(Remark)>>",
      "<</Type/Annot/Subtype/Ink/Rect[100 100 200 200]/InkList[[100 100 200 200]]/Contents(Drawn)>>",
      "<</Type/Annot/Subtype/Text/Rect[10 10 30 30]/Contents(Hidden)/F 2>>",
      "<</Type/Annot/Subtype/Link/Rect[72 500 200 520]/A<</S/URI/URI(https://example.org/)>>>>",
    ]
    sample.pages[0].entries =
      "/Annots[\(sample.objects.indices.map { "\(firstOwnObject + $0) 0 R" }.joined(separator: " "))]"
    return sample
  }

  /// Says of itself that its author has signed it.
  package static var signed: SamplePDF {
    var sample = SamplePDF(pages: [Page(["signed words"])])
    let page = page(0, behind: 2)
    sample.objects = [
      "<</Type/Annot/Subtype/Widget/FT/Sig/T(Signature)/Rect[0 0 0 0]/P \(page) 0 R/V 21 0 R>>",
      "<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/adbe.pkcs7.detached/ByteRange[0 0 0 0]/Contents<00>>>",
    ]
    sample.pages[0].entries = "/Annots[20 0 R]"
    sample.catalog = "/AcroForm<</Fields[20 0 R]/SigFlags 3>>"
    return sample
  }
}
