"""The expanded template's values for given parameters: conditions decided, intrinsic functions computed.

Names and ARNs of resources come from the emulator where it made them. What it passed over stands as <LogicalId> or
<LogicalId.Attribute>.
"""

import re

ACCOUNT = "123456789012"
NOTHING = object()  # AWS::NoValue


class Resolver:
    """Computes values of one template. physical maps logical ids to the names the emulator gave."""

    def __init__(self, template, parameters, region, stack, physical=None):
        self.template = template
        self.physical = physical or {}
        self.parameters = {n: p.get("Default") for n, p in template.get("Parameters", {}).items()}
        self.parameters.update(parameters)
        self.pseudo = {
            "AWS::Region": region, "AWS::AccountId": ACCOUNT, "AWS::Partition": "aws", "AWS::URLSuffix": "amazonaws.com",
            "AWS::StackName": stack, "AWS::NoValue": NOTHING,
            "AWS::StackId": f"arn:aws:cloudformation:{region}:{ACCOUNT}:stack/{stack}/id",
        }

    def resources(self):
        """The resources whose conditions hold: logical id → (type, properties)."""
        return {
            name: (r["Type"], self.value(r.get("Properties", {})))
            for name, r in self.template["Resources"].items()
            if self.condition(r.get("Condition"))
        }

    def condition(self, name):
        return name is None or bool(self.value(self.template["Conditions"][name]))

    def value(self, node):
        """A node with everything computed; members that are AWS::NoValue are left out."""
        if isinstance(node, list):
            return [v for v in (self.value(n) for n in node) if v is not NOTHING]
        if not isinstance(node, dict):
            return node
        if len(node) == 1:
            (name, argument), = node.items()
            function = getattr(self, "_" + name.removeprefix("Fn::").lower(), None)
            if function and (name.startswith("Fn::") or name in ("Ref", "Condition")):
                return function(argument)
            if name.startswith("Fn::"):
                raise ValueError(f"unknown function {name}")
        members = {k: self.value(v) for k, v in node.items()}
        return {k: v for k, v in members.items() if v is not NOTHING}

    def _ref(self, name):
        if name in self.parameters:
            return self.parameters[name]
        if name in self.pseudo:
            return self.pseudo[name]
        return self.physical.get(name, f"<{name}>")

    def _getatt(self, argument):
        name, attribute = argument.split(".", 1) if isinstance(argument, str) else argument
        kind = self.template["Resources"][name]["Type"]
        physical = self.physical.get(name)
        form = ARNS.get(kind)
        if attribute != "Arn" or physical is None or form is None:
            return f"<{name}.{attribute}>"
        if kind == "AWS::SQS::Queue":
            physical = physical.rsplit("/", 1)[-1]  # its address
        return form.format(region=self.pseudo["AWS::Region"], account=ACCOUNT, name=physical)

    def _sub(self, argument):
        text, names = argument if isinstance(argument, list) else (argument, {})

        def replace(match):
            name = match.group(1)
            if name.startswith("!"):
                return "${" + name[1:] + "}"
            if name in names:
                return str(self.value(names[name]))
            return str(self._getatt(name) if "." in name else self._ref(name))

        return re.sub(r"\$\{([^}]+)\}", replace, text)

    def _join(self, argument):
        return argument[0].join(str(v) for v in self.value(argument[1]))

    def _if(self, argument):
        return self.value(argument[1] if self.condition(argument[0]) else argument[2])

    def _findinmap(self, argument):
        name, first, second = (self.value(a) for a in argument)
        return self.template["Mappings"][name][str(first)][second]

    def _select(self, argument):
        return self.value(argument[1])[int(argument[0])]

    def _split(self, argument):
        return self.value(argument[1]).split(argument[0])

    def _equals(self, argument):
        a, b = (str(self.value(v)) for v in argument)
        return a == b

    def _not(self, argument):
        return not self.value(argument[0])

    def _and(self, argument):
        return all(self.value(a) for a in argument)

    def _or(self, argument):
        return any(self.value(a) for a in argument)

    def _condition(self, name):
        # In a policy's statement "Condition" holds tests of the request, not the name of a condition.
        return self.condition(name) if isinstance(name, str) else {"Condition": self.value(name)}


ARNS = {
    "AWS::Lambda::Function": "arn:aws:lambda:{region}:{account}:function:{name}",
    "AWS::IAM::Role": "arn:aws:iam::{account}:role/{name}",
    "AWS::SQS::Queue": "arn:aws:sqs:{region}:{account}:{name}",
    "AWS::Logs::LogGroup": "arn:aws:logs:{region}:{account}:log-group:{name}:*",
}
