import { handled } from "@/server/jobs/run-queue";
import { defineFamily } from "../define-family";
import { removeOldMessages } from "./channel-messages";
import { channels } from "./channels-capability";
import { deliverMessage } from "./deliver-message";
import { deliveryQueue } from "./delivery-queue";
import { sendMessageTool } from "./tools/send-message";
import { watchChannel } from "./tools/watch-channel";

export const channelsFamily = defineFamily({
  name: "channels",
  tools: [sendMessageTool, watchChannel],
  capabilities: [channels],
  queues: [handled(deliveryQueue, deliverMessage)],
  removeOldRows: [removeOldMessages],
});
