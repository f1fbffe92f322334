"""A run of a Container Apps job: one message of its queue if it has one, and otherwise one request from its environment.

A message stays hidden while it is worked on, however long that takes, is deleted when it is done, and comes back when the
run fails or its replica is taken away. After five failures it goes to the queue NAME-poison.
"""

import base64
import contextlib
import json
import os
import threading
import urllib.parse
import urllib.request
import xml.etree.ElementTree as xml
from xml.sax.saxutils import escape

import model
import weights

HIDDEN = 600  # seconds that a message is hidden; thrice as often it is hidden again
FAILURES = 5


def main(environ=os.environ):
    """Does one run."""
    mapped = weights.load(environ)
    if "GPUYARD_QUEUE_NAME" not in environ:
        report(model.answer(json.loads(environ.get("REQUEST", "{}")), mapped))
        return
    queue = Queue(f"https://{environ['GPUYARD_QUEUE_ACCOUNT']}.queue.core.windows.net", environ["GPUYARD_QUEUE_NAME"], environ)
    handle(queue, mapped)


def handle(queue, mapped):
    """Takes one message, if there is one, and answers it."""
    message = queue.take()
    if message is None:
        return  # another run was faster
    if message.failures >= FAILURES:
        queue.poison(message)
        return
    with queue.hiding(message):
        report(model.answer(json.loads(message.text), mapped))
    queue.delete(message)


def report(answer):
    print(json.dumps({"answer": answer}), flush=True)


class Message:
    """A message of a queue, and the receipt by which it is handled."""

    def __init__(self, element):
        text = {child.tag: child.text or "" for child in element}
        self.id, self.receipt = text["MessageId"], text["PopReceipt"]
        self.failures = int(text["DequeueCount"]) - 1
        self.text = text["MessageText"]
        with contextlib.suppress(ValueError):  # many SDKs send base64
            self.text = base64.b64decode(self.text, validate=True).decode()


class Queue:
    """A queue of Azure Storage, read as the identity of the job.

    Sources: Azure Storage REST API, "Queue service REST API"; Azure Container Apps, "Managed identities".
    """

    def __init__(self, endpoint, name, environ, hidden=HIDDEN):
        self.endpoint, self.name, self.environ, self.hidden = endpoint, name, environ, hidden

    def take(self):
        answer = xml.fromstring(self.call("GET", f"{self.name}/messages?visibilitytimeout={self.hidden}"))
        element = answer.find("QueueMessage")
        return None if element is None else Message(element)

    def delete(self, message):
        self.call("DELETE", self.path(message))

    def poison(self, message):
        self.call("PUT", f"{self.name}-poison")
        self.call("POST", f"{self.name}-poison/messages", f"<QueueMessage><MessageText>{escape(message.text)}</MessageText></QueueMessage>")
        self.delete(message)

    @contextlib.contextmanager
    def hiding(self, message):
        """Hides a message again and again while it is worked on."""
        over = threading.Event()

        def hide():
            while not over.wait(self.hidden / 3):
                with contextlib.suppress(OSError):  # there is time for another try
                    _, headers = self.ask("PUT", self.path(message) + f"&visibilitytimeout={self.hidden}")
                    message.receipt = headers["x-ms-popreceipt"]

        thread = threading.Thread(target=hide, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def path(self, message):
        return f"{self.name}/messages/{message.id}?popreceipt={urllib.parse.quote(message.receipt, safe='')}"

    def call(self, method, path, body=None):
        return self.ask(method, path, body)[0]

    def ask(self, method, path, body=None):
        request = urllib.request.Request(f"{self.endpoint}/{path}", method=method, data=body and body.encode())
        request.add_header("Authorization", "Bearer " + self.token())
        request.add_header("x-ms-version", "2023-11-03")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.read(), answer.headers

    def token(self):
        """Asks for a token. The endpoint keeps one until it is about to expire."""
        query = urllib.parse.urlencode({
            "api-version": "2019-08-01", "resource": "https://storage.azure.com/", "client_id": self.environ["AZURE_CLIENT_ID"],
        })
        request = urllib.request.Request(f"{self.environ['IDENTITY_ENDPOINT']}?{query}", headers={"X-IDENTITY-HEADER": self.environ["IDENTITY_HEADER"]})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)["access_token"]


if __name__ == "__main__":
    main()
