"""axe-core finds nothing to complain of: no violation, and nothing that it could not decide."""

from playwright.sync_api import expect

TOOLS = ("reach", "workspace", "path", "inspect", "topology", "plots", "record", "controls")
TOOLS = (*TOOLS, "machine", "contacts")
PHONE = {"width": 390, "height": 844}


def in_tool(cab, tool):
    """Open a tool, from the strip or from the menu."""
    if cab.find("menu").count():
        cab.find("menu").click()
    cab.find(f"tool-{tool}").click()
    expect(cab.find(f"panel-{tool}").locator(f"hf-{tool}")).to_be_attached()


def in_all_tools(cab, findings):
    found = []
    for tool in TOOLS:
        in_tool(cab, tool)
        if tool == "plots":
            cab.find("plots-choose").click()
        if tool == "topology":
            cab.page.locator("[data-testid^=topology-group-]").first.click()
        cab.page.wait_for_timeout(300)  # what it fetches is there
        found += findings(cab, tool)
        cab.find("close-tool").click()
    return found


def in_windows(cab, findings):
    found = []
    for name in ("chooser", "help"):
        if not cab.find(name).count():
            cab.find("menu").click()
        cab.find(name).click()
        expect(cab.page.get_by_role("dialog")).to_be_visible()
        found += findings(cab, name)
        cab.find("close").click()
    return found


def test_the_page_and_its_windows(cab, findings):
    found = findings(cab, "main")
    found += in_windows(cab, findings)
    cab.send(type="set_physics", dynamics=True)
    cab.until("facts.status.dynamics")
    found += findings(cab, "dynamic")
    cab.find("estop").click()
    cab.until("facts.status.emergency")
    found += findings(cab, "emergency")
    assert found == []


def test_every_tool(cab, findings):
    assert in_all_tools(cab, findings) == []


def test_buttons_in_the_place_of_levers(cab, findings):
    assert findings(cab.fresh("sths"), "sths") == []


def test_a_viewer(server, visit, findings):
    page = visit(server.addresses[1], size={"width": 1100, "height": 760}).loaded()
    found = findings(page, "viewer")
    page.find("menu").click()
    found += findings(page, "menu")
    page.find("close").click()
    found += in_all_tools(page, findings)
    assert found == []


def test_a_telephone(server, visit, findings):
    page = visit(server.addresses[0], size=PHONE).fresh()
    found = findings(page, "main")
    page.find("menu").click()
    found += findings(page, "menu")
    page.find("close").click()
    found += in_windows(page, findings) + in_all_tools(page, findings)
    assert found == []
