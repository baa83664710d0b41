"""A vault as web pages: `mdmem page` serves them to a browser on this machine, `--out` writes them as files.

A page is one entry in the table of `site`, and two things that share its name: a function in `acts.pages` that
turns the vault into a JSON value (its endpoint below `/api/` returns the same value), and the template in
`templates` that lays this value out. From the bottom up: `request` holds what a page is asked for, `links` makes
addresses of pages, `worddiff` compares texts, `markdown` renders notes as HTML, `drawing` finds places for nodes
and bars, `filters` are what templates ask of these, and put dates into words, and `frame` renders the templates.
`export` writes files; `guards` decides who may use the `server`.
"""
