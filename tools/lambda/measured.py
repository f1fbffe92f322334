"""The handler of examples/serverless, with what it took until its weights could be read."""

import json
import re
import time

began = time.monotonic()
import function

first = function.WEIGHTS[0]
seconds = time.monotonic() - began


def handle(event, context):
    with open("/proc/self/status", encoding="ascii") as file:
        kib = {name: int(n) for name, n in re.findall(r"^(VmHWM|VmRSS):\s+(\d+) kB", file.read(), re.M)}
    return {"answer": function.handle(event, context), "bytes": len(function.WEIGHTS), "seconds": seconds,
            "peak": kib["VmHWM"] << 10, "resident": kib["VmRSS"] << 10}
