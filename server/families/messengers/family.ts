import { handled } from "@/server/jobs/run-queue";
import { defineFamily } from "../define-family";
import { answerRun } from "./answer-run";
import { cardSubscriber } from "./approvals/approval-card";
import { linkedChats } from "./approvals/approver-chats";
import { carryResult } from "./carry-results";
import { keepConnections } from "./connections";
import { messengerAnswers } from "./endpoints";
import { environment } from "./environment";
import { channelToolSource, syncAllMessengerTools } from "./messenger-tools";
import { messengersCapability } from "./messengers-capability";
import { chatQueue, partQueue } from "./queues";
import { sendParts } from "./send-parts";
import { findLostMessages, removeOldMessages } from "./sweeps";
import { takeMessages } from "./take/take-messages";

export const messengersFamily = defineFamily({
  name: "messengers",
  endpoints: messengerAnswers,
  environment,
  queues: [handled(chatQueue, takeMessages), handled(partQueue, sendParts)],
  subscriber: cardSubscriber,
  capabilities: [messengersCapability],
  toolSource: channelToolSource,
  runEnded: answerRun,
  approverChats: linkedChats,
  resultCarrier: carryResult,
  findLostWork: [findLostMessages, syncAllMessengerTools],
  removeOldRows: [removeOldMessages],
  boot: [{ title: "the connections of messengers", start: keepConnections }],
});
