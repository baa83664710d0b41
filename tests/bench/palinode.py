"""Palinode beside mdmem: run by the Python that has it, which need not be mdmem's own.

    PYTHON -P tests/bench/palinode.py FOLDER < questions

Indexes the notes of a folder for search by words, which is its mode without a model server. Then it answers each
line, a question as a JSON text, with another: the names of the notes that it finds, best first, and the processor
time in seconds.
"""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

SHOWN = 20


def main(folder: Path) -> None:
    """Index the folder and answer what comes on standard input."""
    os.environ |= {"PALINODE_DIR": str(folder), "PALINODE_ALLOW_FRESH_DB": "1"}
    (folder / "palinode.config.yaml").write_text("search:\n  retrieval_mode: lexical\n", encoding="utf-8")
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):  # it greets
        from palinode.core import store
        from palinode.indexer.index_file import index_file

        store.init_db()
        for path in sorted(folder.glob("*.md")):
            if error := index_file(str(path))["error"]:
                raise SystemExit(f"{path.name}: {error}")
    for line in sys.stdin:
        start = time.process_time()
        hits = store.search_hybrid(json.loads(line), None, top_k=SHOWN, record_access=False)
        names = dict.fromkeys(Path(hit["file_path"]).stem for hit in hits)
        print(json.dumps([[*names], time.process_time() - start]), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
