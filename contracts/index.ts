import { agentContract } from "./agents/agents";
import { codingAgentContract } from "./agents/coding-agents";
import { delegateContract } from "./agents/delegate";
import { delegationContract } from "./agents/delegation";
import { earlierChannelContract } from "./agents/earlier-channels";
import { topicContract } from "./agents/topics";
import { approvalContract } from "./approvals/approvals";
import { auditContract } from "./audit/audit";
import { auditProofContract } from "./audit/audit-proof";
import { auditRetentionContract } from "./audit/audit-retention";
import { erasureContract } from "./audit/erasures";
import { scheduleContract } from "./automation/schedules";
import { triggerContract } from "./automation/triggers";
import { workflowContract } from "./automation/workflows";
import { callContract } from "./calls/calls";
import { jobContract } from "./calls/jobs";
import { conversationContract } from "./conversations/conversations";
import { todoContract } from "./conversations/todos";
import { workListContract } from "./conversations/work-lists";
import { grantContract } from "./guard/grants";
import { guardContract } from "./guard/guard";
import { policyContract } from "./guard/policy";
import { sandboxContract } from "./guard/sandbox";
import { hookContract } from "./hooks/hooks";
import { webhookContract } from "./hooks/webhooks";
import { identityContract } from "./identity/identity";
import { knowledgeContract } from "./knowledge/knowledge";
import { knowledgeTransformationContract } from "./knowledge/knowledge-transformations";
import { mcpAppContract } from "./mcp/mcp-apps";
import { mcpAuthorizationContract } from "./mcp/mcp-authorization";
import { mcpClientSignInContract } from "./mcp/mcp-client-sign-ins";
import { mcpContentContract } from "./mcp/mcp-contents";
import { mcpServerContract } from "./mcp/mcp-servers";
import { memoryContract } from "./memory/memory";
import { memoryFactContract } from "./memory/memory-facts";
import { memoryUpkeepContract } from "./memory/memory-upkeep";
import { contactContract } from "./messengers/contacts";
import { messengerContract } from "./messengers/messengers";
import { mediaContract } from "./models/media";
import { modelContract } from "./models/models";
import { mailSettingsContract } from "./notifications/mail-settings";
import { notificationContract } from "./notifications/notifications";
import { doctorContract } from "./operations/doctor";
import { healthContract } from "./operations/health";
import { metricsContract } from "./operations/metrics";
import { overviewContract } from "./operations/overview";
import { secretKeyContract } from "./operations/secret-key";
import { workContract } from "./operations/work";
import { chatContract } from "./runs/chats";
import { runContract } from "./runs/runs";
import { skillContract } from "./skills/skills";
import { authProfileContract } from "./tools/auth-profiles";
import { dataSourceContract } from "./tools/data-sources";
import { httpToolContract } from "./tools/http-tools";
import { nativeToolOptionsContract } from "./tools/native-tool-options";
import { resultSettingsContract } from "./tools/result-settings";
import { searchSettingsContract } from "./tools/search-settings";
import { shellSettingsContract } from "./tools/shell";
import { toolChangeContract } from "./tools/tool-changes";
import { toolContract } from "./tools/tools";
import { artifactContract } from "./turns/artifacts";
import { fileChangeContract } from "./turns/file-changes";
import { turnContract } from "./turns/turns";

/** Every noun of the API, in the order of its reference. Permissions, events and navigation are generated from this list. */
export const contracts = {
  conversations: conversationContract,
  turns: turnContract,
  runs: runContract,
  chats: chatContract,
  workLists: workListContract,
  calls: callContract,
  codingAgents: codingAgentContract,
  jobs: jobContract,
  approvals: approvalContract,
  tools: toolContract,
  toolChanges: toolChangeContract,
  nativeToolOptions: nativeToolOptionsContract,
  httpTools: httpToolContract,
  authProfiles: authProfileContract,
  grants: grantContract,
  delegate: delegateContract,
  delegation: delegationContract,
  mcpServers: mcpServerContract,
  mcpAuthorization: mcpAuthorizationContract,
  mcpContents: mcpContentContract,
  mcpApps: mcpAppContract,
  mcpClientSignIns: mcpClientSignInContract,
  agents: agentContract,
  schedules: scheduleContract,
  todos: todoContract,
  memory: memoryContract,
  skills: skillContract,
  memoryFacts: memoryFactContract,
  memoryUpkeep: memoryUpkeepContract,
  knowledge: knowledgeContract,
  knowledgeTransformations: knowledgeTransformationContract,
  topics: topicContract,
  earlierChannels: earlierChannelContract,
  workflows: workflowContract,
  models: modelContract,
  guard: guardContract,
  policy: policyContract,
  sandbox: sandboxContract,
  secretKey: secretKeyContract,
  dataSources: dataSourceContract,
  hooks: hookContract,
  overview: overviewContract,
  audit: auditContract,
  auditProof: auditProofContract,
  auditRetention: auditRetentionContract,
  erasures: erasureContract,
  artifacts: artifactContract,
  fileChanges: fileChangeContract,
  resultSettings: resultSettingsContract,
  searchSettings: searchSettingsContract,
  media: mediaContract,
  shellSettings: shellSettingsContract,
  triggers: triggerContract,
  webhooks: webhookContract,
  messengers: messengerContract,
  contacts: contactContract,
  notifications: notificationContract,
  mailSettings: mailSettingsContract,
  work: workContract,
  identity: identityContract,
  doctor: doctorContract,
  metrics: metricsContract,
  health: healthContract,
};

type Contracts = typeof contracts;

/** Every endpoint of the API by noun: the OpenAPI document and its tests walk through them. */
export const endpoints = Object.fromEntries(Object.entries(contracts).map(([noun, contract]) => [noun, contract.endpoints])) as {
  [Noun in keyof Contracts]: Contracts[Noun]["endpoints"];
};
