import type { FirstCredentials } from "@/server/bootstrap-workspace";
import type { Env } from "@/server/platform/env";

type Situation = Pick<Env, "role" | "port" | "publicUrl"> & {
  first: FirstCredentials | null;
  seconds: number;
  /** Whether commands are confined, in one sentence. */
  sandbox: string;
};

/** Returns the text on the terminal when Handrail is ready. Credentials appear only here; the address is the last line. */
export function welcome({ role, port, publicUrl, first, seconds, sandbox }: Situation): string {
  const ready = `is ready after ${seconds.toFixed(1)} s`;
  const paragraphs =
    role === "worker"
      ? [
          sandbox,
          ...(first ? [credentials(first)] : []),
          `The Handrail worker ${ready}. Its health: http://localhost:${port}/api/v1/health/ready`,
        ]
      : [
          sandbox,
          ...(first
            ? [credentials(first), "Next: sign in, press Make a call, approve it. The overview has code to connect your agent."]
            : [`New API keys: ${publicUrl}/settings`]),
          `Handrail ${ready}. Open ${publicUrl}`,
        ];
  return `\n${paragraphs.join("\n\n")}\n`;
}

function credentials({ email, password, isPasswordGenerated, agentKey }: FirstCredentials): string {
  return `  Email         ${email}
  Password      ${isPasswordGenerated ? password : "the one in HANDRAIL_ADMIN_PASSWORD"}
  Agent key     ${agentKey}

  Shown only this once.`;
}
