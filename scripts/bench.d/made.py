"""PDFs that the bench makes itself: text of its own, scans, a page that poppler does not come to the end of."""

import random
import struct
import subprocess
import tempfile
from pathlib import Path


def pdf(objects):
    """The file; the first object is its catalogue."""
    file, places = [b"%PDF-1.4\n"], []
    length = len(file[0])
    for number, body in enumerate(objects, 1):
        places.append(length)
        file.append(b"%d 0 obj\n%s\nendobj\n" % (number, body))
        length += len(file[-1])
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return b"".join(file) + b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        size, table, size, length)


def stream(content, entries=b""):
    return b"<< /Length %d %s>>\nstream\n%s\nendstream" % (len(content), entries, content)


def book(pages):
    """A PDF of these pages, each a list of lines."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count %d /Kids [%s] >>" % (
            len(pages), b" ".join(b"%d 0 R" % (4 + 2 * page) for page in range(len(pages)))),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for page, lines in enumerate(pages):
        shown = b" ".join(b"(%s) '" % line.encode() for line in lines)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R"
            b" /Resources << /Font << /F1 3 0 R >> >> >>" % (5 + 2 * page))
        objects.append(stream(b"BT /F1 12 Tf 14 TL 72 770 Td %s ET" % shown))
    return pdf(objects)


def plain_pdf(pages):
    """A PDF with a few lines of text a page."""
    return book([[f"Page {page}, line {line}, of a book that nobody wrote." for line in range(20)]
                 for page in range(pages)])


# A library of many books

class Library:
    """Small books, each of its own text: words as often as in a language, few of them common, most of them rare."""

    PAGES, LINES, WORDS = 3, 16, 10

    def __init__(self):
        chance = random.Random(5)
        syllables = [f"{head}{vowel}{tail}" for head in "b br d f g k l m n p r s st t tr v".split() for vowel in "aeiou"
                     for tail in ("", "n", "r", "s", "l")]
        words = {}
        while len(words) < 20_000:
            words["".join(chance.choice(syllables) for _ in range(chance.choice((1, 2, 2, 3, 3))))] = None
        self.words = sorted(words, key=len)
        self.weights = [1 / rank for rank in range(1, len(self.words) + 1)]
        total = 0
        self.sums = [total := total + weight for weight in self.weights]

    def pages(self, number):
        chance = random.Random(number)
        return [[" ".join(chance.choices(self.words, cum_weights=self.sums, k=self.WORDS)) for _ in range(self.LINES)]
                for _ in range(self.PAGES)]

    def file(self, number):
        return book(self.pages(number))


# Texts of two languages

class Texts:
    """Texts of 150 words, by turns a line of English and one of Korean, in which a word is as often as in a language:
    that of rank n a n-th as often as the first. Korean nouns have particles or none."""

    LINES, WORDS = 16, 150
    PARTICLES = ["", "", "은", "는", "이", "가", "을", "를", "의", "에서"]

    def __init__(self):
        library = Library()
        self.english, self.sums = library.words, library.sums
        chance = random.Random(11)
        syllables = [chr(0xAC00 + (head * 21 + vowel) * 28 + tail) for head in (0, 2, 3, 5, 6, 7, 9, 11, 12, 14, 16, 17, 18)
                     for vowel in (0, 4, 5, 6, 8, 13, 18, 20) for tail in (0, 0, 1, 4, 8, 16, 21)]
        words = {}
        while len(words) < len(self.english):
            words["".join(chance.choices(syllables, k=chance.choice((2, 2, 3))))] = None
        self.korean = sorted(words, key=len)

    def write_words(self, path):
        """For texts.c, which makes them alike."""
        path.write_text("".join(f"{english} {korean}\n" for english, korean in zip(self.english, self.korean)))

    def text(self, number):
        chance = random.Random(number)
        half = self.WORDS // 2
        english = chance.choices(self.english, cum_weights=self.sums, k=half)
        korean = [word + chance.choice(self.PARTICLES)
                  for word in chance.choices(self.korean, cum_weights=self.sums, k=half)]
        lines = []
        for line in range(self.LINES // 2):
            share = slice(line * half * 2 // self.LINES, (line + 1) * half * 2 // self.LINES)
            lines += [" ".join(english[share]), " ".join(korean[share])]
        return "\n".join(lines)

    def title(self, number):
        """Three to six words of one language."""
        chance = random.Random(number)
        words = self.korean if number % 2 else self.english
        return " ".join(chance.choices(words, cum_weights=self.sums, k=chance.randrange(3, 7))).capitalize()


# A page without end

def hanging_pdf(name):
    """One page that poppler 22.12 draws for longer than any deadline: its cairo output divides a shading by a function
    of place into ever smaller patches, and does not come to an end of it when the shading is turned."""
    return pdf([
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Shading << /S1 5 0 R >> >> >>",
        stream(b"%% %s\nq 200 382 170 170 re W n /S1 sh Q" % name.encode()),
        b"<< /ShadingType 1 /ColorSpace /DeviceGray /Domain [0 1 0 1] /Matrix [85 85 -85 85 300 382] /Function 6 0 R >>",
        stream(b"{ pop }", b"/FunctionType 4 /Domain [0 1 0 1] /Range [0 1] "),
    ])


# Scans

DOTS = 300


def scan_pdf(pages):
    """A PDF of these pages, each one image: (what it says of its form, width, height, bytes)."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count %d /Kids [%s] >>" % (
            len(pages), b" ".join(b"%d 0 R" % (3 + 3 * page) for page in range(len(pages)))),
    ]
    for page, (form, width, height, bytes_) in enumerate(pages):
        points = (width * 72 / DOTS, height * 72 / DOTS)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %.2f %.2f] /Contents %d 0 R"
            b" /Resources << /XObject << /I1 %d 0 R >> >> >>" % (*points, 4 + 3 * page, 5 + 3 * page))
        objects.append(stream(b"%.2f 0 0 %.2f 0 0 cm /I1 Do" % points))
        objects.append(stream(
            bytes_, b"/Type /XObject /Subtype /Image /Width %d /Height %d %s " % (width, height, form)))
    return pdf(objects)


def drawn(file, count, folder, *form):
    """The first pages as pdftoppm makes them."""
    subprocess.run(["pdftoppm", "-r", str(DOTS), "-l", str(count), *form, file, folder / "page"], check=True)
    return sorted(folder.glob("page-*"))


def jpeg_scan(file, count):
    pages = []
    with tempfile.TemporaryDirectory() as folder:
        for picture in drawn(file, count, Path(folder), "-jpeg"):
            bytes_ = picture.read_bytes()
            form = b"/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode"
            pages.append((form, *jpeg_size(bytes_), bytes_))
    return scan_pdf(pages)


def jpeg_size(bytes_):
    place = 2
    while True:
        marker, length = struct.unpack_from(">HH", bytes_, place)
        if 0xFFC0 <= marker <= 0xFFC2:
            height, width = struct.unpack_from(">HH", bytes_, place + 5)
            return width, height
        place += 2 + length


def fax_scan(file, count):
    """In group 4, as faxes and many scanners write it."""
    pages = []
    with tempfile.TemporaryDirectory() as folder:
        for picture in drawn(file, count, Path(folder), "-mono", "-tiff"):
            fax = picture.with_suffix(".g4")
            # One strip, so that it is one image.
            subprocess.run(["tiffcp", "-c", "g4", "-r", "100000", picture, fax], check=True)
            width, height, is_black_zero, bytes_ = tiff_strip(fax.read_bytes())
            form = b"/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode" \
                b" /DecodeParms << /K -1 /Columns %d /Rows %d /BlackIs1 %s >>" % (
                    width, height, b"true" if is_black_zero else b"false")
            pages.append((form, width, height, bytes_))
    return scan_pdf(pages)


def tiff_strip(bytes_):
    """Width, height, whether 0 is black, and the only strip."""
    order = "<" if bytes_[:2] == b"II" else ">"
    place, = struct.unpack_from(order + "I", bytes_, 4)
    count, = struct.unpack_from(order + "H", bytes_, place)
    values = {}
    for number in range(count):
        tag, kind, _, value = struct.unpack_from(order + "HHII", bytes_, place + 2 + 12 * number)
        if kind == 3:
            value = struct.unpack_from(order + "H", bytes_, place + 2 + 12 * number + 8)[0]
        values[tag] = value
    return values[256], values[257], values.get(262) == 1, bytes_[values[273]:values[273] + values[279]]
