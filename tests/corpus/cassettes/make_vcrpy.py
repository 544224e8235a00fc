"""Makes the cassettes vcrpy.yaml and vcrpy_httpx.yaml beside this file.

They were recorded by vcrpy 4.2.1 (the Debian package python3-vcr) with requests 2.28, httpx 0.23 and
PyYAML 6.0, against the server below on loopback:

    apt-get install python3-vcr python3-requests python3-httpx
    /usr/bin/python3 tests/corpus/cassettes/make_vcrpy.py

The only change that this file makes to a recording is the host, because the port differs each time.
"""

import gzip
import http.server
import json
import os
import threading

import httpx
import requests
import vcr

FOLDER = os.path.dirname(os.path.abspath(__file__))
COVER = bytes(range(256))


class Library(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    jobs = 0

    def log_message(self, *args):
        pass

    def version_string(self):
        return "library"

    def date_time_string(self, timestamp=None):
        return "Sun, 22 Nov 2026 12:00:00 GMT"

    def answer(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def answer_json(self, value, status=200, headers=()):
        body = json.dumps(value).encode()
        self.answer(status, body, [("Content-Type", "application/json"), *headers])

    def do_GET(self):
        if self.path.startswith("/books?"):
            links = [("Link", '</books?page=2>; rel="next"'), ("Link", '</books?page=9>; rel="last"')]
            cookies = [("Set-Cookie", "sid=s-4711; Path=/; HttpOnly"), ("Set-Cookie", "theme=dark")]
            note = "Ä long note: " + "it is folded over several lines of the document, " * 4 + "😀\n\tend"
            self.answer_json([{"id": 7, "title": "Indigo", "note": note}], headers=[*links, *cookies])
        elif self.path == "/cover.png":
            self.answer(200, COVER, [("Content-Type", "image/png")])
        elif self.path == "/zipped":
            body = gzip.compress(b'{"zipped": true}', mtime=0)
            coding = [("Content-Type", "application/json"), ("Content-Encoding", "gzip")]
            self.answer(200, body, coding)
        elif self.path == "/number":
            self.answer(200, b"1e3", [("Content-Type", "text/plain")])
        elif self.path == "/null":
            self.answer(200, b"null", [("Content-Type", "application/json")])
        elif self.path == "/old":
            self.answer(302, headers=[("Location", "/number")])
        elif self.path == "/jobs/1":
            Library.jobs += 1
            done = Library.jobs > 1
            self.answer_json({"state": "done" if done else "busy"}, 200 if done else 503)
        else:
            self.answer(404, "<p>no such page: Größe</p>".encode(), [("Content-Type", "text/html")])

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.answer_json({"id": 8, "access_token": "token-8c4d-5e0a"}, 201)

    do_PUT = do_POST

    def do_DELETE(self):
        self.answer(204)


def with_host(host):
    def change(request):
        request.uri = request.uri.replace(host, "library.example.com")
        if "host" in request.headers:
            request.headers["host"] = "library.example.com"
        return request

    return change


def record(name, send, **options):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Library)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    host = "127.0.0.1:%d" % server.server_port
    path = os.path.join(FOLDER, name)
    if os.path.exists(path):
        os.remove(path)
    recorder = vcr.VCR(record_mode="all", before_record_request=with_host(host), **options)
    Library.jobs = 0
    with recorder.use_cassette(path):
        send("http://" + host)
    server.shutdown()


def by_requests(url):
    with requests.Session() as session:
        session.headers["User-Agent"] = "library-sdk/1.0"
        session.get(url + "/books?page=1", headers={"Authorization": "Bearer token-1a2b-3c4d"})
        session.post(url + "/books", json={"title": "Grün", "tags": ["a", "b"]})
        session.post(url + "/login", data={"user": "ada", "password": "hopper 1906"})
        session.put(url + "/cover.png", data=COVER)
        session.get(url + "/cover.png")
        session.get(url + "/zipped")
        session.get(url + "/number")
        session.get(url + "/null")
        session.get(url + "/old")
        session.get(url + "/jobs/1")
        session.get(url + "/jobs/1")
        session.get(url + "/missing")
        session.delete(url + "/books/7")


def by_httpx(url):
    with httpx.Client() as client:
        client.get(url + "/books?page=1", headers={"User-Agent": "library-sdk/1.0"})
        client.post(url + "/books", json={"title": "Grün"}, headers={"User-Agent": "library-sdk/1.0"})


record("vcrpy.yaml", by_requests)
record("vcrpy_httpx.yaml", by_httpx)
