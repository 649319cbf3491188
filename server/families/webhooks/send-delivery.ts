import "server-only";
import type { WebhookEventName } from "@/contracts/hooks/webhooks";
import { privateAddressSentence } from "@/server/capabilities/callbacks/assert-reachable-address";
import { signatureOf } from "@/server/capabilities/callbacks/sign-delivery";
import type { HttpAnswer, HttpCapability } from "@/server/capabilities/network/http";
import { storableText } from "@/server/platform/database/storable";
import { isAppError, toErrorMessage } from "@/server/platform/errors";

export type Sending = {
  deliveryId: string;
  event: WebhookEventName;
  url: string;
  secret: string;
  body: string;
};

/** The outcome of one try. `refused`: another try would end the same way. */
export type Answered =
  | { kind: "taken"; status: number }
  | { kind: "not_taken"; status: number | null; error: string }
  | { kind: "refused"; status: number | null; error: string };

/** Time limit of a try, from the name look-up to the end of the response. */
export const tryTimeoutMs = 10_000;
const maxAnswerBytes = 4_096;
const maxShownCharacters = 1_000;

/** Sends one signed request and returns its outcome; never throws, whatever the receiver does. */
export async function sendDelivery({ deliveryId, event, url, secret, body }: Sending, http: HttpCapability, at: Date): Promise<Answered> {
  const ended = new AbortController();
  const signal = AbortSignal.any([AbortSignal.timeout(tryTimeoutMs), ended.signal]);
  try {
    const answer = await http.open(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "handrail-event": event,
        "handrail-delivery": deliveryId,
        "handrail-signature": signatureOf(secret, body, at),
      },
      body,
      signal,
    });
    return judge(answer, await readBeginning(answer.body));
  } catch (error) {
    return explain(error, url);
  } finally {
    // Closes the connection to a receiver that never ends its response.
    ended.abort();
  }
}

function judge({ status, headers }: HttpAnswer, text: string): Answered {
  if (status >= 200 && status < 300) return { kind: "taken", status };
  if (status === 410) return { kind: "refused", status, error: "The address answered 410 Gone, so nothing more is sent." };
  if (status >= 300 && status < 400) {
    const target = (headers.location ?? "another address").slice(0, maxShownCharacters);
    return {
      kind: "not_taken",
      status,
      error: storableText(`It answered ${status} and points to ${target}. Redirects are not followed: use the address at their end.`),
    };
  }
  return { kind: "not_taken", status, error: storableText(text === "" ? `It answered ${status}.` : `It answered ${status}: ${text}`) };
}

/** Reads the first characters of a response. A body that breaks off is no error, because the status decides the outcome. */
async function readBeginning(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.byteLength;
      if (length >= maxAnswerBytes) break;
    }
  } catch {
    // The bytes received so far are still worth showing.
  }
  return Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString("utf8").trim().slice(0, maxShownCharacters);
}

function explain(error: unknown, url: string): Answered {
  const host = URL.parse(url)?.host ?? url;
  if (error instanceof Error && error.name === "TimeoutError") {
    return { kind: "not_taken", status: null, error: `${host} did not answer within ${tryTimeoutMs / 1_000} s.` };
  }
  if (isAppError(error) && error.code === "forbidden") {
    return { kind: "refused", status: null, error: privateAddressSentence(host) };
  }
  return { kind: "not_taken", status: null, error: storableText(toErrorMessage(error)).slice(0, maxShownCharacters) };
}
