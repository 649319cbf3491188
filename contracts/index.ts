import { agentContract } from "./agents";
import { approvalContract } from "./approvals";
import { artifactContract } from "./artifacts";
import { auditContract } from "./audit";
import { auditProofContract } from "./audit-proof";
import { auditRetentionContract } from "./audit-retention";
import { authProfileContract } from "./auth-profiles";
import { callContract } from "./calls";
import { chatContract } from "./chats";
import { codingAgentContract } from "./coding-agents";
import { contactContract } from "./contacts";
import { conversationContract } from "./conversations";
import { dataSourceContract } from "./data-sources";
import { delegateContract } from "./delegate";
import { delegationContract } from "./delegation";
import { doctorContract } from "./doctor";
import { earlierChannelContract } from "./earlier-channels";
import { erasureContract } from "./erasures";
import { fileChangeContract } from "./file-changes";
import { grantContract } from "./grants";
import { guardContract } from "./guard";
import { healthContract } from "./health";
import { hookContract } from "./hooks";
import { httpToolContract } from "./http-tools";
import { identityContract } from "./identity";
import { jobContract } from "./jobs";
import { knowledgeContract } from "./knowledge";
import { knowledgeTransformationContract } from "./knowledge-transformations";
import { mailSettingsContract } from "./mail-settings";
import { mcpAppContract } from "./mcp-apps";
import { mcpAuthorizationContract } from "./mcp-authorization";
import { mcpClientSignInContract } from "./mcp-client-sign-ins";
import { mcpContentContract } from "./mcp-contents";
import { mcpServerContract } from "./mcp-servers";
import { mediaContract } from "./media";
import { memoryContract } from "./memory";
import { memoryFactContract } from "./memory-facts";
import { memoryUpkeepContract } from "./memory-upkeep";
import { messengerContract } from "./messengers";
import { metricsContract } from "./metrics";
import { modelContract } from "./models";
import { nativeToolOptionsContract } from "./native-tool-options";
import { notificationContract } from "./notifications";
import { overviewContract } from "./overview";
import { policyContract } from "./policy";
import { resultSettingsContract } from "./result-settings";
import { runContract } from "./runs";
import { sandboxContract } from "./sandbox";
import { scheduleContract } from "./schedules";
import { searchSettingsContract } from "./search-settings";
import { secretKeyContract } from "./secret-key";
import { shellSettingsContract } from "./shell";
import { skillContract } from "./skills";
import { todoContract } from "./todos";
import { toolChangeContract } from "./tool-changes";
import { toolContract } from "./tools";
import { topicContract } from "./topics";
import { triggerContract } from "./triggers";
import { turnContract } from "./turns";
import { webhookContract } from "./webhooks";
import { workContract } from "./work";
import { workListContract } from "./work-lists";
import { workflowContract } from "./workflows";

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
