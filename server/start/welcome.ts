import type { FirstCredentials } from "@/server/bootstrap-workspace";
import type { Env } from "@/server/platform/env";

type Situation = Pick<Env, "role" | "port" | "publicUrl"> & { first: FirstCredentials | null; seconds: number };

/** What a person reads when Handrail is ready; the credentials stand here once and nowhere else. */
export function welcome({ role, port, publicUrl, first, seconds }: Situation): string {
  const after = `is ready after ${seconds.toFixed(1)} s`;
  const paragraphs = [
    role === "worker"
      ? `The Handrail worker ${after}: its health is at http://localhost:${port}/api/v1/health/ready`
      : `Handrail ${after}: open ${publicUrl}`,
    ...(first ? [credentials(first)] : []),
    ...(first && role !== "worker" ? [`  Try the API as an agent runtime would:\n\n${curlExample(publicUrl, first.agentKey)}`] : []),
  ];
  const later = first || role === "worker" ? "" : `New API keys are made at ${publicUrl}/settings/api-keys\n`;
  return `\n${paragraphs.join("\n\n")}\n${later}`;
}

function credentials({ email, password, isPasswordGenerated, agentKey }: FirstCredentials): string {
  return `  Sign in as    ${email}
  Password      ${isPasswordGenerated ? password : "the one in HANDRAIL_ADMIN_PASSWORD"}
  Agent key     ${agentKey}

  These are shown this once.`;
}

/** Opens a conversation and submits a turn with one call; needs nothing but a shell and curl. */
function curlExample(publicUrl: string, key: string): string {
  const send = `curl -s -H "authorization: Bearer $HANDRAIL_KEY" -H "content-type: application/json"`;
  return `export HANDRAIL_KEY=${key}
CONVERSATION=$(${send} \\
  -d '{}' ${publicUrl}/api/v1/conversations | sed 's/.*"id":"\\([^"]*\\)","agentId".*/\\1/')
${send} \\
  -d '{"calls":[{"id":"call_1","name":"date_time","arguments":{"timezone":"Europe/Berlin"}}]}' \\
  ${publicUrl}/api/v1/conversations/$CONVERSATION/turns; echo`;
}
