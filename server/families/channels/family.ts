import { handled } from "@/server/jobs/run-queue";
import { defineFamily } from "../define-family";
import { removeOldMessages } from "./channel-messages";
import { channels } from "./channels-capability";
import { deliverMessage } from "./deliver-message";
import { deliveryQueue } from "./delivery-queue";
import { channelAnswers } from "./endpoints";
import { group } from "./groups/group-capability";
import { passOnAnswer } from "./groups/pass-on-answer";
import { groupTools } from "./tools/group-tools";
import { sendMessageTool } from "./tools/send-message";
import { watchChannel } from "./tools/watch-channel";

export const channelsFamily = defineFamily({
  name: "channels",
  endpoints: channelAnswers,
  tools: [sendMessageTool, watchChannel, ...groupTools],
  capabilities: [channels, group],
  queues: [handled(deliveryQueue, deliverMessage)],
  runEnded: passOnAnswer,
  removeOldRows: [removeOldMessages],
});
