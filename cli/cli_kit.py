"""What the tests of the command line share: run the program as a user does, and read its JSON."""
import json
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop(1)
ENVELOPE = ["schema", "command", "args", "seed", "verdict", "exit", "reason", "replay", "rows"]


def run(*args):
    return subprocess.run([PROGRAM, *args], capture_output=True, text=True, timeout=240)


class CommandLineTest(unittest.TestCase):
    def envelope(self, done, command):
        data = json.loads(done.stdout)
        self.assertEqual(list(data), ENVELOPE)
        self.assertEqual(data["command"], command)
        self.assertEqual(data["exit"], done.returncode)
        return data

    def json(self, exit_code, command, *args):
        """The envelope of a command that ends with this exit code."""
        done = run(command, *args, "--json", "-")
        self.assertEqual(done.returncode, exit_code, done.stderr)
        return self.envelope(done, command)

    def refused(self, words, *args):
        """Bad input: exit 2, nothing on standard output, one line that has all the words."""
        done = run(*args)
        self.assertEqual(done.returncode, 2, (args, done.stdout, done.stderr))
        self.assertEqual(done.stdout, "", args)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
