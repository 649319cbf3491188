import { handled } from "@/server/jobs/run-queue";
import { defineFamily } from "../define-family";
import { triggerAnswers } from "./endpoints";
import { findLostFirings, fireTrigger, removeOldFirings } from "./fire-trigger";
import { followHappening, followRunEnd } from "./follow-events";
import { triggerQueue } from "./trigger-queue";

export const triggersFamily = defineFamily({
  name: "triggers",
  endpoints: triggerAnswers,
  queues: [handled(triggerQueue, fireTrigger)],
  followsHappenings: followHappening,
  runEnded: followRunEnd,
  findLostWork: [findLostFirings],
  removeOldRows: [removeOldFirings],
});
