import "server-only";
import { messengerEndpoints } from "@/contracts/messengers/messengers";
import { record } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import { readRequestBytes } from "@/server/endpoints/read-request-bytes";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { driverOf, findMessenger, type MessengerRow } from "../account";
import type { Received } from "../drivers/driver";
import { isFirstThisMinute } from "../once-a-minute";
import { storeCalled, storeEvents } from "./store-events";

/**
 * Takes a call of a platform: checks its signature, stores what it holds, and answers afterwards, so that a platform repeats what was not
 * stored. @throws AppError `not_found`, `unauthenticated`, `too_large`
 */
export async function receiveWebhook(request: Request, id: string): Promise<Response> {
  const messenger = await findMessenger(id);
  if (!messenger?.enabled || messenger.transport !== "webhook") throw noSuchAddress();
  const body = request.method === "GET" ? new Uint8Array() : await readRequestBytes(request, messengerEndpoints.receive.maxBodyBytes);
  const driver = await driverOf(messenger);
  if (!driver.receive) throw noSuchAddress();
  const query = new URL(request.url, "http://localhost").searchParams;
  const received = await driver.receive({ method: request.method, headers: request.headers, query, body });
  if (!received) throw await refused(messenger);
  const { events, notices = [] } = received;
  await (notices.length === 0 ? storeCalled({ messenger, events }) : storeEvents(messenger, events, undefined, notices));
  return answerOf(received);
}

function answerOf({ answer = { body: "{}" } }: Received): Response {
  const { status = 200, body, type = "application/json" } = answer;
  return new Response(body, { status, headers: { "content-type": type, "cache-control": "no-store" } });
}

const noSuchAddress = () => new AppError("not_found", "No messenger is called at this address. Copy the address from the page Messengers.");

async function refused({ id, workspaceId, name, platform }: MessengerRow): Promise<AppError> {
  if (isFirstThisMinute(`${id} signature`)) {
    await db().transaction((tx) =>
      record(tx, {
        workspaceId,
        event: "messenger.signature_refused",
        actor: systemActor,
        subject: id,
        data: { name, platform },
      }),
    );
  }
  return new AppError("unauthenticated", "The call is not signed as this messenger's calls are. Check the secret on both sides.");
}
