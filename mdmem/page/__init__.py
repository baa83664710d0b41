"""A vault as pages: `mdmem page` serves them to a browser on this machine, `--out` writes them as files.

A page is one line in the table of `site`, and three things of its name: in `reading` a function from the vault to
a JSON value, which is also what its endpoint below `/api/` answers; in `views` a pure function from that value to
what the page shows; in `templates` the page. From the ground up: `request` is what a page is asked for, `links`
the addresses of pages, `wording` dates in words, `worddiff` what changed, `markdown` notes as HTML, `frame` makes
the HTML. `export` writes files; `guards` says who may ask the `server`.
"""
