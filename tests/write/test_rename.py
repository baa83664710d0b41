"""Links to and from memories that are renamed or change folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mdmem.store.operation import Caller
from mdmem.store.vault import lookup
from mdmem.store.vault.vault import Vault
from mdmem.write import rename as moves
from tests.conftest import Commit, Remember, Run, Write

DATED = "---\ncreated: 2026-01-05\n---\n"


def rename(vault: Vault, caller: Caller, old: str, new: str) -> moves.Moved:
    return moves.rename(vault, lookup.find(vault, old), new, caller)


RENAMED = {
    "[[the_old_name]]": "[[the_new_name]]",
    r"| [[the_old_name\|Alias]] |": r"| [[the_new_name\|Alias]] |",
    "[[sub/the_old_name]]": "[[sub/the_new_name]]",
    "[[allmemories/sub/the_old_name|x]]": "[[allmemories/sub/the_new_name|x]]",
    "[[/allmemories/sub/the_old_name]]": "[[/allmemories/sub/the_new_name]]",
    "[[The_Old_Name#Part]]": "[[the_new_name#Part]]",
    "![[the_old_name]]": "![[the_new_name]]",
    '[a](sub/the_old_name.md "t")': '[a](sub/the_new_name.md "t")',
    "[a](/allmemories/sub/the_old_name.md)": "[a](/allmemories/sub/the_new_name.md)",
    "[a](allmemories/sub/the_old_name.md)": "[a](allmemories/sub/the_new_name.md)",
    "[a](the_old_name.md)": "[a](the_new_name.md)",
    "[a](./sub/the_old_name.md#x)": "[a](./sub/the_new_name.md#x)",
    "[a]: sub/the_old_name.md": "[a]: sub/the_new_name.md",
    "[[other/the_old_name]]": "[[other/the_old_name]]",
    "`[[the_old_name]]`": "`[[the_old_name]]`",
    "```\n[[the_old_name]]\n```": "```\n[[the_old_name]]\n```",
    "> ```\n> [[the_old_name]]\n> ```": "> ```\n> [[the_old_name]]\n> ```",
}


def test_links_of_every_form_follow_a_new_name(vault: Vault, caller: Caller, write: Write, commit: Commit) -> None:
    write("allmemories/sub/the_old_name.md", "x")
    linking = write("allmemories/linking_note_here.md", "\n\n".join(RENAMED))
    other = write("allmemories/other_note_here.md", "[[other/the_old_name]]")
    commit()
    done = rename(vault, caller, "the_old_name", "the_new_name")
    assert linking.read_text().split("\n\n") == list(RENAMED.values())
    assert other.read_text() == "[[other/the_old_name]]"
    assert (done.relinked, done.left) == (("allmemories/linking_note_here.md",), ())


def test_links_in_properties_follow(vault: Vault, caller: Caller, write: Write, commit: Commit) -> None:
    write("allmemories/the_old_name.md", "x")
    text = '---\nsupersedes:\n  - "[[{0}]]"\nseen: "with [[{0}|it]] and more" # [[{0}]]\n---\n'
    linking = write("allmemories/linking_note_here.md", text.format("the_old_name"))
    commit()
    rename(vault, caller, "the_old_name", "the_new_name")
    assert linking.read_text() == text.format("the_new_name")


def test_a_link_that_may_mean_two_notes_is_left_and_named(
    vault: Vault, caller: Caller, write: Write, commit: Commit
) -> None:
    write("allmemories/one/the_old_name.md", "x")
    write("allmemories/two/the_old_name.md", "x")
    linking = write(
        "allmemories/linking_note_here.md", "\n[[the_old_name]] [[two/the_old_name]] [[one/the_old_name]]"
    )
    commit()
    done = rename(vault, caller, "allmemories/one/the_old_name.md", "the_new_name")
    assert linking.read_text() == "\n[[the_old_name]] [[two/the_old_name]] [[one/the_new_name]]"
    (left,) = done.left
    assert (left.path, left.line, left.severity) == ("allmemories/linking_note_here.md", 2, "warning")
    assert "two/the_old_name.md" in left.message


def test_ways_to_images_and_files_follow_a_note_to_another_folder(
    vault: Vault, caller: Caller, write: Write, commit: Commit
) -> None:
    write("allmemories/pic one.png", b"png")
    write("plan.canvas", "{}")
    write("main.py", "x")
    text = (
        '![p](pic%20one.png) ![p](<pic one.png> "t") ![[../plan.canvas]] ![[pic one.png]] [c](../main.py#L3)\n'
        "[web](https://x.org/pic.png) [none](missing.png) [self](first_note_here.md)\n\n[r]: ../main.py\n"
    )
    note = write("allmemories/first_note_here.md", DATED + text)
    commit()
    moves.relayout(vault, "month", caller)
    moved = note.parent / "2026/01/first_note_here.md"
    assert moved.read_text() == DATED + (
        '![p](../../pic%20one.png) ![p](<../../pic one.png> "t") ![[../../../plan.canvas]] ![[pic one.png]]'
        " [c](../../../main.py#L3)\n"
        "[web](https://x.org/pic.png) [none](missing.png) [self](first_note_here.md)\n\n[r]: ../../../main.py\n"
    )
    moves.relayout(vault, "flat", caller)
    assert note.read_text() == DATED + text


def test_partial_paths_follow_a_layout(vault: Vault, caller: Caller, write: Write, commit: Commit) -> None:
    write("allmemories/first_note_here.md", DATED)
    linking = write(
        "allmemories/mine/own_note_here.md",
        "[[first_note_here]] [[allmemories/first_note_here|a]] [b](../first_note_here.md)",
    )
    commit()
    moves.relayout(vault, "month", caller)
    assert linking.read_text() == (
        "[[first_note_here]] [[allmemories/2026/01/first_note_here|a]] [b](../2026/01/first_note_here.md)"
    )


def test_the_open_vault_knows_its_new_layout(vault: Vault, caller: Caller, remember: Remember) -> None:
    moves.relayout(vault, "month", caller)
    assert remember("x", "some_note_here") == "allmemories/2026/03/some_note_here.md"


def test_the_reason_of_a_layout_is_kept(root: Path, mdmem: Run) -> None:
    mdmem("remember", "x", "--name", "some_note_here", "--vault", root)
    mdmem("layout", "month", "--reason", "commits were slow", "--vault", root)
    (entry, *_) = json.loads(mdmem("log", "--json", "--vault", root).out)
    assert entry["reason"] == "commits were slow"


def test_the_moves_are_read_once_not_for_each_note(vault: Vault) -> None:
    class Counted(dict[str, str]):
        readings = 0

        def __iter__(self) -> Any:
            self.readings += 1
            return super().__iter__()

        def items(self) -> Any:
            self.readings += 1
            return super().items()

    table = Counted({f"note_{number}.md": f"a/note_{number}.md" for number in range(20)})
    relinker = moves.Relinker(table, lambda stem: [f"{stem}.md"], lambda path: False)
    for path in list(table):
        relinker.relinked(b"[[note_1]] [a](note_2.md)", path)
    assert table.readings <= 2
