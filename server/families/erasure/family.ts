import { handled } from "@/server/jobs/run-queue";
import { defineFamily } from "../define-family";
import { erasureAnswers } from "./endpoints";
import { erasePerson } from "./erase-person";
import { erasureQueue } from "./erasure-queue";

/** What a workspace holds of a person: counted, exported, erased. */
export const erasureFamily = defineFamily({
  name: "erasure",
  endpoints: erasureAnswers,
  queues: [handled(erasureQueue, erasePerson)],
});
