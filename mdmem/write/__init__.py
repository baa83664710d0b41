"""Writing memories: remember, edit, rename, forget; succession; secrets."""
