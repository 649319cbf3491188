import { defineFamily } from "../define-family";
import { memoryAnswers } from "./endpoints";
import { memory } from "./memory-capability";
import { memoryShare, writeMemorySection } from "./prompt-section";
import { memoryEdit, memoryList, memoryRead, memorySearch, memoryWrite } from "./tools/file-tools";
import { memoryRecall, searchMemory } from "./tools/recall-tools";
import { forgetStructured, recallStructured, recordLesson, remember, rememberStructured } from "./tools/remember-tools";

export const memoryFamily = defineFamily({
  name: "memory",
  endpoints: memoryAnswers,
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
    recordLesson,
  ],
  capabilities: [memory],
  promptSection: { share: memoryShare, write: writeMemorySection },
});
