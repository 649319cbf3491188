import { codingAgentEndpoints } from "@/contracts/agents/coding-agents";
import { answer } from "@/server/endpoints/answer";
import { answerHook } from "./answer-hook";
import { serveConnectFile, serveConnectScript } from "./connect/answer-connect";
import { listConnections, noteConnection, removeConnection } from "./connections";
import { askGuardedCall, cancelGuardedCall, getGuardedCall, reportGuardedCall } from "./guarded-calls";
import { listCodingCalls } from "./list-calls";
import { listSessions } from "./list-sessions";
import { keepPolicy } from "./repository-policies";

export const codingAgentAnswers = answer(codingAgentEndpoints, {
  ask: (request) => askGuardedCall(request, request.body),
  get: (request) => getGuardedCall(request, request.params.id, request.query.wait),
  report: ({ actor, params, body }) => reportGuardedCall(actor, params.id, body),
  cancel: ({ actor, params }) => cancelGuardedCall(actor, params.id),
  listSessions: ({ actor, query }) => listSessions(actor, query),
  listCalls: ({ actor, query }) => listCodingCalls(actor, query),
  listConnections: ({ actor }) => listConnections(actor),
  noteConnection: ({ actor, body }) => noteConnection(actor, body),
  removeConnection: ({ actor, query }) => removeConnection(actor, query),
  keepPolicy: ({ actor, body }) => keepPolicy(actor, body.text),
  connect: serveConnectScript,
  connectFile: ({ params }) => serveConnectFile(params.name),
  hook: answerHook,
});
