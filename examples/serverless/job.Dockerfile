# A Container Apps job, which is linux/amd64:
#   docker buildx build -f job.Dockerfile --platform linux/amd64 --push -t REGISTRY/NAME:TAG .
# With a GPU, begin from the image of your framework instead: it only has to have Python 3.9 or later.
FROM docker.io/library/python:3.13-slim
WORKDIR /job
COPY sigv4.py weights.py model.py job.py ./
USER nobody
CMD ["python", "job.py"]
