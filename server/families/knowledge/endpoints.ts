import { knowledgeEndpoints } from "@/contracts/knowledge/knowledge";
import { maxSourceBytes } from "@/contracts/knowledge/knowledge-sources";
import { answer } from "@/server/endpoints/answer";
import { readRequestBytes } from "@/server/endpoints/read-request-bytes";
import { reply } from "@/server/endpoints/reply";
import { db } from "@/server/platform/database/database";
import { findBase } from "./bases/base-rows";
import { bases, createBase, getBase, listBases } from "./manage-bases";
import {
  archivePage,
  createPage,
  getPage,
  listPages,
  listPageVersions,
  readGraph,
  removePageOf,
  renamePageOf,
  restorePageVersion,
  updatePage,
} from "./pages/manage-pages";
import { searchBase } from "./search/search";
import {
  addBytes,
  addLink,
  getFile,
  getPart,
  getPicture,
  getSource,
  listSources,
  readSourceAgain,
  removeSourceOf,
} from "./sources/manage-sources";
export const knowledgeAnswers = answer(knowledgeEndpoints, {
  list: ({ actor, query }) => listBases(actor, query),
  create: ({ actor, body }) => createBase(actor, body),
  get: ({ actor, params }) => getBase(actor, params.id),
  update: async (input) => {
    await findBase(input.actor, input.params.id);
    return bases.update(input);
  },
  remove: async (input) => {
    await findBase(input.actor, input.params.id);
    await bases.remove(input);
  },
  search: async ({ actor, params, query }) => searchBase(db(), await findBase(actor, params.id), query.query, query.in, query.limit),
  graph: ({ actor, params }) => readGraph(actor, params.id),
  listSources: ({ actor, params, query }) => listSources(actor, params.id, query),
  addSource: async ({ actor, params, query, request }) => {
    // Before the body, so that nobody makes the server read 64 MiB for a base of others.
    await findBase(actor, params.id);
    const bytes = await readRequestBytes(request, maxSourceBytes);
    return reply(await addBytes(actor, params.id, { name: query.name, kind: "upload", origin: null, bytes }), { status: 201 });
  },
  addText: ({ actor, params, body }) =>
    addBytes(actor, params.id, { name: withSuffix(body.name), kind: "text", origin: null, bytes: Buffer.from(body.text) }),
  addLink: ({ actor, params, body, signal }) => addLink(actor, params.id, body.url, signal),
  getSource: ({ actor, params }) => getSource(actor, params.id),
  getPart: ({ actor, params }) => getPart(actor, params.id, params.number),
  getFile: ({ actor, params }) => getFile(actor, params.id),
  getPicture: ({ actor, params, signal }) => getPicture(actor, params.id, params.number, signal),
  readAgain: ({ actor, params }) => readSourceAgain(actor, params.id),
  removeSource: ({ actor, params }) => removeSourceOf(actor, params.id),
  listPages: ({ actor, params, query }) => listPages(actor, params.id, query),
  createPage: ({ actor, params, body }) => createPage(actor, params.id, body),
  getPage: ({ actor, params }) => getPage(actor, params.id),
  updatePage: ({ actor, params, body, version }) => updatePage(actor, params.id, body, version),
  renamePage: ({ actor, params, body, version }) => renamePageOf(actor, params.id, body.slug, version),
  archivePage: ({ actor, params }) => archivePage(actor, params.id, true),
  restorePage: ({ actor, params }) => archivePage(actor, params.id, false),
  removePage: ({ actor, params, version }) => removePageOf(actor, params.id, version),
  listPageVersions: ({ actor, params }) => listPageVersions(actor, params.id),
  restorePageVersion: ({ actor, params, version }) => restorePageVersion(actor, params.id, params.version, version),
});

/** A pasted text is Markdown unless its name says otherwise. */
const withSuffix = (name: string): string => (/\.[a-z0-9]{1,8}$/i.test(name) ? name : `${name}.md`);
