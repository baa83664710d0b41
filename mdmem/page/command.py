"""The command `page`."""

import os
import sys

from mdmem.acts.face import Face, Watch
from mdmem.acts.telling import Told
from mdmem.errors import MdmemError, UsageError
from mdmem.note.plural import counted


def page(
    face: Face,
    watch: Watch,
    *,
    port: int = 0,
    no_browser: bool = False,
    write: bool = False,
    out: str = "",
) -> Told | None:
    """Look at the memories in a browser: what changed, each with its history, and what to do about it.

    The pages are served to this machine alone, until Ctrl-C. The address works once, in one browser. With --out
    they are files that link to each other, need no server and no network, and are the same for the same vault; a
    second time only what changed is written. Memories above `low` are left out of files unless --max-sensitivity
    allows them.

    \b
    Examples:
      mdmem page
      mdmem page --write --port 8765
      mdmem page --out ~/memories-2026
    """
    try:
        import jinja2
        import starlette
        import uvicorn
    except ModuleNotFoundError as error:
        raise MdmemError(f"mdmem page needs another package ({error})", "pip install 'mdmem[web]'") from None
    del jinja2, starlette, uvicorn
    if not out:
        _serve(face, port, write, no_browser)
        return None
    if port or write:
        raise UsageError("--out excludes --port and --write", "leave out one or the other")
    from mdmem.page.export import export

    with face.opened() as vault, watch("writing pages") as report:
        done = export(face.outward(vault, "export"), os.path.abspath(out), report)
    kept = done.files - done.written
    if done.written or done.removed:
        said = f"{counted(done.written, 'file')} written, {kept} as they were, {done.removed} removed"
    else:
        said = f"nothing changed, {counted(kept, 'file')} as they were"
    return Told(done, [said, os.path.join(out, "index.html")])


def _serve(face: Face, port: int, write: bool, no_browser: bool) -> None:
    from mdmem.page.server import Listening

    keeper = face.keeper()
    with keeper.visit() as vault:
        keeper.clear(vault, "")
    keeper.close()
    listening = Listening(keeper, port, write)
    face.show(Told({"address": listening.address, "port": listening.port}, listening.address))
    face.tell("open that address; it works once. Ctrl-C ends this.")
    # a browser that runs in the terminal would be in the way
    has_screen = sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    if has_screen and not no_browser:
        import webbrowser

        webbrowser.open(listening.address)  # the port is already listening; it answers once the server runs
    try:
        listening.run()
    except KeyboardInterrupt:
        face.tell("stopped")
