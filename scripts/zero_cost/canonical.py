"""Filter: puts neighbouring moves that do not touch each other into one order.

How deep a function was inlined decides how clang++ orders two such moves, and nothing else. Moves
that both use memory, or of which one writes a register that the other uses, stay where they are.
"""
import re
import sys


def effects(line):
    """(registers read, registers written, uses memory) of a 64-bit mov, or None."""
    m = re.fullmatch(r"\s*mov (\S*?),([^,]*|[^,]*\(.*\))", line)
    if not m or re.search(r"%(?!r[a-z0-9]+\b)", line):
        return None
    source, target = m.groups()
    registers = lambda text: set(re.findall(r"%\w+", text))
    if "(" in target:
        return registers(source) | registers(target), set(), True
    return registers(source), registers(target), "(" in source


def commute(one, other):
    if one is None or other is None or (one[2] and other[2]):
        return False
    return not (one[1] & (other[0] | other[1]) or other[1] & one[0])


lines = sys.stdin.read().splitlines()
moved = True
while moved:
    moved = False
    for i in range(len(lines) - 1):
        one, other = lines[i : i + 2]
        if one > other and commute(effects(one), effects(other)):
            lines[i : i + 2] = other, one
            moved = True
print("\n".join(lines))
