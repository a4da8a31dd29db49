"""What a page fetches once a scene: the machine's graph, and facts about its parts."""

from __future__ import annotations

from fastapi import Request, Response

from ...protocol.sheets import FactsSheet, TopologySheet
from .answers import document
from .desk import Desk, problem

TOO_LARGE = "this machine has too many links for a drawing of its graph"
NOT_YET = "there is no machine yet"


def add_sheets(desk: Desk) -> None:
    """Add the routes."""
    hub = desk.hub

    def answer(request: Request, name: str) -> Response:
        if refusal := desk.refuses(request):
            return refusal
        if name not in hub.sheets:
            return problem(TOO_LARGE if hub.sheets else NOT_YET, 404)
        return Response(
            hub.sheets[name], media_type="application/json", headers={"cache-control": "no-store"}
        )

    @desk.app.get("/topology", **document(TopologySheet, 404))
    async def topology(request: Request) -> Response:
        """The graph of the scene's machine, as `protocol.sheets.TopologySheet`."""
        return answer(request, "topology")

    @desk.app.get("/facts", **document(FactsSheet, 404))
    async def facts(request: Request) -> Response:
        """Facts about the parts of the scene's machine, as `protocol.sheets.FactsSheet`."""
        return answer(request, "facts")
