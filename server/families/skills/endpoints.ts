import { maxPackageBytes, skillEndpoints } from "@/contracts/skills/skills";
import { answer } from "@/server/endpoints/answer";
import { readRequestBytes } from "@/server/endpoints/read-request-bytes";
import { reply } from "@/server/endpoints/reply";
import { installPackage, openSource, openZip, previewPackage } from "./install-skills";
import {
  bindSkills,
  getSkill,
  listSkills,
  listVersions,
  readSkillFileOf,
  removeSkillOf,
  restoreVersion,
  reviewSkill,
  saveFile,
  setSecret,
  skillsBoundTo,
  updateSkill,
} from "./manage-skills";

export const skillAnswers = answer(skillEndpoints, {
  list: ({ actor, query }) => listSkills(actor, query),
  install: async ({ actor, body: { source, ...options } }) =>
    reply(await installPackage(actor, await openSource(actor, source), options), { status: 201 }),
  preview: async ({ actor, body }) => previewPackage(actor, await openSource(actor, body.source)),
  installZip: async ({ actor, query, request }) => {
    const opened = await openZip(await readRequestBytes(request, maxPackageBytes), query.name);
    const folders = query.folders === undefined ? undefined : query.folders.split(",");
    const options = { folders, acceptFindings: query.acceptFindings === "true", replace: query.replace === "true" };
    return reply(await installPackage(actor, opened, options), { status: 201 });
  },
  previewZip: async ({ actor, request }) => previewPackage(actor, await openZip(await readRequestBytes(request, maxPackageBytes))),
  get: ({ actor, params }) => getSkill(actor, params.id),
  update: ({ actor, params, body, version }) => updateSkill(actor, params.id, body, version),
  remove: ({ actor, params, version }) => removeSkillOf(actor, params.id, version),
  readFile: ({ actor, params, query }) => readSkillFileOf(actor, params.id, query.path),
  saveFile: ({ actor, params, body, version }) => saveFile(actor, params.id, body, version),
  setSecret: ({ actor, params, body }) => setSecret(actor, params.id, params.name, body.value),
  review: ({ actor, params, body, version }) => reviewSkill(actor, params.id, body.review, version),
  versions: ({ actor, params }) => listVersions(actor, params.id),
  restoreVersion: ({ actor, params, version }) => restoreVersion(actor, params.id, params.version, version),
  ofAgent: ({ actor, params }) => skillsBoundTo(actor, params.id),
  bindToAgent: ({ actor, params, body }) => bindSkills(actor, params.id, body.skills),
});
