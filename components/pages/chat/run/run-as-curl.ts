import type { RunDraft } from "@/contracts/runs/runs";

type Started = { agentId: string; draft: Pick<RunDraft, "message" | "conversationId" | "attachments">; publicUrl: string };

/** Returns a shell command that starts the same run. `$HANDRAIL_KEY` holds the key. */
export function runAsCurl({ agentId, draft, publicUrl }: Started): string {
  return `curl -X POST ${publicUrl}/api/v1/agents/${agentId}/runs \\
  -H "Authorization: Bearer $HANDRAIL_KEY" -H 'Content-Type: application/json' \\
  -d '${JSON.stringify({ ...draft, wait: 60 }).replaceAll("'", `'\\''`)}'`;
}
