"""Remote services for the bench, on this machine: feeds, a catalogue of books, a body without end.

One thread, no library: what is measured is who asks. `python3 services.py` prints its port and serves until it is killed.
"""

import asyncio
import json
import re
from urllib.parse import parse_qs, urlsplit

FEED_ENTRIES = 20
GROWTH = 1_000
WORDS = "river letter garden train weather window market supper morning neighbour".split()
# In one entry of five hundred.
RARE = "lighthouse"


def sentence(number, length):
    return " ".join(WORDS[(number * 7 + place * 3) % len(WORDS)] for place in range(length))


def item(name, number):
    rare = f" {RARE}" if number % 500 == 0 else ""
    text = f"<p>{sentence(number, 60)}{rare}.</p><p>{sentence(number + 1, 40)} &amp; so on.</p>"
    return (
        f"<item><title>Post {number}: {sentence(number, 4)}</title><link>http://example.org/{name}/{number}</link>"
        f"<guid isPermaLink=\"false\">{name}-{number}</guid>"
        f"<pubDate>Mon, {1 + number % 28:02} Jan 2024 {number % 24:02}:{number % 60:02}:00 GMT</pubDate>"
        f"<description><![CDATA[{text}]]></description></item>")


def feed(name, numbers):
    items = "".join(item(name, number) for number in numbers)
    return (
        f"<?xml version=\"1.0\" encoding=\"utf-8\"?><rss version=\"2.0\"><channel><title>Feed {name}</title>"
        f"<link>http://example.org/{name}</link><description>Of the bench.</description>{items}</channel></rss>").encode()


def news_page(number):
    """A page with menus, cards and scripts around an article of sixty paragraphs, as news have them."""
    menu = "".join(f"<li class=\"menu-item\"><a href=\"/t/{n}\">{sentence(n, 3)}</a></li>" for n in range(300))
    card = "".join(
        f"<div class=\"card teaser\"><a href=\"/c/{n}\"><img src=\"/{n}.jpg\" alt=\"\"><h4>{sentence(n, 9)}</h4></a></div>"
        for n in range(300))
    text = "".join(f"<p>{sentence(number + n, 60)}, and more. <a href=\"/l/{n}\">{sentence(n, 2)}</a></p>" +
                   ("<div class=\"ad\">Advertisement</div>" if n % 5 == 0 else "") for n in range(60))
    script = "<script>" + "var x = {a: [1, 2, 3]};" * 2_000 + "</script>"
    return (
        f"<html><head><title>{sentence(number, 5)} - News</title>{script}</head><body><ul class=\"menu\">{menu}</ul>"
        f"<div class=\"story-body\"><h1>{sentence(number, 5)}</h1>{text}</div><div class=\"related\">{card}</div>{script}"
        "</body></html>")


def books(query, offset, limit):
    docs = [{
        "key": f"/works/OL{1 + offset + n}W", "title": f"{query} {sentence(offset + n, 3)}",
        "author_name": [f"Author {n}", "Another One"], "author_key": [f"OL{n}A", "OL9A"], "first_publish_year": 1900 + n,
        "cover_i": 1000 + n, "edition_count": n + 1, "language": ["eng", "kor"],
        "isbn": [isbn13(offset * 100 + n)],
    } for n in range(limit)]
    total = 400
    return json.dumps({"numFound": total, "num_found": total, "start": offset, "numFoundExact": True, "docs": docs}).encode()


def isbn13(number):
    digits = f"978{number:09d}"
    check = -sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits)) % 10
    return f"{digits}{check}"


class Services(asyncio.Protocol):
    feeds = {}
    grown = 0
    # Requests that are being answered, the most there were at once, and all.
    now, most, total = 0, 0, 0

    def connection_made(self, transport):
        self.transport, self.bytes = transport, b""
        type(self).now += 1
        type(self).most = max(self.most, self.now)

    def connection_lost(self, _):
        type(self).now -= 1

    def data_received(self, data):
        self.bytes += data
        while b"\r\n\r\n" in self.bytes:
            head, _, self.bytes = self.bytes.partition(b"\r\n\r\n")
            type(self).total += 1
            self.answer(head.decode("latin-1"))

    def answer(self, head):
        url = urlsplit(head.split(" ", 2)[1])
        wanted = re.search(r"(?im)^if-none-match: *(.*?)\r?$", head)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        if url.path.startswith("/feeds/"):
            self.send_feed(url.path[7:-4], wanted.group(1) if wanted else None)
        elif url.path == "/growing.xml":
            kind = type(self)
            first, kind.grown = kind.grown, kind.grown + GROWTH
            self.send(feed("growing", range(first, first + GROWTH)), "application/rss+xml", f'"{kind.grown}"')
        elif url.path == "/search.json":
            limit, page = int(query.get("limit", 20)), int(query.get("page", 1))
            offset = int(query.get("offset", (page - 1) * limit))
            self.send(books(query.get("q") or query.get("title", ""), offset, limit), "application/json")
        elif url.path == "/count":
            self.send(json.dumps({"most": self.most, "total": self.total}).encode(), "application/json")
        elif url.path == "/reset":
            type(self).most, type(self).total = self.now, 0
            self.send(b"{}", "application/json")
        elif url.path == "/endless.xml":
            self.send_endless()
        else:
            self.transport.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")

    def send_feed(self, name, known):
        tag = f'"{name}-1"'
        if known == tag:
            self.transport.write(f"HTTP/1.1 304 Not Modified\r\nETag: {tag}\r\n\r\n".encode())
            return
        if name not in self.feeds:
            self.feeds[name] = feed(name, range(FEED_ENTRIES))
        self.send(self.feeds[name], "application/rss+xml", tag)

    def send(self, body, kind, tag=None):
        head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        if tag:
            head += f"ETag: {tag}\r\n"
        self.transport.write(head.encode() + b"\r\n" + body)

    def send_endless(self):
        """1 GiB in chunks, as long as it is read."""
        self.transport.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\nTransfer-Encoding: chunked\r\n\r\n")
        start = b"<rss version=\"2.0\"><channel><title>"
        self.transport.write(b"%x\r\n%s\r\n" % (len(start), start))
        self.left = 1 << 30
        self.pump()

    def pump(self):
        chunk = b"x" * (64 << 10)
        while self.left > 0 and not self.transport.is_closing():
            if self.transport.get_write_buffer_size() > 1 << 20:
                asyncio.get_running_loop().call_later(0.001, self.pump)
                return
            self.transport.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
            self.left -= len(chunk)
        if self.left <= 0:
            self.transport.write(b"0\r\n\r\n")


async def main():
    server = await asyncio.get_running_loop().create_server(Services, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
