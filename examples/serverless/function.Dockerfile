# A function of one architecture, built without attestations, which Lambda does not take:
#   docker buildx build -f function.Dockerfile --platform linux/amd64 --provenance=false --sbom=false --push -t REPOSITORY:TAG .
FROM public.ecr.aws/lambda/python:3.13
COPY sigv4.py weights.py model.py function.py ${LAMBDA_TASK_ROOT}/
CMD ["function.handle"]
