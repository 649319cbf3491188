import { gzipSync } from "node:zlib";
import { expect, test } from "../fixtures";
import { open } from "./check-page";

/** React and Next are 130 kB of it; docs/architecture.md lists the rest. */
const maxBytes = 320 * 1_024;

test("no page of the console loads more compressed script at first than the limit", async ({ consolePage: page, productUrl }) => {
  await open(page, "/tools");
  const hrefs = await page
    .getByRole("navigation")
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  const paths = [...new Set(hrefs.filter((href) => href.startsWith("/") && !href.startsWith("/docs/"))), "/turns/jobs", "/sign-in"];
  expect(paths.length).toBeGreaterThan(8);
  const sizes = new Map<string, number>();
  // Pages share most of their scripts.
  const sizeOf = new Map<string, number>();
  for (const path of paths) {
    const html = await (await page.request.get(path)).text();
    // A view that the server draws but the browser loads apart is preloaded by a link.
    const tags = [...html.matchAll(/<script(?![^>]+noModule)[^>]+>|<link[^>]+as="script"[^>]*>/gi)].map(([tag]) => tag);
    const scripts = new Set(tags.flatMap((tag) => /(?:src|href)="([^"]+\.js[^"]*)"/.exec(tag)?.[1]?.replaceAll("&amp;", "&") ?? []));
    expect(scripts.size, path).toBeGreaterThan(0);
    let bytes = 0;
    for (const source of scripts) {
      const size = sizeOf.get(source) ?? gzipSync(await (await page.request.get(new URL(source, productUrl).href)).body()).byteLength;
      sizeOf.set(source, size);
      bytes += size;
    }
    sizes.set(path, bytes);
  }
  console.log([...sizes].map(([path, bytes]) => `${path} ${Math.round(bytes / 1_024)} kB`).join(", "));
  expect([...sizes].filter(([, bytes]) => bytes > maxBytes)).toEqual([]);
});
