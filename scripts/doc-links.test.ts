import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

/** Headings of a document as GitHub names them in addresses. */
const anchorsOf = (file: string) =>
  new Set(
    [...read(file).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, "")
        .replaceAll(" ", "-"),
    ),
  );

test("every link of a document leads to a file, and to a heading that it has", () => {
  const documents = globSync(["*.md", "docs/**/*.md"], { cwd: root });
  const links = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, address = ""]) => address)
      .filter((address) => !/^[a-z]+:/.test(address))
      .map((address) => ({ document, address })),
  );
  const broken = links.filter(({ document, address }) => {
    const [file = "", anchor] = address.split("#");
    const target = file === "" ? document : path.join(path.dirname(document), file);
    if (!existsSync(path.join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(target).has(anchor);
  });
  expect(links.length).toBeGreaterThan(100);
  expect(broken).toEqual([]);
});
