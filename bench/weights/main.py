"""Measures how a function gets its weights: in parallel ranges into a mapped file, against one plain download that is mapped
then, from one object store on loopback that limits each connection, as S3 does.

    python3 bench/weights/main.py [-size MiB] [-rate MB/s] [-connections N]

Both check the hash. Each runs in a process of its own, and its memory is what that process has resident once the weights are
mapped, with the interpreter itself.
"""

import argparse
import hashlib
import json
import mmap
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "serverless")
sys.path[:0] = [EXAMPLE, os.path.join(EXAMPLE, "tests")]


def parallel(url, path, sha256, connections):
    import weights

    return weights.load(
        {"GPUYARD_WEIGHTS_SOURCE": url + "/model", "GPUYARD_WEIGHTS_PATH": path, "GPUYARD_WEIGHTS_SHA256": sha256},
        weights.Pace(connections=connections),
    )


def sequential(url, path, sha256, _):
    digest = hashlib.sha256()
    with urllib.request.urlopen(url + "/model") as answer, open(path, "wb") as file:
        while chunk := answer.read(1 << 20):
            file.write(chunk)
            digest.update(chunk)
    assert digest.hexdigest() == sha256
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def child(how, url, path, sha256, connections):
    """What one process does: it prints how long the first byte took, and what is resident then."""
    began = time.monotonic()
    mapped = {"parallel": parallel, "sequential": sequential}[how](url, path, sha256, int(connections))
    mapped[0]
    seconds = time.monotonic() - began
    with open("/proc/self/status", encoding="ascii") as file:
        resident = int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) << 10
    print(json.dumps({"seconds": seconds, "resident": resident}))


def measure(how, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        url, sha256, connections = arguments
        ran = subprocess.run([sys.executable, __file__, "child", how, url, folder + "/weights", sha256, str(connections)], stdout=subprocess.PIPE, check=True)
        return json.loads(ran.stdout)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("-size", type=int, default=512, help="MiB of weights")
    options.add_argument("-rate", type=float, default=40, help="MB/s of a connection")
    options.add_argument("-connections", type=int, default=8)
    o = options.parse_args()
    size = o.size << 20
    with tempfile.TemporaryDirectory() as folder:
        model, digest = folder + "/model", hashlib.sha256()
        with open(model, "wb") as file:
            for _ in range(o.size):
                block = os.urandom(1 << 20)
                file.write(block)
                digest.update(block)
        store = subprocess.Popen([sys.executable, os.path.join(EXAMPLE, "tests", "objectstore.py"), model, str(o.rate * 1e6)], stdout=subprocess.PIPE, text=True)
        try:
            url = store.stdout.readline().strip()
            rows = {how: measure(how, url, digest.hexdigest(), o.connections) for how in ("sequential", "parallel")}
        finally:
            store.terminate()
            store.wait()
    print(f"Weights of {o.size} MiB, from an object store that gives a connection {o.rate:g} MB/s:")
    for how, row in rows.items():
        print(f"  {how:10}  {row['seconds']:6.2f} s  {size / row['seconds'] / 1e6:6.1f} MB/s  {row['resident'] >> 20:4} MiB resident, {row['resident'] / size:.1%} of the file")
    print(f"{o.connections} connections are {rows['sequential']['seconds'] / rows['parallel']['seconds']:.2f} times as fast as one")


if __name__ == "__main__":
    child(*sys.argv[2:]) if sys.argv[1:2] == ["child"] else main()
