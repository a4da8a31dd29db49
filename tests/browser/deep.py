"""What is where on a page whose parts are in shadow trees."""

# the element at a place of the window, and the one that has the focus, whatever tree they are in
AT = """(x, y) => {
  let at = document.elementFromPoint(x, y), below;
  while (at?.shadowRoot && (below = at.shadowRoot.elementFromPoint(x, y)) && below !== at)
    at = below;
  return at;
}"""
FOCUSED = """(() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
})()"""
# every element of the page, of all trees
ALL = """(() => {
  const found = [];
  const visit = (root) => {
    for (const element of root.querySelectorAll("*")) {
      found.push(element);
      if (element.shadowRoot) visit(element.shadowRoot);
    }
  };
  visit(document);
  return found;
})()"""


def focused(cab):
    """Test id of what has the focus; empty where nothing has it."""
    return cab.page.evaluate(f"{FOCUSED}?.dataset.testid ?? ''")


def uncovered(cab, name):
    """Whether an element is whole within the window, and is what a finger on its middle meets."""
    return cab.find(name).evaluate(
        f"""(element) => {{
          const {{ left, top, right, bottom }} = element.getBoundingClientRect();
          if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) return false;
          let at = ({AT})((left + right) / 2, (top + bottom) / 2);
          while (at && at !== element) at = at.parentNode ?? at.host;
          return at === element;
        }}"""
    )
