/** Where the keyboard's focus is, and where Tab goes within a window. */

const RECEIVES = "a[href], button, input, select, textarea, [tabindex]";

/** The element that has the focus, in whatever shadow tree it is. */
export function focused(): HTMLElement | null {
  let at: Element | null = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at instanceof HTMLElement && at !== document.body ? at : null;
}

/** Everything below an element that Tab stops at, in order; slots and shadow trees are followed. */
export function stops(root: Element): HTMLElement[] {
  const found: HTMLElement[] = [];
  const visit = (element: Element): void => {
    if (element instanceof HTMLElement && receives(element)) found.push(element);
    const assigned = element instanceof HTMLSlotElement ? element.assignedElements() : [];
    const below = element.shadowRoot?.children ?? element.children;
    for (const child of assigned.length > 0 ? assigned : below) visit(child);
  };
  visit(root);
  return found;
}

function receives(element: HTMLElement): boolean {
  return (
    element.matches(RECEIVES) &&
    element.tabIndex >= 0 &&
    !element.matches(":disabled") &&
    element.checkVisibility({ visibilityProperty: true })
  );
}

/** Tab goes round within an element: from the last stop to the first, and back with Shift. */
export function goRound(event: KeyboardEvent, root: Element): void {
  if (event.key !== "Tab") return;
  const all = stops(root);
  const at = focused();
  const end = event.shiftKey ? all[0] : all.at(-1);
  if (at !== end && at !== null && all.includes(at)) return;
  event.preventDefault();
  (event.shiftKey ? all.at(-1) : all[0])?.focus();
}
