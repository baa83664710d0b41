"""The command `mcp`."""

from mdmem.acts.face import Face
from mdmem.errors import MdmemError


def mcp(
    face: Face,
    *,
    read_only: bool = False,
    tools: str = "standard",
) -> None:
    """Serve the memories to an agent over MCP, on standard input and output, until the input ends.

    An agent starts this command itself; it gets the tools recall, read, brief, remember, revise, forget,
    restore, garden and judge. Each write is a commit in the name and the session of the agent, so that
    `mdmem undo` takes it back. Without --vault it is the vault around the folder that the agent works in, else as
    for any command.

    \b
    Examples:
      claude mcp add mdmem -- mdmem mcp
      mdmem mcp --vault ~/notes --read-only --max-sensitivity public
    """
    try:
        from mdmem.mcp.server import serve
    except ModuleNotFoundError as error:
        if error.name and error.name.startswith("mdmem"):
            raise
        raise MdmemError(f"mdmem mcp needs the package 'mcp' ({error})", "pip install 'mdmem[mcp]'") from None
    from mdmem.mcp.desk import Desk
    from mdmem.mcp.toolbox import chosen

    serve(Desk(face.keeper(), *chosen(tools, read_only)))
