import "server-only";
import type { Perform } from "./action-done";
import type { BrowserAction } from "./browser-action";
import { elementOf } from "./element-of";

/** Pixels of the scrolled part: above the view, of the view, and of everything. */
type Extent = { above: number; view: number; whole: number };
type Asked = { direction: BrowserAction["direction"] | null; pages: number; grownFrom: number | null; growMs: number };

/** The longest wait for an endless list to add entries when its end is reached. */
const growMs = 1_500;
/** Share of the view's height that one page moves, so that a line at the edge is seen twice and never missed. */
const pageShare = 0.9;
/** Browsers round scroll positions, so the end may be a pixel away. */
const slack = 2;

/** Scrolls the page, or the list around an element, and says whether more follows. */
export const scrollPage: Perform = async (session, run) => {
  const { ref, selector, pages, signal, timeout } = run;
  const isPart = ref !== undefined || selector !== undefined;
  const element = isPart ? await elementOf(session, run) : session.page.locator(":root");
  const limits = { signal, timeout };
  if (isPart && run.direction === undefined) {
    await element.scrollIntoViewIfNeeded(limits);
    return { said: `${ref === undefined ? "The element" : `@${ref}`} is in view.`, changesPage: true };
  }
  const direction = run.direction ?? "down";
  const measure = (asked: Partial<Asked>) =>
    element.evaluate(scrollIn, { direction: null, pages: pages * pageShare, grownFrom: null, growMs, ...asked }, limits);
  const before = await measure({});
  const moved = await measure({ direction });
  // The requests of an endless list have ended by then, so that its new entries count.
  return async () => {
    const isDown = direction === "down" || direction === "end";
    const reached = await measure({});
    const isAtEnd = isDown && below(reached) <= slack;
    const after = isAtEnd ? await measure({ grownFrom: before.whole }) : reached;
    const facts = { above: after.above, below: below(after), view: after.view };
    return { said: sentence({ before, moved, after, isDown }), changesPage: true, readsOn: true, facts };
  };
};

const below = ({ above, view, whole }: Extent): number => Math.max(0, whole - view - above);
const inScreens = (pixels: number, { view }: Extent): string => `${(pixels / Math.max(1, view)).toFixed(1)} screens`;

function sentence({ before, moved, after, isDown }: { before: Extent; moved: Extent; after: Extent; isDown: boolean }): string {
  const distance = Math.abs(moved.above - before.above);
  const grown = after.whole - before.whole;
  const way = isDown ? "down" : "up";
  const done = distance > slack ? `Scrolled ${way} by ${inScreens(distance, before)}.` : `Nothing was left to scroll ${way}.`;
  const added = grown > slack ? ` The page added ${inScreens(grown, after)} meanwhile.` : "";
  const rest = isDown ? below(after) : after.above;
  const end = isDown ? "This is the end: nothing more is below." : "This is the top.";
  const more = `There is more ${isDown ? "below" : "above"}: ${inScreens(rest, after)}. Scroll again for it.`;
  return `${done}${added} ${rest > slack ? more : end}`;
}

/**
 * Scrolls and measures in the page. From the root it takes the document, or the largest list when the document itself does not
 * scroll; from another element the nearest list around it.
 */
async function scrollIn(start: Element, { direction, pages, grownFrom, growMs }: Asked): Promise<Extent> {
  const root = document.scrollingElement ?? document.documentElement;
  let scrolled: Element | null = null;
  if (start !== document.documentElement) {
    for (let at: Element | null = start; at && !scrolled; at = at.parentElement) {
      if (at.scrollHeight > at.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(at).overflowY)) scrolled = at;
    }
  } else if (root.scrollHeight <= root.clientHeight + 1) {
    let largest = 0;
    for (const element of document.querySelectorAll("body *")) {
      if (element.scrollHeight <= element.clientHeight + 1 || !/auto|scroll/.test(getComputedStyle(element).overflowY)) continue;
      const area = element.clientWidth * element.clientHeight;
      if (area > largest) [largest, scrolled] = [area, element];
    }
  }
  const list = scrolled ?? root;
  const by = direction === "down" ? pages * list.clientHeight : direction === "up" ? -pages * list.clientHeight : 0;
  if (direction === "end") list.scrollTo({ top: list.scrollHeight, behavior: "instant" });
  else if (direction === "top") list.scrollTo({ top: 0, behavior: "instant" });
  else if (by !== 0) list.scrollBy({ top: by, behavior: "instant" });
  const until = performance.now() + growMs;
  while (grownFrom !== null && list.scrollHeight <= grownFrom && performance.now() < until) {
    await new Promise((done) => setTimeout(done, 50));
  }
  return { above: Math.round(list.scrollTop), view: list.clientHeight, whole: list.scrollHeight };
}
