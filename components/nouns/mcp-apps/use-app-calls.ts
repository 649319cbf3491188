import { useRef, useState } from "react";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { type McpCallResult, mcpAppEndpoints } from "@/contracts/browser/mcp/mcp-apps";
import type { JsonObject } from "@/contracts/common";
import type { CallPlace } from "./queries";

/** An app that repeats its calls must not fill the inbox. */
const maxOpenCalls = 8;
const waitSeconds = 30;

/** Calls tools for an app, and keeps those that have not ended: people may have to approve them. */
export function useAppCalls(params: CallPlace) {
  const [open, setOpen] = useState<readonly McpCallResult[]>([]);
  const running = useRef(0);
  const leave = ({ callId }: McpCallResult) => setOpen((calls) => calls.filter((one) => one.callId !== callId));
  const callTool = async (asked: { name: string; arguments: JsonObject }, signal: AbortSignal): Promise<JsonObject> => {
    if (running.current >= maxOpenCalls)
      throw new Error(`At most ${maxOpenCalls} calls of an app run at the same time. Wait for their results.`);
    running.current += 1;
    let known: McpCallResult | null = null;
    try {
      known = await call(mcpAppEndpoints.call, { params, body: asked }, { signal });
      while (known.result === null) {
        const shown = known;
        setOpen((calls) => [...calls.filter(({ callId }) => callId !== shown.callId), shown]);
        const place: CallPlace = { id: known.turnId, callId: known.callId };
        known = await call(mcpAppEndpoints.result, { params: place, query: { wait: waitSeconds } }, { signal });
      }
      return known.result;
    } catch (error) {
      throw new Error(toErrorSentence(error));
    } finally {
      running.current -= 1;
      if (known) leave(known);
    }
  };
  return { open, callTool };
}
