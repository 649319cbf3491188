import { memoryEndpoints } from "@/contracts/memory";
import { answer } from "@/server/endpoints/answer";
import {
  createFile,
  getFile,
  listEntries,
  listFiles,
  listVersions,
  removeEntry,
  removeFile,
  restoreVersion,
  showPrompt,
  updateFile,
} from "./manage-memory";

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
  prompt: ({ actor, params, query }) => showPrompt(actor, params.id, query.ownerKey ?? ""),
});
