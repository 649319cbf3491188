import { handled } from "@/server/jobs/run-queue";
import { defineFamily } from "../define-family";
import { deliverMessage } from "./deliver-message";
import { deliveryQueue } from "./delivery-queue";
import { earlierChannelAnswers } from "./earlier-endpoints";
import { topicAnswers } from "./endpoints";
import { group } from "./groups/group-capability";
import { passOnAnswer } from "./groups/pass-on-answer";
import { groupTools } from "./tools/group-tools";
import { sendMessageTool } from "./tools/send-message";
import { watchChannel } from "./tools/watch-channel";
import { removeOldMessages } from "./topic-messages";
import { topics } from "./topics-capability";

export const topicsFamily = defineFamily({
  name: "topics",
  endpoints: [...topicAnswers, ...earlierChannelAnswers],
  tools: [sendMessageTool, watchChannel, ...groupTools],
  capabilities: [topics, group],
  queues: [handled(deliveryQueue, deliverMessage)],
  runEnded: passOnAnswer,
  removeOldRows: [removeOldMessages],
});
