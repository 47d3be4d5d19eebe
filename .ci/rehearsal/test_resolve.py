import unittest

from resolve import NOTHING, Resolver

TEMPLATE = {
    "Parameters": {"Mode": {"Default": "off"}, "Days": {"Default": 14}},
    "Conditions": {"On": {"Fn::Not": [{"Fn::Equals": [{"Ref": "Mode"}, "off"]}]},
                   "Both": {"Fn::And": [{"Condition": "On"}, {"Fn::Equals": [{"Ref": "Days"}, "14"]}]}},
    "Mappings": {"Sizes": {"14": {"Of": "small"}}},
    "Resources": {
        "Function": {"Type": "AWS::Lambda::Function", "Properties": {"Days": {"Ref": "Days"}}},
        "Optional": {"Type": "AWS::SQS::Queue", "Condition": "On"},
        "Queue": {"Type": "AWS::SQS::Queue"}, "Logs": {"Type": "AWS::Logs::LogGroup"},
    },
}
PHYSICAL = {"Function": "stack-Function-1", "Queue": "http://localhost/1/stack-Queue-1", "Logs": "/aws/lambda/stack"}


def resolver(**parameters):
    return Resolver(TEMPLATE, parameters, "eu-central-1", "stack", PHYSICAL)


class ResolveTest(unittest.TestCase):
    def test_values(self):
        for node, want in [
            ({"Ref": "Mode"}, "off"),
            ({"Ref": "Function"}, "stack-Function-1"),
            ({"Ref": "Optional"}, "<Optional>"),
            ({"Fn::GetAtt": ["Function", "Arn"]}, "arn:aws:lambda:eu-central-1:123456789012:function:stack-Function-1"),
            ({"Fn::GetAtt": ["Queue", "Arn"]}, "arn:aws:sqs:eu-central-1:123456789012:stack-Queue-1"),
            ({"Fn::GetAtt": ["Logs", "Arn"]}, "arn:aws:logs:eu-central-1:123456789012:log-group:/aws/lambda/stack:*"),
            ({"Fn::GetAtt": "Optional.Arn"}, "<Optional.Arn>"),
            ({"Fn::Sub": "${AWS::StackName}-${Mode}-${!literal}-${Function.Arn}"},
             "stack-off-${literal}-arn:aws:lambda:eu-central-1:123456789012:function:stack-Function-1"),
            ({"Fn::Sub": ["${a}", {"a": {"Ref": "Days"}}]}, "14"),
            ({"Fn::Join": [":", ["a", {"Ref": "Mode"}]]}, "a:off"),
            ({"Fn::FindInMap": ["Sizes", {"Ref": "Days"}, "Of"]}, "small"),
            ({"Fn::If": ["On", 1, 2]}, 2),
            ([1, {"Fn::If": ["On", 1, {"Ref": "AWS::NoValue"}]}], [1]),
            ({"a": {"Ref": "AWS::NoValue"}, "b": 1}, {"b": 1}),
            ({"Fn::Select": [1, ["a", "b"]]}, "b"),
            ({"Fn::Select": [0, {"Fn::Split": ["/", "a/b"]}]}, "a"),
            ({"Condition": {"ArnLike": {"x": {"Ref": "Mode"}}}}, {"Condition": {"ArnLike": {"x": "off"}}}),
        ]:
            self.assertEqual(resolver().value(node), want, node)
        self.assertIs(resolver().value({"Ref": "AWS::NoValue"}), NOTHING)

    def test_conditions(self):
        self.assertEqual(list(resolver().resources()), ["Function", "Queue", "Logs"])
        self.assertEqual(list(resolver(Mode="on").resources()), ["Function", "Optional", "Queue", "Logs"])
        self.assertFalse(resolver().condition("Both"))
        self.assertTrue(resolver(Mode="on").condition("Both"))

    def test_unknown_function(self):
        with self.assertRaises(ValueError):
            resolver().value({"Fn::Cidr": []})


if __name__ == "__main__":
    unittest.main()
