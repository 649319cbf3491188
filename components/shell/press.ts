const typing = 'input, textarea, select, [contenteditable="true"], [role="combobox"], [role="listbox"], [role="menu"]';
/** A dialog in front of the page takes its keys away; the drawer of a row (`data-shortcuts`) keeps them. */
const dialogInFront = '[role="dialog"][aria-modal="true"]:not([data-shortcuts])';
const pressedByKey = 'button, a, summary, [role="switch"]';

/** The key of a press that is meant as a shortcut; null while typing, in a dialog, or with Ctrl, Alt or Meta held. */
export function pressOf(event: KeyboardEvent): string | null {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return null;
  if (document.querySelector(dialogInFront)) return null;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest(typing)) return null;
  if ((event.key === "Enter" || event.key === " ") && target?.closest(pressedByKey)) return null;
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}
