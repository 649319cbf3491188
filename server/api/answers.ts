import type { AnsweredEndpoint } from "@/server/endpoints/answer";
import { families } from "@/server/families";
import { agentAnswers } from "./agents";
import { approvalAnswers } from "./approvals";
import { artifactAnswers } from "./artifacts";
import { auditAnswers } from "./audit";
import { callAnswers } from "./calls";
import { contactAnswers } from "./contacts";
import { conversationAnswers } from "./conversations";
import { grantAnswers } from "./grants";
import { guardAnswers } from "./guard";
import { healthAnswers } from "./health";
import { identityAnswers } from "./identity";
import { jobAnswers } from "./jobs";
import { mcpAppAnswers } from "./mcp-apps";
import { mcpAuthorizationAnswers } from "./mcp-authorization";
import { mcpClientSignInAnswers } from "./mcp-client-sign-ins";
import { mcpContentAnswers } from "./mcp-contents";
import { mcpServerAnswers } from "./mcp-servers";
import { modelAnswers } from "./models";
import { nativeToolOptionsAnswers } from "./native-tool-options";
import { overviewAnswers } from "./overview";
import { policyAnswers } from "./policy";
import { resultSettingsAnswers } from "./result-settings";
import { runAnswers } from "./runs";
import { sandboxAnswers } from "./sandbox";
import { toolChangeAnswers } from "./tool-changes";
import { toolAnswers } from "./tools";
import { turnAnswers } from "./turns";
import { workAnswers } from "./work";

/** Every endpoint of the contracts with what answers it: the core's and the families'. */
export const answers: readonly AnsweredEndpoint[] = [
  ...agentAnswers,
  ...approvalAnswers,
  ...artifactAnswers,
  ...auditAnswers,
  ...callAnswers,
  ...contactAnswers,
  ...conversationAnswers,
  ...grantAnswers,
  ...guardAnswers,
  ...healthAnswers,
  ...identityAnswers,
  ...jobAnswers,
  ...mcpAuthorizationAnswers,
  ...mcpClientSignInAnswers,
  ...mcpContentAnswers,
  ...mcpAppAnswers,
  ...mcpServerAnswers,
  ...modelAnswers,
  ...nativeToolOptionsAnswers,
  ...overviewAnswers,
  ...policyAnswers,
  ...resultSettingsAnswers,
  ...runAnswers,
  ...sandboxAnswers,
  ...toolChangeAnswers,
  ...toolAnswers,
  ...turnAnswers,
  ...workAnswers,
  ...families.flatMap(({ endpoints = [] }) => endpoints),
];
