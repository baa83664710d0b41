"""The layered memory: dialogs as entries, their facts, a memory for each topic and one page over all of them."""
