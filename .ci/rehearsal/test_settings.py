"""What a deployment starts from, told by an AWS that answers as it is told."""

import pathlib
import sys
import unittest

from botocore.exceptions import ClientError

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import settings  # noqa: E402


class AWS:
    """Both clients: gives the answer, or raises it."""

    def __init__(self, answer):
        self.answer = answer

    def describe_stacks(self, StackName):  # noqa: N803, ARG002
        return self._give()

    def get_account_settings(self):
        return self._give()

    def _give(self):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def fault(text):
    return ClientError({"Error": {"Code": "ValidationError", "Message": text}}, "Operation")


def stack(status):
    return AWS({"Stacks": [{"StackStatus": status}]})


def account(executions):
    return AWS({"AccountLimit": {"UnreservedConcurrentExecutions": executions}})


class Settings(unittest.TestCase):
    def test_state(self):
        for aws, want in ((AWS(fault("Stack with id demo does not exist")), "new"), (stack("REVIEW_IN_PROGRESS"), "new"),
                          (stack("UPDATE_ROLLBACK_COMPLETE"), "there"), (stack("CREATE_COMPLETE"), "there")):
            self.assertEqual(settings.state(aws, "demo", "dev"), want)
        with self.assertRaisesRegex(settings.Refused, "make destroy STAGE=dev"):
            settings.state(stack("ROLLBACK_COMPLETE"), "demo", "dev")
        with self.assertRaisesRegex(settings.Refused, "not authorized"):
            settings.state(AWS(fault("not authorized")), "demo", "dev")

    def test_answers(self):
        text = '[dev.global.parameters]\nstack_name = "a"\nregion = "x"\n[dev.deploy.parameters]\nresolve_s3 = true\nstack_name = "b"\n'
        said = settings.answers(text, "dev")
        self.assertEqual((said["stack_name"], said["region"]), ("b", "x"))
        with self.assertRaises(settings.Refused):
            settings.answers(text, "prod")

    def test_parameters(self):
        got = settings.parameters('A="1" ScheduleRate="rate(2 minutes)" B=""', "A=2 C='x y'")
        self.assertEqual(got, {"A": "2", "ScheduleRate": "rate(2 minutes)", "B": "", "C": "x y"})

    def test_reservable(self):
        for aws, want in ((account(10), False), (account(109), False), (account(110), True), (account(1000), True), (AWS(fault("denied")), True)):
            self.assertEqual(settings.reservable(aws), want)


if __name__ == "__main__":
    unittest.main()
