import { env } from "@/server/platform/env";
import { AppError, isAppError } from "@/server/platform/errors";
import type { ToolCallContext } from "@/server/tools/define-tool";

const done = "Done";
const decline = "Decline";

/**
 * Asks people to connect a server again with a wider scope, while the call waits. `person`: whose sign-in it is, if not the
 * workspace's.
 * @returns true when somebody says that it is done
 */
export async function isConnectedAgain(
  { alias, person }: { alias: string; person?: string | null },
  refusal: string,
  ask: ToolCallContext["ask"],
): Promise<boolean> {
  if (!ask) return false;
  const text = `${refusal} ${person ?? "An admin"} can do that on the page of the server. Then answer ${done}, and the call runs.`;
  const url = `${env().publicUrl}/mcp-servers?server=${alias}`;
  try {
    return (await ask({ text, options: [done, decline], url })) === done;
  } catch (error) {
    // Nobody can be asked here, somebody declined, or nobody answered in time.
    if (isAppError(error)) return false;
    throw error;
  }
}

/** Creates the error of a call whose server was not connected again. */
export function scopeMissing(refusal: string): AppError {
  return new AppError("unavailable", `${refusal} Nothing was run: send the same call again after that, or go on without it.`);
}
