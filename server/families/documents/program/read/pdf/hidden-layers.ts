import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";

/** Says for each sign of a page, in the order of the file, whether its layer is off; null when the page has no such layer. */
export type HiddenSigns = { isHidden: boolean[]; count: number } | null;

type Layers = { isVisible: (group: unknown) => boolean };

/** Returns the layers of a document when one of them is off. */
export async function hiddenLayers(document: PDFDocumentProxy): Promise<Layers | null> {
  const config = await document.getOptionalContentConfig();
  const groups = [...(config as Iterable<[string, { visible: boolean }]>)];
  return groups.some(([, { visible }]) => !visible) ? (config as Layers) : null;
}

/** Follows the drawing of a page, because its text does not name the layers. */
export async function hiddenSigns(page: PDFPageProxy, layers: Layers): Promise<HiddenSigns> {
  const { OPS } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const { fnArray, argsArray } = await page.getOperatorList();
  const isHidden: boolean[] = [];
  const open: boolean[] = [];
  let count = 0;
  for (const [at, operation] of fnArray.entries()) {
    const args: unknown[] = argsArray[at] ?? [];
    if (operation === OPS.beginMarkedContentProps) open.push(args[0] === "OC" && !layers.isVisible(args[1]));
    else if (operation === OPS.beginMarkedContent) open.push(false);
    else if (operation === OPS.endMarkedContent) open.pop();
    else if (operation === OPS.showText) {
      const isOff = open.includes(true);
      for (const glyph of args[0] as ({ unicode?: string } | number | null)[]) {
        const signs = typeof glyph === "object" && glyph ? [...(glyph.unicode ?? "").normalize("NFKC")] : [];
        for (const sign of signs) {
          if (/[\s\0]/.test(sign)) continue;
          isHidden.push(isOff);
          if (isOff) count += 1;
        }
      }
    }
  }
  return count === 0 ? null : { isHidden, count };
}

/** Takes the signs of layers that are off out of items; null when the two ways of reading the page do not agree. */
export function withoutHidden<T extends { str: string }>(items: readonly T[], { isHidden }: NonNullable<HiddenSigns>): T[] | null {
  let at = 0;
  const kept = items.map((item) => {
    let text = "";
    for (const sign of item.str.normalize("NFKC")) {
      if (/[\s\0]/.test(sign)) text += sign;
      else {
        if (!isHidden[at]) text += sign;
        at += 1;
      }
    }
    return { ...item, str: text };
  });
  return at === isHidden.length ? kept : null;
}
