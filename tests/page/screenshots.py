"""Make the pictures of the guide on pages again, of the showcase: light and dark.

    python -m tests.page.screenshots [FOLDER]

It needs chromium and playwright (`make browser`).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.conftest import git_settings, is_of_the_developer
from tests.page import showcase
from tests.page.conftest import Site, serving

PICTURES = Path(__file__).parents[2] / "mdmem/guides/page"
PAGES = {
    "today": "/",
    "memory": f"/memory/{showcase.CENTRE}",
    "review": "/review",
    "graph": f"/around/{showcase.CENTRE}?reach=2",
}
LARGEST = 100_000  # bytes of a picture
_WIDTH, _HEIGHT = 1000, 600
_HEIGHTS = {"graph": 860}  # of what is looked at as a whole


def take(site: Site, browser: Any, folder: Path, scheme: str) -> None:
    """Write the picture of each page. Raises ValueError for one that is too large."""
    context = browser.new_context(color_scheme=scheme, reduced_motion="reduce")
    site.get("/assets/page.css")
    name, _, value = site.cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "url": f"http://{site.host}"}])
    page = context.new_page()
    for what, path in PAGES.items():
        page.set_viewport_size({"width": _WIDTH, "height": _HEIGHTS.get(what, _HEIGHT)})
        page.goto(f"http://{site.host}{path}")
        place = folder / f"{what}-{scheme}.png"
        page.screenshot(path=place)
        size = place.stat().st_size
        print(f"{place}: {size / 1000:.0f} kB")
        if size > LARGEST:
            raise ValueError(f"{place} has {size} bytes, more than {LARGEST}")
    context.close()


def main() -> None:
    from playwright.sync_api import sync_playwright

    folder = Path(sys.argv[1]) if sys.argv[1:] else PICTURES
    folder.mkdir(parents=True, exist_ok=True)
    for variable in filter(is_of_the_developer, list(os.environ)):
        del os.environ[variable]
    with tempfile.TemporaryDirectory() as work:
        home = Path(work)
        root = home / "shop"
        (root / showcase.FOLDER).mkdir(parents=True)
        (root / "mdmem.toml").write_text('id = "shop"\n')
        os.environ |= {**git_settings(home), "MDMEM_NOW": "2026-03-01T12:00:00Z"}
        for line in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "a vault"]):
            subprocess.run(["git", *line], cwd=root, check=True)
        showcase.build(root, home)
        with sync_playwright() as started:
            program = shutil.which("chromium") or shutil.which("chromium-browser")
            browser = started.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
            for site in serving(root, may_write=True):
                for scheme in ("light", "dark"):
                    take(site, browser, folder, scheme)
            browser.close()


if __name__ == "__main__":
    main()
