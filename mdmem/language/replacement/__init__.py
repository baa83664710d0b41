"""Which note takes the place of which, as texts say it beside a link."""
