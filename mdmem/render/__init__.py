"""Values for programs and people: `json` has one builder for each, `text` its lines. It computes nothing."""
