import { memoryEndpoints } from "@/contracts/memory/memory";
import { memoryFactEndpoints } from "@/contracts/memory/memory-facts";
import { maxMemoryArchive, memoryUpkeepEndpoints } from "@/contracts/memory/memory-upkeep";
import { answer } from "@/server/endpoints/answer";
import { readRequestBytes } from "@/server/endpoints/read-request-bytes";
import { exportMemory, importMemory } from "./archive";
import { getChange, listChanges, undoChange } from "./changes";
import { forget } from "./forget";
import { confirm, createFact, listContradictions, listFacts, removeFact, settle, updateFact } from "./manage-facts";
import {
  createEntry,
  createFile,
  getFile,
  listEntries,
  listFiles,
  listOwners,
  listVersions,
  removeEntry,
  removeFile,
  restoreVersion,
  showPrompt,
  updateFile,
} from "./manage-memory";
import { consolidateNow, searchMemory, showSettings, updateSettings } from "./manage-upkeep";

export const memoryAnswers = answer(memoryEndpoints, {
  listFiles: ({ actor, query }) => listFiles(actor, query),
  createFile: ({ actor, body }) => createFile(actor, body),
  getFile: ({ actor, params }) => getFile(actor, params.id),
  updateFile: ({ actor, params, body, version }) => updateFile(actor, params.id, body, version),
  removeFile: ({ actor, params, version }) => removeFile(actor, params.id, version),
  listVersions: ({ actor, params }) => listVersions(actor, params.id),
  restoreVersion: ({ actor, params, version }) => restoreVersion(actor, params.id, params.version, version),
  listEntries: ({ actor, query }) => listEntries(actor, query),
  removeEntry: ({ actor, params }) => removeEntry(actor, params.id),
  prompt: ({ actor, params, query }) => showPrompt(actor, params.id, query.ownerKey ?? "", query.message),
  saveEntry: ({ actor, body }) => createEntry(actor, body),
  listOwners: ({ actor, params }) => listOwners(actor, params.id),
});

export const memoryFactAnswers = answer(memoryFactEndpoints, {
  list: ({ actor, query }) => listFacts(actor, query),
  create: ({ actor, body }) => createFact(actor, body),
  update: ({ actor, params, body }) => updateFact(actor, params.id, body),
  confirm: ({ actor, params }) => confirm(actor, params.id),
  settle: ({ actor, params }) => settle(actor, params.id),
  remove: ({ actor, params }) => removeFact(actor, params.id),
  listContradictions: ({ actor, params, query }) => listContradictions(actor, params.id, query.ownerKey ?? null),
});

export const memoryUpkeepAnswers = answer(memoryUpkeepEndpoints, {
  search: ({ actor, params, query }) => searchMemory(actor, params.id, query),
  forget: ({ actor, params, body }) => forget(actor, params.id, body),
  settings: ({ actor, params }) => showSettings(actor, params.id),
  updateSettings: ({ actor, params, body, version }) => updateSettings(actor, params.id, body, version),
  consolidate: ({ actor, params, body }) => consolidateNow(actor, params.id, body.ownerKey),
  listChanges: ({ actor, query }) => listChanges(actor, query),
  getChange: ({ actor, params }) => getChange(actor, params.id),
  undoChange: ({ actor, params }) => undoChange(actor, params.id),
  export: ({ actor, params, query }) => exportMemory(actor, params.id, query.ownerKey ?? null),
  import: async ({ actor, params, query, request }) => {
    const bytes = await readRequestBytes(request, maxMemoryArchive);
    return importMemory(actor, params.id, bytes, query.apply === "true");
  },
});
