import type { JsonObject } from "@/contracts/common";
import { ResultMask } from "@/server/secrets/mask-result";
import { type CallingClient, findCallingClient } from "@/server/tools/calling-client";
import type { ReadyCall } from "../step-data";
import type { TurnContext } from "../turn-context";

type Caller = {
  /** The part of the client that the tool may use. */
  client: CallingClient;
  progress: (message: string, step?: { progress: number; total?: number }) => void;
  ended: () => void;
};

/**
 * Returns the client that waits for a call, as the tool may use it: secrets in its server's questions and log messages are
 * masked, and `wait` frames the time in which the client answers. Null when no client waits.
 */
export function callerOfCall(
  { turn, results }: TurnContext,
  { row }: ReadyCall,
  wait: <T>(work: () => Promise<T>) => Promise<T>,
): Caller | null {
  const entered = findCallingClient(row.runtimeId, turn.requestedBy.id);
  if (!entered) return null;
  const { name, answers, logLevel } = entered;
  return {
    client: {
      name,
      answers,
      logLevel,
      request: (request, signal) =>
        wait(async () =>
          entered.request(results.maskSecrets ? { ...request, params: await maskedParams(request.params) } : request, signal),
        ),
      log: (line) => entered.log(results.maskSecrets ? { ...line, data: maskedData(line.data) } : line),
    },
    progress: entered.progress,
    ended: entered.ended,
  };
}

/** The address of a question stays, because a person has to open it as it is. */
async function maskedParams({ url, ...params }: JsonObject): Promise<JsonObject> {
  return { ...(await new ResultMask().maskValue(params)), ...(url === undefined ? {} : { url }) };
}

function maskedData(data: unknown): unknown {
  const mask = new ResultMask();
  if (typeof data === "string") return mask.maskLine(data);
  if (Array.isArray(data)) return data.map(maskedData);
  if (typeof data !== "object" || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([name, member]) => [mask.maskLine(name), maskedData(member)]));
}
