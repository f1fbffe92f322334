"""The part of a function's process that asks Lambda for work and hands it to the handler: FILE.NAME as the argument says.

AWS's base images have one of their own, which is not Python alone. This one is what its documentation asks for.
Source: Lambda Developer Guide, "Using the Lambda runtime API for custom runtimes".
"""

import http.client
import importlib
import json
import os
import sys

API = "/2018-06-01/runtime/"


def call(method, path, body=None):
    connection = http.client.HTTPConnection(os.environ["AWS_LAMBDA_RUNTIME_API"])
    try:
        connection.request(method, API + path, body)
        answer = connection.getresponse()
        return answer.headers.get("Lambda-Runtime-Aws-Request-Id"), answer.read()
    finally:
        connection.close()


def failure(error):
    return json.dumps({"errorType": type(error).__name__, "errorMessage": str(error), "stackTrace": []})


def main(handler):
    file, _, name = handler.rpartition(".")
    try:
        handle = getattr(importlib.import_module(file), name)
    except Exception as error:
        call("POST", "init/error", failure(error))
        sys.exit(1)
    while True:
        request, event = call("GET", "invocation/next")
        try:
            call("POST", f"invocation/{request}/response", json.dumps(handle(json.loads(event), None)))
        except Exception as error:
            call("POST", f"invocation/{request}/error", failure(error))


if __name__ == "__main__":
    main(sys.argv[-1])
