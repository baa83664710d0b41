"""The logs that coding agents keep of their sessions, one module per client."""
