"""One Markdown file: its frontmatter, names, links, sections. Pure."""
