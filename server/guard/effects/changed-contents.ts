import type { KeptContents } from "@/contracts/calls/call-contents";

const maxSentences = 12;

/** Returns a sentence for each file that changed, appeared or went away between two moments. */
export function changedContents(before: KeptContents, now: KeptContents | null): string[] {
  const then = new Map(before.files.map(({ path, sha256 }) => [path, sha256]));
  const today = new Map(now?.files.map(({ path, sha256 }) => [path, sha256]));
  const changes = [
    ...[...then].flatMap(([path, sha256]) => {
      const is = today.get(path);
      if (is === undefined) return [`${path} was removed since it was asked.`];
      return is === sha256 ? [] : [`${path} changed since it was asked.`];
    }),
    ...[...today.keys()].filter((path) => !then.has(path)).map((path) => `${path} was added since it was asked.`),
  ];
  if (changes.length <= maxSentences) return changes;
  return [...changes.slice(0, maxSentences), `${changes.length - maxSentences} more files changed since it was asked.`];
}

/** Returns a sentence for each file whose content is not among the kept ones, and for each part that cannot be checked. */
export function foreignContents(kept: KeptContents, now: KeptContents | null): string[] {
  const known = new Map(kept.files.map(({ path, sha256 }) => [path, sha256]));
  const files = (now?.files ?? []).filter(({ path, sha256 }) => known.get(path) !== sha256);
  return [
    ...files.map(({ path }) => (known.has(path) ? `${path} changed since.` : `${path} was no part of it.`)),
    ...(now?.notFixed ?? []),
  ].slice(0, maxSentences);
}
