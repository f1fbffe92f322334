"""Signs requests to S3 with the credentials that Lambda gives a function, without an SDK.

Source: Amazon S3 API Reference, "Authenticating Requests: Using the Authorization Header (AWS Signature Version 4)".
"""

import hashlib
import hmac
import time

EMPTY = hashlib.sha256(b"").hexdigest()


class Signer:
    """Signs for one Region. Without credentials in the environment it leaves requests as they are, for public objects."""

    def __init__(self, environ):
        self.region = environ.get("AWS_REGION") or environ.get("AWS_DEFAULT_REGION") or "us-east-1"
        self.endpoint = environ.get("AWS_ENDPOINT_URL_S3") or environ.get("AWS_ENDPOINT_URL")
        self._id = environ.get("AWS_ACCESS_KEY_ID")
        self._secret = environ.get("AWS_SECRET_ACCESS_KEY")
        self._token = environ.get("AWS_SESSION_TOKEN")

    def address(self, bucket, key):
        """Where S3 has an object. A bucket with dots in its name has no certificate as a host."""
        if self.endpoint:
            return f"{self.endpoint.rstrip('/')}/{bucket}/{key}"
        host = f"s3.{self.region}.amazonaws.com" + (".cn" if self.region.startswith("cn-") else "")
        return f"https://{host}/{bucket}/{key}" if "." in bucket else f"https://{bucket}.{host}/{key}"

    def sign(self, method, path, headers, now=None):
        """Returns headers with those that sign them added. The path is encoded already, and there is no query."""
        if not self._id or not self._secret:
            return headers
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(now))
        headers = {**headers, "x-amz-content-sha256": EMPTY, "x-amz-date": stamp}
        if self._token:
            headers["x-amz-security-token"] = self._token
        plain = sorted((name.lower(), value.strip()) for name, value in headers.items())
        names = ";".join(name for name, _ in plain)
        request = "\n".join([method, path, "", *(f"{name}:{value}" for name, value in plain), "", names, EMPTY])
        scope = f"{stamp[:8]}/{self.region}/s3/aws4_request"
        text = "\n".join(["AWS4-HMAC-SHA256", stamp, scope, hashlib.sha256(request.encode()).hexdigest()])
        key = ("AWS4" + self._secret).encode()
        for piece in scope.split("/"):
            key = hmac.digest(key, piece.encode(), "sha256")
        signature = hmac.digest(key, text.encode(), "sha256").hex()
        headers["Authorization"] = f"AWS4-HMAC-SHA256 Credential={self._id}/{scope},SignedHeaders={names},Signature={signature}"
        return headers
