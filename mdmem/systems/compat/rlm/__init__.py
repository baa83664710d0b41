"""RLM-MEM's package over a vault, with the names of its modules: `from mdmem.compat.rlm import ChunkStore`."""

from mdmem.systems.chunks import __all__ as __all__
from mdmem.systems.chunks import __getattr__ as __getattr__
