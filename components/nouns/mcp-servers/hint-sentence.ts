import type { HintCounts } from "@/contracts/mcp/server-pins";

/** Says what trusting the hints of these tools would let through. */
export function hintSentence({ tools, readOnly, destructive }: HintCounts): string {
  const counted = (count: number) => `${count.toLocaleString("en")} of ${tools.toLocaleString("en")} tools`;
  if (readOnly === 0 && destructive === 0) return "Its hints call no tool read-only.";
  const reads =
    readOnly > 0 ? `With trusted hints, ${counted(readOnly)} would be read-only and run unasked.` : "Its hints call no tool read-only.";
  return destructive > 0 ? `${reads} ${counted(destructive)} say that they destroy, which always counts.` : reads;
}
