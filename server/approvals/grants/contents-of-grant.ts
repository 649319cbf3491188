import type { KeptContents } from "@/contracts/calls/call-contents";
import type { GrantMatch } from "@/contracts/guard/grants";
import { anyHost, hostsReached } from "@/server/guard/effects/hosts-reached";
import { wantedOpenings } from "@/server/guard/effects/openings";
import type { ApprovalRow } from "../settlement";

type Approved = Pick<ApprovalRow, "decision" | "editedDecision" | "contents">;

const needsMachine = ({ decision, editedDecision }: Approved) => wantedOpenings((editedDecision ?? decision).effects ?? []).host;

/**
 * Returns the files for whose contents a grant from an approval holds. Exact arguments hold for the files of the call. A
 * pattern holds for them where it lets calls use the machine, or reach a host that only a file names; else a pattern means
 * "whatever the files say".
 */
export function contentsOfGrant(approval: Approved, kind: GrantMatch["kind"]): KeptContents | null {
  const { contents, decision, editedDecision } = approval;
  if (kind === "exact") return contents;
  const isUnnamed = hostsReached((editedDecision ?? decision).effects ?? []).includes(anyHost);
  return needsMachine(approval) || isUnnamed ? (contents ?? { files: [], notFixed: [] }) : null;
}

/** Returns whether a call leaves the sandbox with files that cannot be held to what was seen, so that a grant would cover any. */
export function mayRunUnseen(approval: Approved): boolean {
  return needsMachine(approval) && (approval.contents?.notFixed.length ?? 0) > 0;
}
