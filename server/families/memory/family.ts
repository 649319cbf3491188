import { handled } from "@/server/jobs/run-queue";
import { defineFamily } from "../define-family";
import { recountAfterRemoval } from "./agent-removed";
import { consolidateMemory, queueNightly } from "./consolidate-memory";
import { memoryAnswers, memoryFactAnswers, memoryUpkeepAnswers } from "./endpoints";
import { extractMemory, followRun } from "./extract-memory";
import { memoryForgetting } from "./forget-person";
import { memory } from "./memory-capability";
import { memoryShare, writeMemorySection } from "./prompt-section";
import { factListContradictions, factProbe, rememberFact } from "./tools/fact-tools";
import { memoryEdit, memoryList, memoryRead, memorySearch, memoryWrite } from "./tools/file-tools";
import { memoryRecall, searchMemory } from "./tools/recall-tools";
import { forgetStructured, recallStructured, remember, rememberStructured } from "./tools/remember-tools";
import { consolidationQueue, extractionQueue, nightlyQueue } from "./upkeep-queues";

export const memoryFamily = defineFamily({
  name: "memory",
  endpoints: [...memoryAnswers, ...memoryFactAnswers, ...memoryUpkeepAnswers],
  tools: [
    memoryList,
    memoryRead,
    memoryWrite,
    memoryEdit,
    memorySearch,
    remember,
    rememberStructured,
    recallStructured,
    forgetStructured,
    memoryRecall,
    searchMemory,
    rememberFact,
    factProbe,
    factListContradictions,
  ],
  capabilities: [memory],
  agentObserver: recountAfterRemoval,
  runEnded: followRun,
  forgetting: memoryForgetting,
  queues: [handled(extractionQueue, extractMemory), handled(nightlyQueue, queueNightly), handled(consolidationQueue, consolidateMemory)],
  promptSection: { share: memoryShare, write: writeMemorySection },
});
