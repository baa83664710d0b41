"""Web pages of files on the host that a repository is pushed to, for hosts with a known URL format."""

from __future__ import annotations

from mdmem.note import patterns
from mdmem.store.git import remotes

_HTTP = patterns.late(r"https?://(?P<host>[^/?#]+)/(?P<path>[^?#]+)")
_SSH = patterns.late(r"(?:git\+)?ssh://(?:[^@/\s]+@)?(?P<host>[^/@:\s]+)(?::\d+)?/(?P<path>[^?#]+)")
_SCP = patterns.late(r"(?:[^@/:\s]+@)?(?P<host>[\w-]+(?:\.[\w-]+)+):(?P<path>[^?#]+)")


# The part of a host's name that identifies it -> the format of its URLs of files.
_FORMS = {
    "github": "https://{host}/{project}/blob/{commit}/{path}#L{line}",
    "gitlab": "https://{host}/{project}/-/blob/{commit}/{path}#L{line}",
    **dict.fromkeys(
        ("gitea", "forgejo", "codeberg"), "https://{host}/{project}/src/commit/{commit}/{path}#L{line}"
    ),
}


def page_of(url: str, commit: str, path: str, line: int) -> str:
    """The URL of a line (1-based) of a file at a commit; "" if the host's format is not known.

    Names, passwords and tokens in `url` are left out. The scheme is https, even if git uses ssh.
    """
    found = _HTTP.match(remotes.public(url)) or _SSH.match(url) or _SCP.match(url)
    if not found or not commit:
        return ""
    from urllib.parse import quote

    host = found["host"].lower()
    project = found["path"].strip("/").removesuffix(".git")
    form = next((form for mark, form in _FORMS.items() if mark in host), "")
    return form.format(host=host, project=quote(project), commit=commit, path=quote(path), line=line)
