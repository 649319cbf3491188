import { mcpAppEndpoints } from "@/contracts/mcp/mcp-apps";
import { answer } from "@/server/endpoints/answer";
import { runWhileAllowed } from "@/server/endpoints/run-while-allowed";
import { callFromApp, getCallResult } from "@/server/mcp/serve/apps/call-from-app";
import { getApp, showAppPage } from "@/server/mcp/serve/apps/show-app";

const placeOf = ({ id, callId }: { id: string; callId: string }) => ({ turnId: id, callId });

export const mcpAppAnswers = answer(mcpAppEndpoints, {
  get: ({ actor, params }) => getApp(actor, placeOf(params)),
  document: ({ actor, params }) => showAppPage(actor, placeOf(params)),
  call: ({ actor, params, body, signal, isStillAllowed }) =>
    runWhileAllowed({ signal, isStillAllowed }, (until) => callFromApp(actor, { ...placeOf(params), ...body, signal: until })),
  result: ({ actor, params, query, signal, isStillAllowed }) =>
    runWhileAllowed({ signal, isStillAllowed }, (until) => getCallResult(actor, { ...placeOf(params), ...query, signal: until })),
});
