import base64
import contextlib
import http.server
import importlib
import io
import json
import os
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import job

HEADER = json.dumps({"__metadata__": {}, "a.weight": {"dtype": "F16", "shape": [2, 2], "data_offsets": [0, 8]}, "b": {"dtype": "F32", "shape": [1], "data_offsets": [8, 12]}})
MODEL = len(HEADER).to_bytes(8, "little") + HEADER.encode() + bytes(12)
A = {"a.weight": ["F16", [2, 2]]}


def model_file(test):
    """Puts a model on disk and returns the environment that names it."""
    folder = tempfile.TemporaryDirectory()
    test.addCleanup(folder.cleanup)
    path = os.path.join(folder.name, "model.safetensors")
    with open(path, "wb") as file:
        file.write(MODEL)
    return {"GPUYARD_WEIGHTS_PATH": path}


class Function(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.out = io.StringIO()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(cls.out):
            path = os.path.join(folder, "model")
            with open(path, "wb") as file:
                file.write(MODEL)
            with unittest.mock.patch.dict(os.environ, {"GPUYARD_WEIGHTS_PATH": path}):
                cls.function = importlib.import_module("function")

    def call(self, event):
        with contextlib.redirect_stdout(self.out):
            return self.function.handle(event, None)

    def test_says_what_it_loaded(self):
        self.assertEqual(json.loads(self.out.getvalue().splitlines()[0])["weights"]["bytes"], len(MODEL))

    def test_answers_a_call(self):
        self.assertEqual(self.call({"prefix": "a."}), A)

    def test_answers_a_request_to_its_address(self):
        for body, encoded in (('{"prefix": "a."}', False), (base64.b64encode(b'{"prefix": "a."}').decode(), True)):
            got = self.call({"requestContext": {}, "body": body, "isBase64Encoded": encoded})
            self.assertEqual((got["statusCode"], json.loads(got["body"])), (200, A))
        self.assertEqual(len(json.loads(self.call({"requestContext": {}})["body"])), 2)

    def test_brings_back_only_the_messages_that_failed(self):
        got = self.call({"Records": [{"messageId": "1", "body": "{}"}, {"messageId": "2", "body": "no JSON"}, {"messageId": "3", "body": '{"prefix": "a."}'}]})
        self.assertEqual(got, {"batchItemFailures": [{"itemIdentifier": "2"}]})


class Azure(http.server.ThreadingHTTPServer):
    """Gives tokens out and keeps a queue."""

    daemon_threads = True

    def __init__(self, *messages):
        super().__init__(("127.0.0.1", 0), AzureHandler)
        self.messages, self.calls = list(messages), []
        self.url = f"http://127.0.0.1:{self.server_port}"


class AzureHandler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def handle_any(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        if url.path == "/token":
            allowed = self.headers["X-IDENTITY-HEADER"] == "the-header" and query["client_id"] == "the-client" and query["resource"] == "https://storage.azure.com/"
            return self.answer(200 if allowed else 403, json.dumps({"access_token": "the-token"}))
        if self.headers["Authorization"] != "Bearer the-token" or "x-ms-version" not in self.headers:
            return self.answer(403)
        self.server.calls.append((self.command, url.path, query, body))
        if (self.command, url.path) == ("GET", "/runs/messages"):
            messages, self.server.messages = self.server.messages, []
            return self.answer(200, "<QueueMessagesList>" + "".join(messages) + "</QueueMessagesList>")
        return self.answer(204, "", {"x-ms-popreceipt": f"receipt {len(self.server.calls)}"})

    do_GET = do_PUT = do_POST = do_DELETE = handle_any

    def answer(self, status, text="", headers={}):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())


def message(text, count=1):
    return f"<QueueMessage><MessageId>7</MessageId><PopReceipt>a+b/c=</PopReceipt><DequeueCount>{count}</DequeueCount><MessageText>{text}</MessageText></QueueMessage>"


class Job(unittest.TestCase):
    def run_with(self, *messages, hidden=600):
        """Does a run with messages in the queue. Returns what Azure was asked, and what was reported."""
        azure = Azure(*messages)
        threading.Thread(target=azure.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self.addCleanup(azure.server_close)
        self.addCleanup(azure.shutdown)
        environ = {"AZURE_CLIENT_ID": "the-client", "IDENTITY_ENDPOINT": azure.url + "/token", "IDENTITY_HEADER": "the-header"}
        self.calls, out = azure.calls, io.StringIO()
        with contextlib.redirect_stdout(out):
            job.handle(job.Queue(azure.url, "runs", environ, hidden), MODEL)
        return [(c[0], c[1]) for c in azure.calls], out.getvalue()

    def test_does_one_message_and_deletes_it(self):
        for text in ('{"prefix": "a."}', base64.b64encode(b'{"prefix": "a."}').decode()):
            calls, said = self.run_with(message(text))
            self.assertEqual(calls, [("GET", "/runs/messages"), ("DELETE", "/runs/messages/7")])
            self.assertEqual(self.calls[1][2], {"popreceipt": "a+b/c="})
            self.assertEqual(json.loads(said), {"answer": A})

    def test_has_nothing_to_do(self):
        self.assertEqual(self.run_with(), ([("GET", "/runs/messages")], ""))

    def test_leaves_a_message_that_fails(self):
        with self.assertRaises(json.JSONDecodeError):
            self.run_with(message("no JSON"))
        self.assertEqual([c[0] for c in self.calls], ["GET"])

    def test_puts_aside_a_message_that_failed_too_often(self):
        calls, said = self.run_with(message("&lt;no JSON&gt;", 6))
        self.assertEqual(calls[1:], [("PUT", "/runs-poison"), ("POST", "/runs-poison/messages"), ("DELETE", "/runs/messages/7")])
        self.assertEqual(self.calls[2][3], "<QueueMessage><MessageText>&lt;no JSON&gt;</MessageText></QueueMessage>")
        self.assertEqual(said, "")

    def test_hides_a_message_while_it_is_worked_on(self):
        def slow(*_):
            while len(self.calls) < 3:
                time.sleep(0.01)

        with unittest.mock.patch("model.answer", slow):
            calls, _ = self.run_with(message("{}"), hidden=0.03)
        self.assertIn(("PUT", "/runs/messages/7"), calls)
        self.assertEqual(self.calls[-1][:3], ("DELETE", "/runs/messages/7", {"popreceipt": f"receipt {len(self.calls) - 1}"}))

    def test_runs_without_a_queue(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            job.main({**model_file(self), "REQUEST": '{"prefix": "a."}'})
        self.assertEqual(json.loads(out.getvalue()), {"answer": A})


if __name__ == "__main__":
    unittest.main()
