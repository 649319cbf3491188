import { onTestFinished } from "vitest";
import { MessengerDraft as Draft, type MessengerDraft, messengerEndpoints } from "@/contracts/messengers/messengers";
import { messengers as messengerTable } from "@/db/schema";
import { keepConnections } from "@/server/families/messengers/connections";
import { createMessenger } from "@/server/families/messengers/messengers";
import { receiveWebhook } from "@/server/families/messengers/receive/receive-webhook";
import { visit, visitFile } from "@/server/families/messengers/website/visit";
import { route } from "@/server/http/route";
import { db } from "@/server/platform/database/database";
import { authorize } from "../builders";
import type { RunStage } from "../models/run-stage";

/** Connects a messenger of the stage's workspace, with its tools and its connection as on a server. */
export async function connectMessenger(stage: RunStage, draft: Partial<MessengerDraft> & Pick<MessengerDraft, "platform">) {
  const body = Draft.parse({
    name: `Messenger ${Math.random().toString(36).slice(2, 8)}`,
    transport: "webhook",
    writers: "anyone",
    ...draft,
  });
  const created = await createMessenger({ actor: authorize(stage.built.admin, "messengers:write"), body });
  const stop = await keepConnections();
  onTestFinished(async () => {
    await stop();
    await db().delete(messengerTable);
  });
  return created;
}

/** Calls the callback address of a messenger as its platform does. @returns the status */
export async function callBack(id: string, { body, headers = {} }: { body: string; headers?: Record<string, string> }): Promise<Response> {
  const request = new Request(`http://handrail.test/messengers/${id}/webhook`, { method: "POST", body, headers });
  return receiveWebhook(request, id);
}

/** Answers the request of a website's page as the server does. */
export const visitPage = (id: string, request: Request): Promise<Response> =>
  route(messengerEndpoints.visit, visit)(request, { params: Promise.resolve({ id }) });

/** Answers a page that fetches a file of its chat. */
export const fetchVisitedFile = (params: { id: string; partId: string }, request: Request): Promise<Response> =>
  route(messengerEndpoints.visitFile, visitFile)(request, { params: Promise.resolve(params) });
