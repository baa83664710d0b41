"""The command `inbox`."""
