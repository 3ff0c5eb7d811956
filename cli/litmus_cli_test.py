"""racewheel litmus: the table, typed programs, random ones."""
import json
import os
import tempfile
import unittest
import xml.etree.ElementTree as xml

from cli_kit import CommandLineTest, run

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "explore", "litmus_table.jsonl")
STORE_BUFFERING = "W x 1 rlx; R y rlx | W y 1 rlx; R x rlx"


class Litmus(CommandLineTest):
    def test_the_whole_table_is_exact_under_both_models(self):
        data = self.json(0, "litmus")
        with open(TABLE) as file:
            rows = {row["name"]: row for row in map(json.loads, file)}
        self.assertEqual(len(data["rows"]), 2 * len(rows))
        for row in data["rows"]:
            expected = rows[row["name"]][row["memory"]]
            for key in ("graphs", "data_race"):
                self.assertEqual(row[key], expected[key], row["name"])
            self.assertCountEqual(row["outcomes"], expected["outcomes"], row["name"])
            self.assertGreaterEqual(row["executions"], row["graphs"])

    def test_the_table_for_people_ends_with_its_sum_and_carries_the_notes(self):
        done = run("litmus", "--memory", "rc11")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("note: sb-rfis: RC11 allows", done.stdout)
        self.assertIn("65 programs, 65 results, 0 differ from the table", done.stdout)

    def spoiled(self, folder, change):
        with open(TABLE) as file:
            rows = [json.loads(line) for line in file]
        change(rows[0])
        path = os.path.join(folder, "spoiled.jsonl")
        with open(path, "w") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows[:3])
        return path

    def test_any_difference_from_the_table_is_a_violation(self):
        def graphs(row):
            row["rc11"]["graphs"] += 1

        def missing(row):
            row["sc"]["outcomes"].append({"P0:r0": 7, "P1:r0": 0, "x": 1, "y": 1})

        def surplus(row):
            row["rc11"]["outcomes"].pop()

        def race(row):
            row["sc"]["data_race"] = True

        for change, words in ((graphs, "4 graphs instead of 5"), (missing, "missing {P0:r0=7"),
                              (surplus, "not allowed {"), (race, "no data race where one")):
            with tempfile.TemporaryDirectory() as folder:
                path = self.spoiled(folder, change)
                junit = os.path.join(folder, "junit.xml")
                done = run("litmus", "--table", path, "--junit", junit)
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertIn("DIFFERS: " + words, done.stdout)
                self.assertIn("1 differ from the table", done.stdout)
                again = done.stderr.splitlines()[-1]
                self.assertTrue(again.startswith("again: racewheel litmus sb-rlx --memory "), again)
                suite = xml.parse(junit).getroot()
                self.assertEqual((suite.get("tests"), suite.get("failures")), ("6", "1"))
                self.assertIn(words, suite.find(".//failure").get("message"))
                self.assertEqual(run("litmus", "sb-ra", "--table", path).returncode, 0)

    def test_a_table_that_cannot_be_read_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = self.spoiled(folder, lambda row: row.pop("rc11"))
            self.refused([path, "line 1", "rc11"], "litmus", "--table", path)
            self.refused(["nowhere.jsonl"], "litmus", "--table", os.path.join(folder, "nowhere.jsonl"))

    def test_a_typed_program_shows_its_outcomes(self):
        rows = self.json(0, "litmus", STORE_BUFFERING)["rows"]
        self.assertEqual([r["memory"] for r in rows], ["rc11", "sc"])
        self.assertEqual([r["graphs"] for r in rows], [4, 3])
        self.assertEqual(rows[0]["program"], STORE_BUFFERING)
        self.assertIs(rows[0]["data_race"], False)
        stale = {"P0:r0": 0, "P1:r0": 0, "x": 1, "y": 1}
        self.assertIn(stale, rows[0]["outcomes"])
        self.assertNotIn(stale, rows[1]["outcomes"])
        shown = [line.split() for line in run("litmus", STORE_BUFFERING).stdout.splitlines()]
        self.assertIn(["0", "0", "1", "1", "rc11"], shown)
        self.assertIn(["1", "0", "1", "1", "sc", "rc11"], shown)

    def test_one_model_can_be_asked_for(self):
        rows = self.json(0, "litmus", STORE_BUFFERING, "--memory", "sc")["rows"]
        self.assertEqual([r["memory"] for r in rows], ["sc"])
        self.refused(["tso", "sc", "rc11"], "litmus", STORE_BUFFERING, "--memory", "tso")

    def test_a_race_is_shown_with_both_accesses_and_is_no_failure(self):
        self.assertIs(self.json(0, "litmus", "W x 1 na | R x na")["rows"][0]["data_race"], True)
        done = run("litmus", "W x 1 na | R x na", "--memory", "sc")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"DATA RACE: .*\[W x 1 na\].*\[R x na\]")

    def test_a_skipped_register_has_no_value(self):
        rows = self.json(0, "litmus", "R x rlx; ?r0=1 R y rlx", "--memory", "rc11")["rows"]
        self.assertEqual(rows[0]["outcomes"], [{"P0:r0": 0, "x": 0, "y": 0}])

    def test_names_and_programs_may_be_mixed(self):
        rows = self.json(0, "litmus", "sb-sc", STORE_BUFFERING, "--memory", "rc11")["rows"]
        self.assertEqual([r["name"] for r in rows], ["sb-sc", "sb-rlx"])  # a typed one is recognised

    def test_bad_input_names_the_value_or_its_position(self):
        self.refused(["column 7", "'acq'"], "litmus", "W x 1 acq")
        self.refused(["column 13", "'Q'"], "litmus", "W x 1 rlx | Q x rlx")
        self.refused(["column 1", "the end"], "litmus", "")
        self.refused(["'sb-relaxed'", "sb-rlx"], "litmus", "sb-relaxed")
        self.refused(["16 threads"], "litmus", "|".join(["F sc"] * 20))
        self.refused(["--random 0"], "litmus", "--random", "0")
        self.refused(["--seed -1"], "litmus", "--random", "3", "--seed", "-1")
        self.refused(["--random 5"], "litmus", "sb-rlx", "--random", "5")
        self.refused(["--seconds 0"], "litmus", "sb-rlx", "--seconds", "0")

    def test_a_search_that_runs_out_of_time_is_inconclusive(self):
        thread = "R x rlx; W x {} rlx; R x rlx; W x {} rlx"
        program = "|".join(thread.format(2 * i + 1, 2 * i + 2) for i in range(4))
        data = self.json(3, "litmus", program, "--memory", "rc11", "--seconds", "0.05")
        self.assertEqual(data["verdict"], "inconclusive")
        self.assertIn("seconds", data["reason"])
        self.assertIn("--memory rc11", data["replay"])

    def test_random_programs_agree_with_the_oracle(self):
        done = run("litmus", "--random", "60", "--seed", "5000")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("60 random programs from seed 5000, 120 results", done.stdout)
        self.assertIn("0 differ from the oracle", done.stdout)
        data = self.json(0, "litmus", "--random", "3", "--seed", "7", "--memory", "sc")
        self.assertEqual((data["rows"], data["seed"]), ([], 7))


unittest.main()
