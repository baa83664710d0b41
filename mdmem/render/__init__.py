"""Values for programs and people: `json` has one builder for each, `text` its lines. Nothing is computed here."""
