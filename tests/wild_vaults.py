"""Two made-up vaults in the manner of public ones: a person's own, and the pages of a manual."""

from __future__ import annotations

from pathlib import Path

DAILY = "---\ntags:\n  - daily\n---\n## Notes\n\n![[Daily.base]]\n"
ALBUMS = {
    "Bass on Top": ("Paul Chambers", 1957),
    "Kind of Blue": ("Miles Davis", 1959),
    "Blue Train": ("John Coltrane", 1957),
    "Moanin'": ("Art Blakey", 1958),
}
MOVIES = {"Blade Runner (1982)": 7, "Blade Runner 2049": 6, "Stalker": 7, "Solaris (1972)": 6, "Solaris (2002)": 4}


def personal_vault(root: Path) -> None:
    """Daily notes from one template, category pages that are a table only, references with links as properties."""
    for day in ("2023-09-12", "2023-09-30", "2023-10-01", "2023-10-02", "2023-11-20"):
        _write(root, f"Daily/{day}.md", DAILY)
    for category in ("Albums", "Books", "Movies", "Podcast episodes", "People", "Musicians", "Places"):
        _write(root, f"Categories/{category}.md", f"![[{category}.base]]\n")
    for title, (musician, year) in ALBUMS.items():
        head = f'categories:\n  - "[[Albums]]"\nartist:\n  - "[[{musician}]]"\nyear: {year}\nrating:\nstatus:'
        _write(root, f"References/{title}.md", f"---\n{head}\n---\n")
    for musician in {musician for musician, _ in ALBUMS.values()}:
        head = 'categories:\n  - "[[People]]"\n  - "[[Musicians]]"'
        _write(root, f"References/{musician}.md", f"---\n{head}\n---\n## Albums\n\n![[Albums.base#Artist]]\n")
    _write(root, "References/Kevin Kelly.md", "## Podcast episodes\n\n![[Podcast episodes.base#Guest]]\n")
    for title, rating in MOVIES.items():
        head = f'categories:\n  - "[[Movies]]"\nrating: {rating}\nstatus: watched\ntype: "[[Movies]]"'
        _write(root, f"References/{title}.md", f"---\n{head}\n---\n")
    _write(root, "2023 goals.md", "- [ ] Read more [[Books]]\n- [ ] Call [[Grandma]] every week\n")
    _write(root, "2024 goals.md", "- [ ] Read more [[Books]]\n- [ ] Call [[Grandma]] every week\n")
    _write(
        root,
        "Evergreen notes.md",
        "---\ncreated: 2023-10-04\nsource: https://example.org/evergreen\ntags: [0🌲]\n---\n"
        "Notes that are #evergreen grow over time. See [[Atomic notes]] and [[Unwritten idea]]. #writing/method\n",
    )
    _write(
        root, "Atomic notes.md", "One note holds one idea, so that it can be linked to. See [[Evergreen notes]].\n"
    )
    templates = {
        "Daily": DAILY,
        "Movie": '---\ncategories:\n  - "[[Movies]]"\nrating:\n---\n',
        "Person": "## Albums\n",
    }
    for name, text in templates.items():
        _write(root, f"Templates/{name} Template.md", text)
    _write(root, ".obsidian/templates.json", '{"folder": "Templates"}')
    _write(root, ".obsidian/app.json", '{"newFileLocation": "folder", "newFileFolderPath": "Clippings"}')
    for base in ("Albums", "Daily", "Movies"):
        _write(root, f"Templates/Bases/{base}.base", "views:\n  - type: table\n")


def manual_vault(root: Path) -> None:
    """Release notes that differ in little, pages in two languages, an AGENTS.md without a word on memory."""
    for minor in range(8):
        fixes = f"- Fixed a crash when the window was closed.\n- Fixed the colors of theme {minor}.\n"
        _write(root, f"Release notes/v1.2.{minor}.md", f"---\npublish: true\n---\n## Bug fixes\n\n{fixes}")
    _write(
        root,
        "Release notes/v1.3.0 (bad release).md",
        "## Bug fixes\n\n- Fixed a crash when the window was closed.\n",
    )
    pages = {
        "Themes": "A theme changes the colors of the app. See [[Plugins]] to change what it does.",
        "Build a theme": "A theme changes the colors of the app. See [[Themes]] for how to install one.",
        "Plugins": "A plugin changes what the app does. See [[Themes]] to change its colors.",
        "Manage notes": "Make, rename and delete notes in the file explorer. #getting-started",
    }
    for name, text in pages.items():
        _write(root, f"en/{name}.md", f"---\ncssclass: soft-embed\naliases:\n  - {name} page\n---\n{text}\n")
        _write(root, f"da/{name}.md", f"---\npermalink: {name.lower().replace(' ', '-')}\n---\n{text}\n")
    _write(root, "en/Index.md", "".join(f"- [[{name}]]\n" for name in pages))
    _write(root, "da/Index.md", "".join(f"- [[{name}]]\n" for name in pages))
    _write(root, "AGENTS.md", "# House style\n\nWrite short sentences. Use American spelling.\n")


def _write(root: Path, path: str, text: str) -> None:
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, "utf-8")
