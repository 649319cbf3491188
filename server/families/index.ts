import { auditProofFamily } from "./audit-proof/family";
import { browserFamily } from "./browser/family";
import { chatsFamily } from "./chats/family";
import { codingAgentsFamily } from "./coding-agents/family";
import { dataSourcesFamily } from "./data-sources/family";
import type { Family } from "./define-family";
import { delegationFamily } from "./delegation/family";
import { disclosureFamily } from "./disclosure/family";
import { docsFamily } from "./docs/family";
import { doctorFamily } from "./doctor/family";
import { documentsFamily } from "./documents/family";
import { erasureFamily } from "./erasure/family";
import { filesFamily } from "./files/family";
import { hooksFamily } from "./hooks/family";
import { httpToolsFamily } from "./http-tools/family";
import { jobsFamily } from "./jobs/family";
import { knowledgeFamily } from "./knowledge/family";
import { mcpClientsFamily } from "./mcp-clients/family";
import { mcpResourcesFamily } from "./mcp-resources/family";
import { mediaFamily } from "./media/family";
import { memoryFamily } from "./memory/family";
import { messengersFamily } from "./messengers/family";
import { metricsFamily } from "./metrics/family";
import { modelsFamily } from "./models/family";
import { notificationsFamily } from "./notifications/family";
import { pipelinesFamily } from "./pipelines/family";
import { questionsFamily } from "./questions/family";
import { schedulesFamily } from "./schedules/family";
import { secretKeyFamily } from "./secret-key/family";
import { sessionsFamily } from "./sessions/family";
import { shellFamily } from "./shell/family";
import { skillsFamily } from "./skills/family";
import { timeFamily } from "./time/family";
import { todosFamily } from "./todos/family";
import { topicsFamily } from "./topics/family";
import { triggersFamily } from "./triggers/family";
import { webFamily } from "./web/family";
import { webhooksFamily } from "./webhooks/family";
import { workListsFamily } from "./work-lists/family";
import { workflowsFamily } from "./workflows/family";

/** Every family. The registry, capability names, durable work and docs/tools.md derive from this list. */
export const families: readonly Family[] = [
  filesFamily,
  documentsFamily,
  shellFamily,
  webFamily,
  browserFamily,
  mediaFamily,
  dataSourcesFamily,
  httpToolsFamily,
  disclosureFamily,
  workListsFamily,
  questionsFamily,
  docsFamily,
  jobsFamily,
  schedulesFamily,
  todosFamily,
  memoryFamily,
  sessionsFamily,
  knowledgeFamily,
  skillsFamily,
  topicsFamily,
  workflowsFamily,
  pipelinesFamily,
  chatsFamily,
  delegationFamily,
  timeFamily,
  mcpResourcesFamily,
  webhooksFamily,
  messengersFamily,
  notificationsFamily,
  triggersFamily,
  hooksFamily,
  doctorFamily,
  secretKeyFamily,
  codingAgentsFamily,
  metricsFamily,
  modelsFamily,
  mcpClientsFamily,
  auditProofFamily,
  erasureFamily,
];
