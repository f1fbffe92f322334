import hashlib
import mmap
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import objectstore
import sigv4
import weights

DATA = random.Random(1).randbytes(1 << 20) + b"end"
SHA256 = hashlib.sha256(DATA).hexdigest()
QUICK = weights.Pace(connections=4, part=64 << 10, tries=3, pause=0.001, longest_pause=0.002)
IMPATIENT = {"silent": {"timeout": 0.5}}  # with what a fault is waited for
# Words of nobody's credentials, by which it is seen whether one gets out.
SECRETS = {"AWS_ACCESS_KEY_ID": "the-id", "AWS_SECRET_ACCESS_KEY": "the-secret", "AWS_SESSION_TOKEN": "the-token"}


class Fetching(unittest.TestCase):
    """Each test has a store with DATA, an environment that names it, and a folder."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(subprocess.run, ["rm", "-rf", self.folder], check=True)
        self.path = os.path.join(self.folder, "weights")
        self.serve(DATA)
        self.environ = {
            "GPUYARD_WEIGHTS_SOURCE": "s3://models/dir/my model.bin", "GPUYARD_WEIGHTS_PATH": self.path, "GPUYARD_WEIGHTS_SHA256": SHA256,
            "AWS_ENDPOINT_URL_S3": self.store.url, "AWS_REGION": "eu-west-1", **SECRETS,
        }

    def serve(self, data):
        self.store = objectstore.Store(data).start()
        self.addCleanup(self.store.stop)

    def load(self, **pace):
        return weights.load(self.environ, weights.dataclasses.replace(QUICK, **pace))

    def fails(self, kind, *words, **pace):
        """Loads, which fails and leaves nothing behind that looks like weights, nor says a credential."""
        with self.assertRaises(kind) as caught:
            self.load(**pace)
        text = str(caught.exception)
        for word in words:
            self.assertIn(word, text)
        for secret in SECRETS.values():
            self.assertNotIn(secret, text)
        self.assertEqual([f for f in os.listdir(self.folder) if not f.endswith(".lock")], [])
        return text


class What(Fetching):
    def test_is_mapped_and_cannot_be_written(self):
        got = self.load()
        self.assertIsInstance(got, mmap.mmap)
        self.assertEqual(got[:], DATA)
        with self.assertRaises(TypeError):
            got[0] = 1
        ranges = {headers["Range"] for _, _, headers in self.store.requests}
        self.assertEqual(len(ranges), 1 + 17)  # the first byte, then 16 parts of 64 KiB and a rest

    def test_is_read_where_it_is_not_to_be_mapped(self):
        self.environ["GPUYARD_WEIGHTS_MEMORY_MAP"] = "false"
        self.assertEqual(self.load(), DATA)

    def test_may_be_smaller_than_a_part(self):
        self.assertEqual(self.load(part=1 << 30)[:], DATA)

    def test_may_have_no_hash(self):
        del self.environ["GPUYARD_WEIGHTS_SHA256"]
        self.assertEqual(self.load()[:], DATA)

    def test_may_be_a_file_of_a_mounted_file_system(self):
        del self.environ["GPUYARD_WEIGHTS_SOURCE"]
        with open(self.path, "wb") as file:
            file.write(b"here")
        self.assertEqual(self.load()[:], b"here")
        self.assertEqual(self.store.requests, [])

    def test_may_be_at_an_address_that_redirects(self):
        self.environ["GPUYARD_WEIGHTS_SOURCE"] = self.store.url + "/from?signature=the-secret"
        self.store.moved["/from?signature=the-secret"] = "/to?signature=the-secret"
        self.assertEqual(self.load()[:], DATA)
        self.assertEqual({path for _, path, _ in self.store.requests[1:]}, {"/to?signature=the-secret"})
        self.assertTrue(all("Authorization" not in headers for _, _, headers in self.store.requests))

    def test_is_not_fetched_again(self):
        self.load()
        self.store.requests.clear()
        self.assertEqual(self.load()[:], DATA)
        self.assertEqual(len(self.store.requests), 1)

    def test_is_fetched_again_when_the_object_is_another(self):
        self.load()
        self.serve(b"other" * 1000)
        self.environ.update(AWS_ENDPOINT_URL_S3=self.store.url, GPUYARD_WEIGHTS_SHA256="")
        self.assertEqual(self.load()[:], b"other" * 1000)

    def test_is_fetched_once_by_two_at_a_time(self):
        threads = [threading.Thread(target=self.load) for _ in range(3)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        parts = [headers["Range"] for _, _, headers in self.store.requests if headers["Range"] != "bytes=0-0"]
        self.assertEqual(len(parts), len(set(parts)))

    def test_replaces_what_an_earlier_start_left(self):
        with open(self.path + ".part", "wb") as file:
            file.write(b"x" * (2 << 20))
        self.assertEqual(self.load()[:], DATA)
        self.assertFalse(os.path.exists(self.path + ".part"))


class Trouble(Fetching):
    def test_that_passes_is_overcome(self):
        for fault in ("cut", "reset", "silent", "503", "500", "429"):
            with self.subTest(fault):
                self.store.faults.extend([fault] * 2 + [None] * 3 + [fault])
                self.environ["GPUYARD_WEIGHTS_PATH"] = f"{self.path}-{fault}"
                self.assertEqual(self.load(**IMPATIENT.get(fault, {}))[:], DATA)
                self.assertFalse(self.store.faults)

    def test_goes_on_where_a_connection_ended(self):
        self.store.faults.append("cut")
        self.load(connections=1, part=1 << 30)
        self.assertEqual([h["Range"].partition("-")[0] for _, _, h in self.store.requests], ["bytes=0", "bytes=0", f"bytes={len(DATA) // 2}"])

    def test_that_stays_ends_after_some_tries(self):
        for fault, kind, word in (
            ("cut", weights.Truncated, "before the end of a part"), ("reset", weights.Unavailable, "127.0.0.1"),
            ("silent", weights.Unavailable, "imeout"), ("503", weights.Unavailable, "503 Fault"),
        ):
            with self.subTest(fault):
                self.store.always = fault
                self.store.requests.clear()
                self.fails(kind, "s3://models/dir/my model.bin", word, connections=1, part=1 << 30, **IMPATIENT.get(fault, {}))
                self.assertEqual(len(self.store.requests), 1 + QUICK.tries)

    def test_is_told_of_at_once_where_trying_again_is_of_no_use(self):
        for fault, kind, words in (
            ("whole", weights.RangesIgnored, ["sends the whole object"]), ("replaced", weights.Changed, ["was replaced"]),
            ("unmatched", weights.Changed, ["was replaced"]), ("resized", weights.Changed, ["another size"]),
            ("403", weights.Refused, ["403 Fault"]), ("404", weights.Refused, ["404 Fault"]),
        ):
            with self.subTest(fault):
                self.store.faults.extend([None] * 2 + [fault])
                self.store.requests.clear()
                self.fails(kind, *words, connections=1)
                self.assertEqual(len(self.store.requests), 1 + 3)

    def test_with_the_first_byte(self):
        for first, kind, word in (
            ((403, {}, "AccessDenied"), weights.Refused, "403 AccessDenied"), ((404, {}, "NoSuchKey"), weights.Refused, "404 NoSuchKey"),
            ((416, {}, "InvalidRange"), weights.Refused, "is empty"), ((200, {}, ""), weights.RangesIgnored, "whole object"),
            ((206, {}, ""), weights.RangesIgnored, "how large it is"), ((503, {}, "SlowDown"), weights.Unavailable, "503 SlowDown"),
        ):
            with self.subTest(first):
                self.store.first = first
                self.fails(kind, word)

    def test_with_a_wrong_byte(self):
        self.store.faults.extend([None] * 5 + ["flipped"])
        self.fails(weights.WrongHash, SHA256)

    def test_with_nobody_there(self):
        self.store.stop()
        self.fails(weights.Unavailable, "ConnectionRefusedError at 127.0.0.1")

    def test_with_addresses(self):
        for source in ("ftp://host/x", "models/x", "https://user:the-secret@host/x"):
            with self.subTest(source):
                self.environ["GPUYARD_WEIGHTS_SOURCE"] = source
                self.fails(weights.Refused, "is no address s3://BUCKET/KEY")

    def test_with_no_path(self):
        with self.assertRaisesRegex(weights.WeightsError, "GPUYARD_WEIGHTS_PATH is not set"):
            weights.load({})

    def test_with_more_than_was_announced(self):
        self.environ["GPUYARD_WEIGHTS_SIZE"] = str(1 << 20)
        self.fails(weights.Refused, f"{len(DATA)} bytes", "weights.size")


class Full(Fetching):
    def test_is_seen_before(self):
        room = os.statvfs_result([4096, 4096, 100, 10, 10, 0, 0, 0, 0, 255])
        with unittest.mock.patch("os.statvfs", return_value=room):
            self.fails(weights.NoSpace, "has 40960 left", "ephemeral_storage")
        self.assertEqual(len(self.store.requests), 1)

    # A limit on the size of files stands for a file system that gets full: the kernel refuses the same calls.
    LIMITED = """
import os, resource, sys
sys.path[:0] = sys.argv[1:3]
import weights
if sys.argv[3] == "late":
    weights.allocate = lambda fd, size: None
resource.setrlimit(resource.RLIMIT_FSIZE, (500000, 500000))
try:
    weights.load()
except weights.NoSpace as error:
    print(error, os.listdir(os.path.dirname(os.environ["GPUYARD_WEIGHTS_PATH"])))
"""

    def test_is_seen_when_room_is_taken_and_when_bytes_are_written(self):
        for when in ("early", "late"):
            with self.subTest(when):
                ran = subprocess.run([sys.executable, "-c", self.LIMITED, HERE, os.path.dirname(HERE), when], env=self.environ, capture_output=True, text=True)
                self.assertIn("no room for them", ran.stdout, ran.stderr)
                self.assertIn("['weights.lock']", ran.stdout)


class Signatures(Fetching):
    def test_are_those_of_the_documentation(self):
        # Amazon S3 API Reference, "Signature Calculations for the Authorization Header", example "GET Object".
        signer = sigv4.Signer({
            "AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE", "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        })
        got = signer.sign("GET", "/test.txt", {"Host": "examplebucket.s3.amazonaws.com", "Range": "bytes=0-9"}, 1369353600)
        self.assertEqual(got["Authorization"], "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
            "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")

    def test_cover_the_session_token_and_the_version(self):
        self.load()
        _, path, headers = self.store.requests[-1]
        self.assertEqual(path, "/models/dir/my%20model.bin")
        self.assertEqual(headers["x-amz-security-token"], "the-token")
        self.assertIn("SignedHeaders=host;if-match;range;x-amz-content-sha256;x-amz-date;x-amz-security-token,", headers["Authorization"])

    def test_are_left_out_without_credentials(self):
        for name in SECRETS:
            del self.environ[name]
        self.assertEqual(self.load()[:], DATA)
        self.assertNotIn("Authorization", self.store.requests[-1][2])

    def test_are_for_the_region_of_the_bucket(self):
        self.store.first = 301, {"x-amz-bucket-region": "eu-central-1"}, "PermanentRedirect"
        self.fails(weights.Refused, "301 PermanentRedirect")
        self.assertIn("/eu-central-1/s3/aws4_request", self.store.requests[-1][2]["Authorization"])
        self.assertEqual(len(self.store.requests), 2)

    def test_addresses_of_buckets(self):
        for region, bucket, want in (
            ("eu-west-1", "models", "https://models.s3.eu-west-1.amazonaws.com/k"), ("eu-west-1", "my.models", "https://s3.eu-west-1.amazonaws.com/my.models/k"),
            ("cn-north-1", "models", "https://models.s3.cn-north-1.amazonaws.com.cn/k"),
        ):
            self.assertEqual(sigv4.Signer({"AWS_REGION": region}).address(bucket, "k"), want)


if __name__ == "__main__":
    unittest.main()
