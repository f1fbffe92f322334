"""The handler of a Lambda function: messages of a queue, requests to its address, and plain calls."""

import base64
import json
import time

import model
import weights

began = time.monotonic()
WEIGHTS = weights.load()
print(json.dumps({"weights": {"bytes": len(WEIGHTS), "seconds": round(time.monotonic() - began, 3)}}), flush=True)


def handle(event, context):
    """Answers one call. An error is Lambda's to handle: it tries again, and then sends the call to NAME-failed."""
    if "Records" in event:
        return {"batchItemFailures": [{"itemIdentifier": r["messageId"]} for r in event["Records"] if not done(r)]}
    if "requestContext" in event:
        body = event.get("body") or "{}"
        if event.get("isBase64Encoded"):
            body = base64.b64decode(body)
        return {"statusCode": 200, "headers": {"Content-Type": "application/json"}, "body": json.dumps(model.answer(json.loads(body), WEIGHTS))}
    return model.answer(event, WEIGHTS)


def done(record):
    """Handles one message of a batch. One that fails comes back, and those beside it do not."""
    try:
        print(json.dumps({"message": record["messageId"], "answer": model.answer(json.loads(record["body"]), WEIGHTS)}), flush=True)
        return True
    except Exception as error:  # whatever it is, it is this message's
        print(json.dumps({"message": record["messageId"], "error": repr(error)}), flush=True)
        return False
