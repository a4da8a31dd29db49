/** What is printed on a key: from the browser where it knows, else from the key's code. */

interface LayoutMap {
  get(code: string): string | undefined;
}

interface KeyboardApi {
  getLayoutMap(): Promise<LayoutMap>;
}

const SIGNS: Readonly<Record<string, string>> = {
  Period: ".",
  Comma: ",",
  BracketLeft: "[",
  BracketRight: "]",
  Quote: "'",
  Semicolon: ";",
  Equal: "=",
  Minus: "-",
  Slash: "/",
  Escape: "Esc",
  Delete: "Del",
  PageDown: "Page ↓",
  ArrowUp: "↑",
  ArrowDown: "↓",
};
const NUMPAD: Readonly<Record<string, string>> = {
  Add: "+",
  Subtract: "−",
  Multiply: "×",
  Divide: "÷",
};

/** A short label of a key on a US keyboard. */
export function plainKeyName(code: string): string {
  if (/^Key[A-Z]$/.test(code)) return code.slice(3);
  if (/^Digit\d$/.test(code)) return code.slice(5);
  if (code.startsWith("Numpad")) return `Num ${NUMPAD[code.slice(6)] ?? code.slice(6)}`;
  return SIGNS[code] ?? code;
}

/** Labels for codes, on this keyboard if the browser tells. */
export async function keyNames(): Promise<(code: string) => string> {
  try {
    const api = (navigator as Navigator & { keyboard?: KeyboardApi }).keyboard;
    const map = await api?.getLayoutMap();
    if (!map) return plainKeyName;
    return (code) => {
      if (code.startsWith("Numpad")) return plainKeyName(code);
      return map.get(code)?.toUpperCase() ?? plainKeyName(code);
    };
  } catch {
    return plainKeyName;
  }
}
