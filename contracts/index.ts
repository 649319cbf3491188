import { agentEndpoints } from "./agents";
import { approvalEndpoints } from "./approvals";
import { artifactEndpoints } from "./artifacts";
import { auditEndpoints } from "./audit";
import { conversationEndpoints } from "./conversations";
import { delegateEndpoints } from "./delegate";
import { grantEndpoints } from "./grants";
import { guardEndpoints } from "./guard";
import { healthEndpoints } from "./health";
import { hookEndpoints } from "./hooks";
import { identityEndpoints } from "./identity";
import { jobEndpoints } from "./jobs";
import { mcpServerEndpoints } from "./mcp-servers";
import { policyEndpoints } from "./policy";
import { toolEndpoints } from "./tools";
import { turnEndpoints } from "./turns";
import { webhookEndpoints } from "./webhooks";

/** Every endpoint of the API by noun: what the OpenAPI document and its tests walk through. */
export const endpoints = {
  identity: identityEndpoints,
  tools: toolEndpoints,
  conversations: conversationEndpoints,
  turns: turnEndpoints,
  approvals: approvalEndpoints,
  delegate: delegateEndpoints,
  grants: grantEndpoints,
  guard: guardEndpoints,
  hooks: hookEndpoints,
  policy: policyEndpoints,
  audit: auditEndpoints,
  jobs: jobEndpoints,
  mcpServers: mcpServerEndpoints,
  agents: agentEndpoints,
  artifacts: artifactEndpoints,
  webhooks: webhookEndpoints,
  health: healthEndpoints,
};
