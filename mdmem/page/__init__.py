"""A vault as web pages: `mdmem page` serves them to a browser on this machine, `--out` writes them as files.

A page is one entry in the table of `site`, and three things that share its name: a function in `reading` that
turns the vault into a JSON value (its endpoint below `/api/` returns the same value), a pure function in `views`
that turns this value into what the page shows, and the page's template in `templates`. From the bottom up:
`request` holds what a page is asked for, `links` makes addresses of pages, `wording` puts dates into words,
`worddiff` compares texts, `markdown` renders notes as HTML, and `frame` renders the templates. `export` writes
files; `guards` decides who may use the `server`.
"""
