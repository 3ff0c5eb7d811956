"""Runs the racewheel program as a user does: exit codes, pure JSON, errors that name the value."""
import json
import os
import tempfile
import unittest

from cli_kit import CommandLineTest, run

SMALL = ["--messages", "20000", "--timeouts", "2000"]


class CommandLine(CommandLineTest):
    def test_list_queues_is_pure_json_with_every_backend(self):
        done = run("list", "queues", "--json", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = {r["name"]: r for r in self.envelope(done, "list")["rows"]}
        for name in ("vyukov", "mpsc_array", "mutex_deque", "folly_mpmc"):
            self.assertIn(name, rows)
            self.assertEqual(set(rows[name]), {"name", "available", "why", "traits"})
            if not rows[name]["available"]:
                self.assertNotEqual(rows[name]["why"], "")

    def test_list_shows_wheels_and_races(self):
        self.assertIn("hashed_wheel", run("list", "wheels").stdout)
        self.assertIn("cancel-flag-not-cas", run("list", "races").stdout)

    def test_unknown_kind_answers_with_the_known_ones(self):
        self.refused(["planets", "queues"], "list", "planets")

    def test_bad_usage_is_one_line_and_exit_2(self):
        for args in (["fly"], [], ["tour", "--messages", "0"], ["tour", "--messages", "-5"],
                     ["tour", "--timeouts", "many"], ["tour", "--seed"]):
            self.refused([], *args)

    def test_errors_repeat_what_was_typed(self):
        self.assertIn("--messages -5: must be", run("tour", "--messages", "-5").stderr)
        self.assertIn("--timeouts 4e3: must be", run("tour", "--timeouts", "4e3").stderr)
        self.assertIn("unknown command 'fly'; known: explore list litmus races replay tour", run("fly").stderr)

    def test_tour_accounts_for_everything(self):
        done = run("tour", "--json", "-", *SMALL)
        self.assertIn(done.returncode, (0, 3), done.stderr)  # 3: a busy machine lost every cancel
        data = self.envelope(done, "tour")
        timers = [r for r in data["rows"] if r["scenario"] == "timer"]
        self.assertTrue(timers)
        for row in timers:
            self.assertEqual(row["fired"] + row["cancelled"] + row["returned"], row["scheduled"])
            self.assertNotEqual(row["verdict"], "violation")
        queues = [r for r in data["rows"] if r["scenario"] == "queue"]
        self.assertTrue(all(r["operations"] == 20000 for r in queues))

    def test_json_file_is_written_and_an_unwritable_one_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "list.json")
            self.assertEqual(run("list", "--json", path).returncode, 0)
            with open(path) as file:
                self.assertEqual(json.load(file)["command"], "list")
            done = run("list", "--json", os.path.join(folder, "no", "where.json"))
            self.assertEqual(done.returncode, 2)
            self.assertIn("where.json", done.stderr)


unittest.main()
