const typing = 'input, textarea, select, [contenteditable="true"], [role="combobox"], [role="listbox"], [role="menu"]';
/** A modal dialog disables the page's keys; the drawer of a row (`data-shortcuts`) does not. */
const dialogInFront = '[role="dialog"][aria-modal="true"]:not([data-shortcuts])';
const keyAliases = 'button, a, summary, [role="switch"]';

/** Returns the key of a shortcut press; null while typing, in a dialog, or with Ctrl, Alt or Meta held. */
export function toShortcutKey(event: KeyboardEvent): string | null {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return null;
  if (document.querySelector(dialogInFront)) return null;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest(typing)) return null;
  if ((event.key === "Enter" || event.key === " ") && target?.closest(keyAliases)) return null;
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}
