"""racewheel explore, replay, races, and the lists of what they take."""
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml

from cli_kit import CommandLineTest, PROGRAM, run

RACES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "races")
STORED = os.path.join(RACES, "relaxed-publish.race")
WEAKENED = ["explore", "push_pop", "--order", "link=relaxed"]
EXPLORE_ROW = {"program", "queue", "wheel", "memory", "strategy", "verdict", "executions", "graphs",
               "blocked", "exhausted", "bound", "seconds", "race_file"}
RACES_ROW = {"id", "kind", "detector", "memory", "found", "executions", "seconds", "twin", "pass"}


def pasted(line):
    """Runs a line that the program printed to be pasted."""
    words = shlex.split(line)
    assert words[0] == "racewheel", line
    return run(*words[1:])


class Explore(CommandLineTest):
    def test_what_ships_is_exhausted_without_a_finding_on_every_backend(self):
        data = self.json(0, "explore", "push_pop", "--queue", "all", "--pops", "1")
        self.assertGreaterEqual({r["queue"] for r in data["rows"]},
                                {"vyukov", "mpsc_array", "mutex_deque"})
        for row in data["rows"]:
            self.assertLessEqual(EXPLORE_ROW, set(row))
            self.assertEqual((row["verdict"], row["exhausted"], row["bound"]), ("ok", True, ""))
            self.assertGreater(row["graphs"], 0)

    def test_a_timer_program_runs_on_every_wheel(self):
        rows = self.json(0, "explore", "cancel_expire", "--wheel", "all", "--cancellers", "1")["rows"]
        self.assertGreaterEqual(len({r["wheel"] for r in rows}), 2)

    def test_a_weakened_order_is_found_under_rc11_and_not_under_sc(self):
        data = self.json(1, *WEAKENED)
        self.assertEqual(data["rows"][0]["finding"], "data race")
        self.assertIn("happens-before", data["reason"])
        self.assertEqual(run(*WEAKENED, "--memory", "sc").returncode, 0)
        self.assertEqual(run("explore", "--order", "link=seq_cst", "push_pop").returncode, 0)
        several = ["--order", "link=seq_cst", "--order", "follow=relaxed"]
        self.assertEqual(run("explore", *several).returncode, 1)

    def test_a_finding_ends_in_a_line_that_repeats_it(self):
        found = run(*WEAKENED, "--producers", "3")
        self.assertEqual(found.returncode, 1)
        again = found.stderr.splitlines()[-1]
        self.assertTrue(again.startswith("again: racewheel replay "), again)
        second = pasted(again.removeprefix("again: ") + " --trace")
        self.assertEqual(second.returncode, 1, second.stderr)
        trace = found.stdout[found.stdout.index("step "):]
        self.assertIn(trace, second.stdout)
        self.assertIn("[link] store relaxed", trace)

    def test_a_finding_that_depends_on_the_options_repeats_too(self):
        for options in (["--spurious-failures", "1"], ["--reuse-blocks"], ["--strategy", "pos"],
                        ["--steps", "20"],
                        ["--strategy", "random", "--seed", "7"]):
            found = run(*WEAKENED, *options)
            self.assertEqual(found.returncode, 1, options)
            again = found.stderr.splitlines()[-1].removeprefix("again: ")
            self.assertEqual(pasted(again).returncode, 1, again)
            self.assertEqual("--steps=20" in again, "--steps" in options)

    def test_a_saved_finding_replays_and_a_specimen_names_its_program(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a race.race")
            data = self.json(1, "explore", "--specimen", "stub-double-insert", "--save", path)
            self.assertEqual(data["rows"][0]["race_file"], path)
            self.assertEqual(data["replay"], f"racewheel replay '{path}'")
            with open(path) as file:
                race = json.load(file)
            self.assertEqual(race["config"]["specimen"], "stub-double-insert")
            self.assertEqual(race["parameters"]["pops"], 3)  # by the plan of the specimen
            self.assertEqual(pasted(data["replay"]).returncode, 1)

    def test_a_limit_makes_it_inconclusive_and_junit_calls_that_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            junit = os.path.join(folder, "junit.xml")
            data = self.json(3, "explore", "--strategy", "random", "--executions", "100", "--junit", junit)
            self.assertEqual(data["rows"][0]["bound"], "executions 100")
            self.assertEqual(data["rows"][0]["executions"], 100)
            suite = xml.parse(junit).getroot()
            self.assertEqual((suite.get("tests"), suite.get("errors"), suite.get("failures")),
                             ("1", "1", "0"))
        self.assertEqual(run("explore", "--steps", "3").returncode, 3)
        self.assertEqual(run("explore", "--producers", "4", "--items", "3", "--seconds", "0.1").returncode, 3)

    def test_bad_input_names_the_value_and_what_exists(self):
        for words, args in (
                (["'dance'", "push_pop"], ["dance"]),
                (["'vyukow'", "vyukov"], ["--queue", "vyukow"]),
                (["'sundial'", "hashed_wheel"], ["cancel_expire", "--wheel", "sundial"]),
                (["sundial", "push_pop"], ["--wheel", "sundial"]),
                (["'tso'", "rc11"], ["--memory", "tso"]),
                (["'luck'", "dfs", "pos"], ["--strategy", "luck"]),
                (["no-bug", "relaxed-publish"], ["--specimen", "no-bug"]),
                (["turns", "push_pop"], ["turns", "--specimen", "relaxed-publish"]),
                (["vyukov"], ["--specimen", "relaxed-publish", "--queue", "vyukov"]),
                (["'lnk'", "link"], ["--order", "lnk=relaxed"]),
                (["'weak'", "relaxed"], ["--order", "link=weak"]),
                (["link", "SITE=ORDER"], ["--order", "link"]),
                (["producers 99"], ["--producers", "99"]),
                (["ticks 1"], ["--ticks", "1"]),
                (["--items -1"], ["--items", "-1"]),
                (["--executions -1"], ["--executions", "-1"]),
                (["--steps 0"], ["--steps", "0"]),
                (["--executions 0"], ["--executions", "0"]),
                (["--seconds -1"], ["--seconds", "-1"]),
                (["no/such"], ["--save", "no/such/x.race"]),
                (["x.race"], ["--queue", "all", "--save", "x.race"])):
            self.refused(words, "explore", *args)


class Replay(CommandLineTest):
    def edited(self, folder, change):
        with open(STORED) as file:
            race = json.load(file)
        change(race)
        path = os.path.join(folder, "edited.race")
        with open(path, "w") as file:
            json.dump(race, file)
        return path

    def test_a_stored_race_shows_one_column_per_thread(self):
        done = run("replay", STORED, "--trace")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"step +main +P0 +P1")
        self.assertRegex(done.stdout, r"\[claim\] rmw acq_rel &\d+ -> &\d+")
        self.assertIn("again: racewheel replay", done.stderr)
        row = self.json(1, "replay", STORED, "--trace")["rows"][0]
        self.assertEqual((row["finding"], row["specimen"]), ("data race", "relaxed-publish"))
        self.assertEqual(len(row["steps"]), len(row["trace"].splitlines()) - 1)

    def test_a_stale_read_says_which_newer_store_it_ignores(self):
        # P0 runs first; then main, at its first read that has a choice, takes the older store.
        traces = [run("replay", f"t1=1.r{number}=1", "--program", "push_pop", "--trace").stdout
                  for number in range(2, 12)]
        self.assertRegex("".join(traces), r"\[follow\] load acquire null, stale: ignores \[link\] of P0 \(")

    def test_a_schedule_without_a_finding_is_ok(self):
        done = run("replay", "-", "--program", "push_pop")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no finding on this schedule", done.stdout)

    def test_a_replay_that_diverges_names_the_step(self):
        def step(race):
            race["steps"][3] = "P0 somewhere"

        def fixed(race):
            del race["config"]["specimen"]

        def schedule(race):
            race["schedule"] += ".t900=1"

        def digest(race):
            race["digest"] = "0" * 16

        for change, words in ((step, ["step 4", "P0 somewhere", "P0 claim"]), (fixed, ["step 11"]),
                              (schedule, ["step 11", "900"]), (digest, ["0000000000000000"])):
            with tempfile.TemporaryDirectory() as folder:
                self.refused(["diverged", *words], "replay", self.edited(folder, change))
        self.refused(["diverged", "900"], "replay", "t900=1", "--program", "push_pop")

    def test_bad_input_names_the_value(self):
        with tempfile.TemporaryDirectory() as folder:
            for change, words in (
                    (lambda race: race.pop("memory"), ["memory"]),
                    (lambda race: race.update(program="dance"), ["dance", "push_pop"]),
                    (lambda race: race.update(format="other"), ["other"]),
                    (lambda race: race["parameters"].update(producers=99), ["producers 99"]),
                    (lambda race: race["parameters"].update(color=1), ["color"]),
                    (lambda race: race["config"].update(specimen="no-bug"), ["no-bug"])):
                self.refused(words, "replay", self.edited(folder, change))
            path = os.path.join(folder, "empty.race")
            open(path, "w").close()
            self.refused(["empty.race"], "replay", path)
            self.refused(["none.race"], "replay", os.path.join(folder, "none.race"))
        self.refused(["'dance'"], "replay", "dance")
        self.refused(["'t1=1'", "--program"], "replay", "t1=1")
        self.refused(["--program"], "replay", STORED, "--program", "push_pop")
        self.refused(["what"], "replay")

    @unittest.skipUnless(shutil.which("gdb"), "needs gdb")
    def test_a_debugger_stops_at_every_step(self):
        done = subprocess.run(
            ["gdb", "-q", "-nx", "-batch", "-ex", "set debuginfod enabled off",
             "-ex", "break racewheel_step", "-ex", "ignore 1 100000", "-ex", "run",
             "-ex", "info breakpoints", "--args", PROGRAM, "replay", STORED],
            capture_output=True, text=True, timeout=240)
        if "ptrace" in done.stderr:
            self.skipTest("debuggers are not allowed here")
        hits = re.search(r"already hit (\d+) times", done.stdout)
        self.assertIsNotNone(hits, done.stdout + done.stderr)
        steps = self.json(1, "replay", STORED)["rows"][0]["steps"]
        self.assertEqual(int(hits.group(1)), len(steps))


class Races(CommandLineTest):
    def test_each_specimen_is_found_and_each_twin_is_clean(self):
        data = self.json(0, "races")
        listed = self.json(0, "list", "specimens")["rows"]
        self.assertEqual([r["id"] for r in data["rows"]], [r["name"] for r in listed])
        for row in data["rows"]:
            self.assertLessEqual(RACES_ROW, set(row))
            self.assertIs(row["found"], True, row["id"])
            self.assertIs(row["pass"], True, row["id"])
            self.assertEqual(row["memory"], {"S": "sc", "W": "rc11"}[row["kind"]])
            self.assertEqual(row["sc"] != "", row["kind"] == "W")
            self.assertEqual(pasted(row["replay"]).returncode, 1, row["id"])

    def test_some_may_be_asked_for_and_saved(self):
        with tempfile.TemporaryDirectory() as folder:
            junit = os.path.join(folder, "junit.xml")
            rows = self.json(0, "races", "relaxed-publish", "early-break", "--save", folder,
                             "--junit", junit)["rows"]
            self.assertEqual({r["id"] for r in rows}, {"relaxed-publish", "early-break"})
            self.assertEqual(xml.parse(junit).getroot().get("tests"), "2")
            self.assertEqual(run("replay", os.path.join(folder, "early-break.race")).returncode, 1)

    def test_a_limit_that_is_too_tight_is_inconclusive_and_says_the_bound(self):
        data = self.json(3, "races", "start-stop-hang", "--seconds", "0.000001")
        self.assertIn("seconds", data["reason"])
        self.assertIs(data["rows"][0]["pass"], False)

    def test_bad_input_names_the_value_and_what_exists(self):
        self.refused(["no-bug", "relaxed-publish"], "races", "no-bug")
        self.refused(["nowhere"], "races", "--save", "nowhere")
        self.refused(["--seconds 0"], "races", "--seconds", "0")


class Lists(CommandLineTest):
    def test_programs_strategies_and_litmus_are_listed(self):
        for kind, name, trait in (("programs", "push_pop", "producers"), ("strategies", "pos", "summary"),
                                  ("litmus", "sb-rlx", "program"), ("races", "relaxed-publish", "kind")):
            rows = {r["name"]: r for r in self.json(0, "list", kind)["rows"]}
            self.assertIn(name, rows)
            self.assertIn(trait, rows[name]["traits"])


unittest.main()
