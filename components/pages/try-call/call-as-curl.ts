import type { JsonObject } from "@/contracts/common";

type WrittenCall = { tool: string; args: JsonObject; agent: string | null; publicUrl: string };

/** Returns shell commands for a call: create a conversation, then submit a turn. `$HANDRAIL_KEY` holds the key. */
export function callAsCurl({ tool, args, agent, publicUrl }: WrittenCall): string {
  const headers = `-H "Authorization: Bearer $HANDRAIL_KEY" -H 'Content-Type: application/json'`;
  const turn = { calls: [{ id: "1", name: tool, arguments: args }], wait: 60 };
  return `CONVERSATION=$(curl -s ${publicUrl}/api/v1/conversations \\
  ${headers} \\
  -d ${quoted(JSON.stringify(agent === null ? {} : { agent }))} | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')

curl -s ${publicUrl}/api/v1/conversations/$CONVERSATION/turns \\
  ${headers} \\
  -d ${quoted(JSON.stringify(turn))}`;
}

/** Quotes a text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
