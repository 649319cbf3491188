import "server-only";
import type { Page } from "playwright-core";
import type { Perform } from "./action-done";

const emptyPage = "about:blank";

/**
 * Goes back by the tab's own history: a page that changes its address by itself gives no response. A tab begins with an empty
 * page, which is no page to go back to.
 */
export const goBack: Perform = async ({ page }, { signal, timeout }) => {
  const before = await historyOf(page);
  const earlier = before.entries[before.currentIndex - 1];
  if (!earlier || (before.currentIndex === 1 && earlier.url === emptyPage)) {
    const said = "There is nothing to go back to: this is the first page of the tab. Nothing was done.";
    return { said, changesPage: true, facts: { wentBack: false } };
  }
  await page.goBack({ signal, timeout, waitUntil: "domcontentloaded" });
  return async () => {
    const wentBack = (await historyOf(page)).currentIndex < before.currentIndex;
    const said = wentBack ? "Went back." : "The page led forward again at once. Open its address instead.";
    return { said, changesPage: true, facts: { wentBack } };
  };
};

async function historyOf(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  try {
    return await devtools.send("Page.getNavigationHistory");
  } finally {
    await devtools.detach().catch(() => {});
  }
}
