"""`migration_tool` of RLM-MEM: here it is `mdmem import rlm`."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import UTC, datetime

from mdmem.errors import NotFoundError
from mdmem.note import fields
from mdmem.store import identity
from mdmem.store.local import place
from mdmem.store.operation import Caller
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from mdmem.systems.rlm import importing, opening

_FOLDER = "brain/memory"


def migrate_chunks(
    src_dir: str | os.PathLike[str],
    dest_layer: str,
    default_scope: str,
    dry_run: bool = False,
    backup: bool = False,
) -> None:
    """Import a tree of JSON chunks into the vault here, and print what was done.

    Where there is no vault, brain/memory becomes one. The memories get `default_scope`. A vault has no layers, and
    git keeps earlier versions, so `dest_layer` and `backup` are accepted but change nothing. Raises MdmemError if
    the vault cannot be written.
    """
    del dest_layer, backup
    if not os.path.isdir(src_dir):
        print(f"{os.fspath(src_dir)} is not a folder")
        return
    caller = Caller(datetime.now(UTC), identity.actor_of(os.environ))
    with _vault(caller) as vault:
        plan = importing.plan(vault, os.fspath(src_dir), silent)
        if not dry_run:
            scope = {"scope": default_scope}
            items = (item._replace(data=fields.set_fields(item.data, scope, item.path)) for item in plan.items)
            importing.write(vault, replace(plan, items=tuple(items)), caller)
    left_out = [problem for problem in plan.problems if problem.severity == "error"]
    print(f"{'would import' if dry_run else 'imported'} {len(plan.items)}, there already {len(plan.known)}")
    for problem in left_out:
        print(problem)


def _vault(caller: Caller) -> Vault:
    try:
        return Vault(place.locate())
    except NotFoundError:
        return opening.opened(_FOLDER, caller)
