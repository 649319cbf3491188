import type { FirstCredentials } from "@/server/bootstrap-workspace";

/** What a person reads when Handrail is ready; the credentials stand here once and nowhere else. */
export function welcome({ publicUrl, first, seconds }: { publicUrl: string; first: FirstCredentials | null; seconds: number }): string {
  const ready = `Handrail is ready after ${seconds.toFixed(1)} s: open ${publicUrl}`;
  if (!first) return `\n${ready}\nNew API keys are made at ${publicUrl}/settings/api-keys\n`;
  return `
${ready}

  Sign in as    ${first.email}
  Password      ${first.isPasswordGenerated ? first.password : "the one in HANDRAIL_ADMIN_PASSWORD"}
  Agent key     ${first.agentKey}

  These are shown this once. Try the API as an agent runtime would:

${curlExample(publicUrl, first.agentKey)}
`;
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
