import type { BrowserAction } from "./browser-action";

/** Describes an action for people who wait. Typed texts, code and queries of addresses are left out, as they may hold secrets. */
export function stepInWords({ action, url, ref, selector, tab, condition, text }: BrowserAction): string {
  const element = ref !== undefined ? `@${ref}` : selector !== undefined ? "the selected element" : "the page";
  switch (action) {
    case "start":
      return "Starting the browser";
    case "stop":
      return "Stopping the browser";
    case "open":
      return `Opening ${URL.parse(url ?? "")?.host ?? "the page"}`;
    case "snapshot":
      return "Reading the page";
    case "extract":
      return `Reading the text of ${element}`;
    case "screenshot":
      return `Taking a picture of ${element}`;
    case "current_surface":
      return "Reading the list of tabs";
    case "wait_for":
      if (url !== undefined) return "Waiting for the address to change";
      if (text !== undefined) return `Waiting for a text to be ${condition === "hidden" ? "hidden" : "visible"}`;
      return condition === "load" || condition === "network_idle"
        ? "Waiting for the page to load"
        : `Waiting for ${element} to be ${condition}`;
    case "click":
      return `Clicking ${element}`;
    case "type":
      return `Typing into ${element}`;
    case "select":
      return `Choosing an option of ${element}`;
    case "upload":
      return `Uploading a file to ${element}`;
    case "press":
      return "Pressing a key";
    case "hover":
      return `Pointing at ${element}`;
    case "scroll":
      return ref === undefined && selector === undefined ? "Scrolling the page" : `Scrolling to ${element}`;
    case "eval":
      return "Running code in the page";
    case "navigate_back":
      return "Going back";
    case "switch_tab":
      return `Switching to tab ${tab}`;
    case "diagnose":
      return "Checking the browser";
  }
}
