"""What is expected of the stack, written down apart from the template, so that a slip there is seen here."""

FUNCTIONS = ("body", "post", "feed", "preview", "graphql", "refresh")
HTTP = tuple(f for f in FUNCTIONS if f != "refresh")

# Beginning of a path → the function that answers there; the longest that fits counts. "$default" takes every other path.
ROUTES = {
    "/": "body", "/openapi.json": "body", "/healthz": "body", "/v1/body": "body", "/v1/more": "body",
    "/v1/search": "body", "/v1/post": "post", "/v1/media": "post", "/v1/feed": "feed", "/v1/related": "feed",
    "/v1/find": "feed", "/v1/preview": "preview", "/v1/previews": "preview", "/graphql": "graphql", "$default": "body",
}

# Which functions read which secret, where it is named by its parameter.
SECRETS = {"RedisUrl": FUNCTIONS, "VectorToken": ("feed", "graphql", "refresh")}


def logical(function):
    """The logical id of a function."""
    return function.capitalize() + "Function"


def role(function):
    """The logical id of a function's role."""
    return function.capitalize() + "Role"


def rights(function, stack, region, account, parameters):
    """What a function's role may do in a stack: (action, resource), and nothing else."""
    def arn(service, resource):
        return f"arn:aws:{service}:{region}:{account}:{resource}"

    logs = arn("logs", f"log-group:/aws/lambda/{stack}-{function}:*")
    may = {("logs:CreateLogStream", logs), ("logs:PutLogEvents", logs)}
    if function != "refresh":
        may.add(("lambda:InvokeFunction", arn("lambda", f"function:{stack}-refresh")))
    for parameter, readers in SECRETS.items():
        name = parameters[parameter].removeprefix("ssm:")
        if name and function in readers:
            may.add(("ssm:GetParameter", arn("ssm", f"parameter{name}")))
    if parameters["Tracing"] == "Active":
        may |= {("xray:PutTraceSegments", "*"), ("xray:PutTelemetryRecords", "*")}
    return may
