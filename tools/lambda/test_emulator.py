"""Starts the function of examples/serverless under AWS's own emulator of Lambda, with 1 GiB of weights from an object store
on loopback, and with what can go wrong with them. The emulator is the first argument, and Linux is needed.

It prints how long the first byte took and how much memory was resident. Both depend on the machine, and no limit on the
time is asserted.
"""

import hashlib
import json
import mmap
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLE = os.path.join(HERE, "..", "..", "examples", "serverless")
sys.path.insert(0, os.path.join(EXAMPLE, "tests"))

import objectstore

EMULATOR = os.path.abspath(sys.argv.pop(1))
GIB = 1 << 30
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "the-id", "AWS_SECRET_ACCESS_KEY": "the-secret", "AWS_SESSION_TOKEN": "the-token"}


def write_model(path):
    """Writes 1 GiB that begins as a safetensors file does, and returns its SHA-256."""
    header = json.dumps({"w": {"dtype": "U8", "shape": [GIB], "data_offsets": [0, GIB]}}).encode()
    block, digest = random.Random(2).randbytes(16 << 20), hashlib.sha256()
    with open(path, "wb") as file:
        for i in range(64):
            start = len(header).to_bytes(8, "little") + header if i == 0 else i.to_bytes(8, "little")
            piece = start + block[len(start) :]
            file.write(piece)
            digest.update(piece)
    return digest.hexdigest()


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Weights(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.sha256 = write_model(os.path.join(cls.folder, "model"))
        cls.file = open(os.path.join(cls.folder, "model"), "rb")
        cls.addClassCleanup(cls.file.close)
        cls.data = mmap.mmap(cls.file.fileno(), 0, access=mmap.ACCESS_READ)

    def setUp(self):
        self.store = objectstore.Store(self.data, etag='"model"').start()
        self.addCleanup(self.store.stop)
        self.tmp = tempfile.mkdtemp(dir=self.folder)
        self.addCleanup(shutil.rmtree, self.tmp)

    def call(self, event, inside=(), **environ):
        """Starts the function, calls it, and returns its answer. Nothing it says or logs holds a credential."""
        address = f"127.0.0.1:{free_port()}"
        command = [EMULATOR, "--runtime-interface-emulator-address", address, "--runtime-api-address", f"127.0.0.1:{free_port()}",
                   sys.executable, os.path.join(HERE, "runtime.py"), "measured.handle"]
        variables = {
            "PATH": os.environ["PATH"], "PYTHONPATH": f"{EXAMPLE}:{HERE}", "PYTHONDONTWRITEBYTECODE": "1", "AWS_REGION": "eu-west-1",
            "GPUYARD_WEIGHTS_SOURCE": "s3://models/model.safetensors", "GPUYARD_WEIGHTS_PATH": self.tmp + "/weights", "GPUYARD_WEIGHTS_SHA256": self.sha256,
            "GPUYARD_WEIGHTS_SIZE": str(GIB), "GPUYARD_WEIGHTS_MEMORY_MAP": "true", "AWS_ENDPOINT_URL_S3": self.store.url, **CREDENTIALS, **environ,
        }
        with tempfile.TemporaryFile("w+") as log:
            process = subprocess.Popen([*inside, *command], env=variables, stdout=log, stderr=log, cwd=self.tmp)
            try:
                answer = self.post(f"http://{address}/2015-03-31/functions/function/invocations", event)
            finally:
                process.terminate()
                process.wait()
            log.seek(0)
            said = log.read() + str(answer)
        for secret in CREDENTIALS.values():
            self.assertNotIn(secret, said)
        return answer

    def post(self, url, event):
        """Sends an event as soon as somebody listens."""
        while True:
            try:
                with urllib.request.urlopen(url, json.dumps(event).encode(), timeout=120) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                return json.loads(error.read())
            except urllib.error.URLError as error:
                if not isinstance(error.reason, ConnectionRefusedError):
                    raise
                time.sleep(0.05)

    def test_are_mapped(self):
        got = self.call({"Records": [{"messageId": "1", "body": '{"prefix": "w"}'}, {"messageId": "2", "body": "no JSON"}]})
        self.assertEqual(got["answer"], {"batchItemFailures": [{"itemIdentifier": "2"}]}, got)
        self.assertEqual(got["bytes"], GIB)
        print(f"\n1 GiB of weights: first byte mapped after {got['seconds']:.2f} s, {got['peak'] >> 20} MiB resident at most "
              f"({got['peak'] / GIB:.1%}), {got['resident'] >> 20} MiB in a call ({got['resident'] / GIB:.1%})")
        self.assertLess(got["peak"], 0.15 * GIB)

    def test_that_are_others_are_refused(self):
        got = self.call({}, GPUYARD_WEIGHTS_SHA256="0" * 64)
        self.assertEqual(got["errorType"], "WrongHash", got)
        self.assertIn(self.sha256, got["errorMessage"])
        self.assertEqual(os.listdir(self.tmp), ["weights.lock"])

    def test_that_end_early_are_refused(self):
        self.store.always = "cut"
        self.assertEqual(self.call({})["errorType"], "Truncated")
        self.assertEqual(os.listdir(self.tmp), ["weights.lock"])

    def test_that_do_not_fit_are_refused(self):
        full = ["unshare", "--mount", "sh", "-c", f'mount -t tmpfs -o size=512m tmpfs {self.tmp} && exec "$@"', "sh"]
        if subprocess.run([*full, "true"], stderr=subprocess.DEVNULL).returncode:
            # Mounting takes root. Without it a limit on the size of files stands for a file system that gets full.
            full = ["sh", "-c", 'ulimit -f 1000000 && exec "$@"', "sh"]
        got = self.call({}, full)
        self.assertEqual(got["errorType"], "NoSpace", got)
        print("\n" + got["errorMessage"])


if __name__ == "__main__":
    unittest.main()
