"""Model weights of a function or a job: fetched in parallel ranges when it starts, checked, and mapped into memory.

Call load() once, outside the handler. It finds what to do in the environment:

    GPUYARD_WEIGHTS_SOURCE      s3://BUCKET/KEY, or an https:// address that needs no signature;
                                not set: the file is there already, on a file system that is mounted
    GPUYARD_WEIGHTS_PATH        the file to put them at
    GPUYARD_WEIGHTS_SHA256      their SHA-256 in hexadecimal digits; not set: nobody knows it
    GPUYARD_WEIGHTS_SIZE        their size in bytes, rounded up to MiB; not set: nobody knows it
    GPUYARD_WEIGHTS_MEMORY_MAP  "false": read the file into memory instead of mapping it

Requests to S3 are signed with the credentials and the Region that Lambda puts into the environment. What goes wrong is a
WeightsError, whose text names the object and never a credential. Nothing but Python's standard library is needed.
"""

import concurrent.futures
import contextlib
import dataclasses
import errno
import fcntl
import hashlib
import http.client
import mmap
import os
import random
import re
import ssl
import threading
import time
import urllib.parse

import sigv4

MIB = 1 << 20


@dataclasses.dataclass(frozen=True)
class Pace:
    """How hard a source is asked.

    A connection to S3 carries 85 to 90 MB/s, and ranges of 8 to 16 MiB are what it is best asked for.
    Source: Amazon S3 User Guide, "Performance design patterns for Amazon S3".
    """

    connections: int = 8
    part: int = 16 * MIB  # bytes of one request
    tries: int = 5  # of one part
    pause: float = 0.2  # seconds before the second try at most; it doubles from try to try
    longest_pause: float = 5.0
    timeout: float = 10.0  # seconds that a connection may be silent


class WeightsError(Exception):
    """Says why there are no weights."""


class Refused(WeightsError):
    """The source does not give the object, or it is not the one that was described."""


class RangesIgnored(WeightsError):
    """The source sends the whole object where a part was asked for."""


class Changed(WeightsError):
    """Somebody replaced the object while it was fetched."""


class Truncated(WeightsError):
    """Connections end before all bytes are there."""


class Unavailable(WeightsError):
    """The source cannot be reached, is silent, or asks to come back later."""


class WrongHash(WeightsError):
    """What was fetched is not what was described."""


class NoSpace(WeightsError):
    """The file system has no room for the weights."""


def load(environ=os.environ, pace=Pace()):
    """Returns the weights, read-only: a memory map, or bytes where the environment says not to map."""
    path = environ.get("GPUYARD_WEIGHTS_PATH")
    if not path:
        raise WeightsError("GPUYARD_WEIGHTS_PATH is not set: nobody said where the weights are to be")
    if environ.get("GPUYARD_WEIGHTS_SOURCE"):
        fetch(path, environ, pace)
    with open(path, "rb") as file:
        if environ.get("GPUYARD_WEIGHTS_MEMORY_MAP") == "false":
            return file.read()
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def fetch(path, environ, pace):
    """Puts the weights at path, unless they are there since an earlier start.

    They get their name when they are complete and checked. PATH.lock says what is at path, and keeps two that share a
    file system from fetching at once.
    """
    sha256 = environ.get("GPUYARD_WEIGHTS_SHA256", "").lower()
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with contextlib.closing(Source(environ, pace)) as source, locked(path + ".lock") as record:
        again(source.find, pace, threading.Event())
        most = int(environ.get("GPUYARD_WEIGHTS_SIZE") or source.size)
        if source.size > most:
            raise Refused(f"{source} has {source.size} bytes, and {most} were announced: correct weights.size, so that it is judged again")
        wanted = f"{source.etag} {source.size} {sha256}"
        if record.read() == wanted and os.path.exists(path):
            return
        record.truncate(0)
        download(source, path, sha256, pace)
        record.write(wanted)


@contextlib.contextmanager
def locked(path):
    """Opens a file that one process at a time can hold."""
    with open(path, "a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        yield file


def download(source, path, sha256, pace):
    """Fetches an object in parallel, checks it, and gives it its name."""
    part = path + ".part"
    with contextlib.suppress(FileNotFoundError):
        os.unlink(part)  # of a start that was cut off
    need_room(source, path)
    fd = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644)
    try:
        with telling_full(source):
            allocate(fd, source.size)
        digest = copy_all(source, fd, pace)
        if sha256 and digest != sha256:
            raise WrongHash(f"{source} has the SHA-256 {digest}, and {sha256} is wanted")
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise
    finally:
        os.close(fd)


def need_room(source, path):
    """Refuses what cannot fit before a byte is fetched."""
    fs = os.statvfs(os.path.dirname(path))
    free = fs.f_bavail * fs.f_frsize
    if free < source.size:
        raise NoSpace(f"{source} has {source.size} bytes, and {os.path.dirname(path)} has {free} left: give the function more ephemeral_storage")


@contextlib.contextmanager
def telling_full(source):
    """Turns what the kernel says of a full file system into what it means here."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise
        raise NoSpace(f"{source} has {source.size} bytes, and the file system has no room for them: {os.strerror(error.errno)}") from error


def allocate(fd, size):
    """Takes the room for a whole file, so that another's bytes cannot take it meanwhile. macOS only sets the size."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(fd, 0, size)
    else:
        os.truncate(fd, size)


def copy_all(source, fd, pace):
    """Fetches all parts, and hashes them in their order as they come. Returns the SHA-256."""
    digest = hashlib.sha256()
    stop = threading.Event()
    spans = [(start, min(start + pace.part, source.size)) for start in range(0, source.size, pace.part)]
    with concurrent.futures.ThreadPoolExecutor(pace.connections) as pool:
        parts = [pool.submit(copy_part, source, fd, start, end, pace, stop) for start, end in spans]
        try:
            for (start, end), part in zip(spans, parts):
                part.result()
                for at in range(start, end, MIB):
                    digest.update(os.pread(fd, min(MIB, end - at), at))
        finally:
            stop.set()
    return digest.hexdigest()


def copy_part(source, fd, start, end, pace, stop):
    """Writes the bytes from start up to end. A try goes on where the one before it ended."""

    def copy():
        nonlocal start
        for chunk in source.read(start, end):
            with telling_full(source):
                start += os.pwrite(fd, chunk, start)
            if stop.is_set():
                return

    try:
        again(copy, pace, stop)
    except BaseException:
        stop.set()  # all of it is in vain
        raise


def again(do, pace, stop):
    """Calls do until it no longer fails for a passing reason, after pauses that grow and differ from part to part."""
    for attempt in range(1, pace.tries + 1):
        if stop.is_set():
            return
        try:
            return do()
        except (Truncated, Unavailable):
            if attempt == pace.tries:
                raise
        stop.wait(random.uniform(0, min(pace.longest_pause, pace.pause * 2 ** (attempt - 1))))


class Source:
    """An object that is read in ranges, on a connection of each thread."""

    def __init__(self, environ, pace):
        self.timeout = pace.timeout
        self.size, self.etag = 0, ""
        self.connections, self.threads = [], threading.local()
        self.tls = ssl.create_default_context()
        address = environ["GPUYARD_WEIGHTS_SOURCE"]
        url = urllib.parse.urlsplit(address)
        self.name = f"{url.scheme}://{url.hostname}{url.path}"  # not the query, which may be a signature
        if url.scheme == "s3":
            self.name, self.signer = address, sigv4.Signer(environ)
            bucket, _, key = address[len("s3://") :].partition("/")
            self.object = bucket, urllib.parse.quote(key, safe="/-_.~")
            self.turn(self.signer.address(*self.object))
        elif url.scheme in ("http", "https") and not url.username:
            self.signer = None
            self.turn(address)
        else:
            raise Refused("GPUYARD_WEIGHTS_SOURCE is no address s3://BUCKET/KEY, and none https://HOST/PATH without a user")

    def __str__(self):
        return self.name

    def turn(self, address):
        """Makes address the one that is asked from now on."""
        self.close()
        self.url = urllib.parse.urlsplit(address)

    def close(self):
        """Closes all connections."""
        for connection in self.connections:
            connection.close()
        self.connections, self.threads = [], threading.local()

    def find(self):
        """Learns where the object is, its size and its version, by asking for its first byte."""
        for _ in range(5):
            answer = self.ask(0, 1)
            moved = self.elsewhere(answer)
            if not moved:
                break
            self.turn(moved)
        self.check(answer)
        total = re.fullmatch(r"bytes 0-0/(\d+)", answer.headers.get("Content-Range", ""))
        if not total:
            raise RangesIgnored(f"{self} does not say how large it is")
        self.size, self.etag = int(total[1]), answer.headers.get("ETag", "")
        answer.read()

    def elsewhere(self, answer):
        """The address that an answer sends to, or None. A signature is only shown to S3."""
        if self.signer:
            region = answer.headers.get("x-amz-bucket-region")
            if answer.status in (301, 307, 400) and region and region != self.signer.region:
                self.signer.region = region
                return self.signer.address(*self.object)
        elif answer.status in (301, 302, 303, 307, 308):
            return urllib.parse.urljoin(self.url.geturl(), answer.headers.get("Location", ""))
        return None

    def read(self, start, end):
        """Yields the bytes from start up to end, in views of one buffer."""
        answer = self.ask(start, end)
        self.check(answer)
        if answer.headers.get("Content-Range") != f"bytes {start}-{end - 1}/{self.size}":
            raise Changed(f"{self} has another size than when its first byte was read")
        view = memoryview(bytearray(min(MIB, end - start)))
        while start < end:
            with self.telling():
                n = answer.readinto(view[: end - start])
            if n == 0:
                self.forget()
                raise Truncated(f"{self}: a connection ended {end - start} bytes before the end of a part")
            yield view[:n]
            start += n

    def ask(self, start, end):
        """Sends a request for the bytes from start up to end."""
        headers = {"Host": self.url.netloc, "Range": f"bytes={start}-{end - 1}"}
        if self.etag.startswith('"'):
            headers["If-Match"] = self.etag
        target = self.url.path or "/"
        if self.signer:
            headers = self.signer.sign("GET", target, headers)
        elif self.url.query:
            target += "?" + self.url.query
        with self.telling():
            connection = self.connection()
            connection.request("GET", target, headers=headers)
            return connection.getresponse()

    def connection(self):
        """This thread's connection."""
        if not hasattr(self.threads, "connection"):
            if self.url.scheme == "https":
                made = http.client.HTTPSConnection(self.url.netloc, timeout=self.timeout, context=self.tls)
            else:
                made = http.client.HTTPConnection(self.url.netloc, timeout=self.timeout)
            self.connections.append(made)
            self.threads.connection = made
        return self.threads.connection

    def forget(self):
        """Closes this thread's connection, in whose middle something went wrong. It opens again by itself."""
        self.connection().close()

    @contextlib.contextmanager
    def telling(self):
        """Turns what a connection can meet into Unavailable."""
        try:
            yield
        except (OSError, http.client.HTTPException) as error:
            self.forget()
            raise Unavailable(f"{self}: {type(error).__name__} at {self.url.hostname}") from error

    def check(self, answer):
        """Raises what an answer means that does not bring the part that was asked for."""
        if answer.status == 206:
            if self.etag and answer.headers.get("ETag", "") != self.etag:
                self.forget()
                raise Changed(f"{self} was replaced while it was fetched")
            return
        with self.telling():
            text = answer.read(4096).decode("utf-8", "replace")
        self.forget()
        code = re.search(r"<Code>(\w+)</Code>", text)
        says = f"{self}: {self.url.hostname} answers {answer.status} {code[1] if code else answer.reason}"
        if answer.status == 200:
            raise RangesIgnored(f"{self}: {self.url.hostname} sends the whole object where a part was asked for")
        if answer.status == 412:
            raise Changed(f"{self} was replaced while it was fetched")
        if answer.status == 416:
            raise Refused(f"{self} is empty")
        if answer.status in (408, 429, 500, 502, 503, 504):
            raise Unavailable(says)
        raise Refused(says)
