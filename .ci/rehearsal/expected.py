"""What is expected of the stack, written down apart from the template, so that a slip there is seen here."""

FUNCTIONS = ("body", "post", "feed", "preview", "graphql", "refresh")
HTTP = tuple(f for f in FUNCTIONS if f != "refresh")

# Beginning of a path → the function that answers there; the longest that fits counts. "$default" takes every other path.
ROUTES = {
    "/": "body", "/openapi.json": "body", "/healthz": "body", "/v1/body": "body", "/v1/more": "body",
    "/v1/search": "body", "/v1/post": "post", "/v1/media": "post", "/v1/feed": "feed", "/v1/related": "feed",
    "/v1/find": "feed", "/v1/preview": "preview", "/v1/previews": "preview", "/graphql": "graphql", "$default": "body",
}

# What any function's role may hold; every action beyond it fails. The resource must be one that the stack made or the
# secret; "*" only where AWS knows no resource for the action.
MAY = {
    "logs:CreateLogStream": "log group", "logs:PutLogEvents": "log group",
    "ssm:GetParameter": "secret",
    "lambda:InvokeFunction": "refresh function",
    "sqs:SendMessage": "queue",
    "xray:PutTraceSegments": "*", "xray:PutTelemetryRecords": "*",
}

# What each role must be able to do where the secret is named, beside writing logs.
MUST = {f: {"ssm:GetParameter", "lambda:InvokeFunction"} for f in HTTP} | {"refresh": {"ssm:GetParameter"}}


def logical(function):
    """The logical id of a function."""
    return function.capitalize() + "Function"
