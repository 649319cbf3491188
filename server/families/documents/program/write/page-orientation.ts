import type { Block, Table } from "./document-tree.ts";

export type PageOrientation = "portrait" | "landscape";
/** Blocks in order that stand on pages of one orientation. */
export type OrientedBlocks = { orientation: PageOrientation; blocks: Block[] };

/** Letters of a table that are smaller than this many points are hard to read. */
export const readableTableSize = 7;

/** Puts tables that are too wide for an upright page on landscape pages, each with the headings directly above it. */
export function orientBlocks(blocks: readonly Block[], isTooWide: (table: Table) => boolean): OrientedBlocks[] {
  const groups: OrientedBlocks[] = [];
  const groupOf = (orientation: PageOrientation): OrientedBlocks => {
    const last = groups.at(-1);
    if (last?.orientation === orientation) return last;
    const group = { orientation, blocks: [] };
    groups.push(group);
    return group;
  };
  let headings: Block[] = [];
  for (const block of blocks) {
    if (block.kind === "heading") {
      headings.push(block);
      continue;
    }
    const group = groupOf(block.kind === "table" && isTooWide(block) ? "landscape" : "portrait");
    group.blocks.push(...headings, block);
    headings = [];
  }
  if (headings.length > 0) groupOf("portrait").blocks.push(...headings);
  return groups.map(withoutOuterBreaks).filter(({ blocks }) => blocks.length > 0);
}

/** A new orientation begins a page, so breaks beside it would make empty ones. */
function withoutOuterBreaks({ orientation, blocks }: OrientedBlocks): OrientedBlocks {
  const first = blocks.findIndex(({ kind }) => kind !== "page-break");
  const last = blocks.findLastIndex(({ kind }) => kind !== "page-break");
  return { orientation, blocks: first < 0 ? [] : blocks.slice(first, last + 1) };
}
