import { handled } from "@/server/jobs/run-queue";
import { defineFamily } from "../define-family";
import { erasureAnswers } from "./endpoints";
import { erasePerson } from "./erase-person";
import { erasureQueue } from "./erasure-queue";
import { repeatUndoneErasures } from "./ledger";

/** A person's data in a workspace: counted, exported, erased. */
export const erasureFamily = defineFamily({
  name: "erasure",
  endpoints: erasureAnswers,
  findLostWork: [repeatUndoneErasures],
  queues: [handled(erasureQueue, erasePerson)],
});
