"""An object store on loopback that serves one object in ranges, as S3 does, and misbehaves on demand.

As a program it serves a file, as fast as it can or at a rate in bytes a second on each connection, and prints its address:

    python3 objectstore.py FILE [RATE]
"""

import collections
import hashlib
import http.server
import mmap
import re
import socket
import struct
import sys
import threading
import time

CHUNK = 256 << 10


class Store(http.server.ThreadingHTTPServer):
    """Serves data at every path."""

    daemon_threads = True

    def __init__(self, data, rate=None, etag=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.data, self.rate = memoryview(data), rate
        self.etag = etag or f'"{hashlib.sha256(data).hexdigest()[:32]}"'
        # What happens to the requests for more than one byte, in their order; then always what always says.
        self.faults, self.always = collections.deque(), None
        self.requests = []  # of each, method, path and headers
        self.first = None  # what is answered to the request for the first byte instead: status, headers and text
        self.moved = {}  # where paths redirect to
        self.url = f"http://127.0.0.1:{self.server_port}"

    def start(self):
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def stop(self):
        self.shutdown()
        self.server_close()

    def handle_error(self, request, client_address):
        """A client that hangs up is none."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *args):
        pass

    def do_GET(self):
        store = self.server
        store.requests.append((self.command, self.path, dict(self.headers)))
        start, end = (int(n) for n in re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers["Range"]).groups()) if "Range" in self.headers else (0, 0)
        size = len(store.data)
        if self.path in store.moved:
            return self.refuse(302, {"Location": store.moved[self.path]}, "Found")
        if "Range" not in self.headers:
            return self.send(200, store.data)
        if end == 0 and store.first:
            return self.refuse(*store.first)
        fault = None
        if end > 0:
            fault = store.faults.popleft() if store.faults else store.always
        if fault == "replaced":  # by somebody, just now
            store.etag = f'"{time.monotonic_ns()}"'
        if self.headers.get("If-Match", store.etag) != store.etag and fault != "unmatched":
            return self.refuse(412, {}, "PreconditionFailed")
        if start >= size:
            return self.refuse(416, {}, "InvalidRange")
        end = min(end, size - 1)
        content_range = {"Content-Range": f"bytes {start}-{end}/{size}"}
        if fault in (None, "replaced"):
            self.send(206, store.data[start : end + 1], content_range)
        elif fault == "unmatched":  # a store that does not know If-Match
            store.etag = f'"{time.monotonic_ns()}"'
            self.send(206, store.data[start : end + 1], content_range)
        elif fault == "resized":
            self.send(206, store.data[start : end + 1], {"Content-Range": f"bytes {start}-{end}/{size + 1}"})
        elif fault == "whole":
            self.send(200, store.data)
        elif fault == "cut":
            self.send(206, store.data[start : end + 1], content_range, half=True)
        elif fault == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
        elif fault == "silent":
            time.sleep(1.0)
            self.close_connection = True
        elif fault == "flipped":
            self.send(206, bytes(b ^ 1 for b in store.data[start : end + 1]), content_range)
        else:
            self.refuse(int(fault), {}, "Fault")

    def send(self, status, data, headers={}, half=False):
        """Sends data, or half of it and then hangs up."""
        self.send_response(status)
        for name, value in {"ETag": self.server.etag, "Content-Length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if half:
            data, self.close_connection = data[: len(data) // 2], True
        began, rate = time.monotonic(), self.server.rate
        for at in range(0, len(data), CHUNK):
            self.wfile.write(data[at : at + CHUNK])
            if rate:
                time.sleep(max(0, began + (at + CHUNK) / rate - time.monotonic()))

    def refuse(self, status, headers, code):
        # What S3 says of a signature that does not match holds the text that was signed, and who signed it.
        text = f"<Error><Code>{code}</Code><AWSAccessKeyId>{self.headers.get('Authorization', '')}</AWSAccessKeyId></Error>".encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(text)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)


def main(path, rate=None):
    with open(path, "rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    store = Store(data, rate and float(rate), '"file"')
    print(store.url, flush=True)
    store.serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
