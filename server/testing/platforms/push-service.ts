import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export type Pushed = { path: string; headers: IncomingMessage["headers"]; body: Buffer };

/** A push service (RFC 8030) with signed senders (RFC 8292). `answers` are the next statuses; 201 when there are none. */
export async function startPushService() {
  const pushed: Pushed[] = [];
  const answers: { status: number; headers?: Record<string, string> }[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const wanted = answers.shift() ?? { status: refusalOf(request, `http://${request.headers.host}`) ?? 201 };
    if (wanted.status === 201) pushed.push({ path: request.url ?? "", headers: request.headers, body });
    response.writeHead(wanted.status, { location: "/message/1", ...wanted.headers }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, pushed, answers, close: () => new Promise((resolve) => server.close(resolve)) };
}

export type PushService = Awaited<ReturnType<typeof startPushService>>;

/** The status with which a service refuses a push; null for a good one. */
function refusalOf({ headers }: IncomingMessage, origin: string): number | null {
  if (!/^\d+$/.test(String(headers.ttl)) || headers["content-encoding"] !== "aes128gcm") return 400;
  if (headers.topic !== undefined && !/^[\w-]{1,32}$/.test(String(headers.topic))) return 400;
  const [, token = "", key = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? "") ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  if (point.byteLength !== 65) return 401;
  const jwk = { kty: "EC", crv: "P-256", x: point.subarray(1, 33).toString("base64url"), y: point.subarray(33).toString("base64url") };
  const publicKey = { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" as const };
  if (!verify("SHA256", Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, "base64url"))) return 403;
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, "base64url").toString()) as { aud: string; exp: number; sub: string };
  const isValid = aud === origin && exp * 1_000 > Date.now() && exp * 1_000 < Date.now() + 86_400_000 && /^(mailto|https):/.test(sub);
  return isValid ? null : 403;
}

/** A browser's subscription at a service, which opens what was pushed to it (RFC 8291, written from the text of the standard). */
export function subscribeBrowser({ url, pushed }: PushService, name = "one") {
  const keys = createECDH("prime256v1");
  const point = keys.generateKeys();
  const auth = randomBytes(16);
  const open = (body: Buffer): unknown => {
    const salt = body.subarray(0, 16);
    const length = body[20] ?? 0;
    const sender = body.subarray(21, 21 + length);
    const sealed = body.subarray(21 + length);
    const shared = keys.computeSecret(sender);
    const secret = hkdfSync("sha256", shared, auth, Buffer.concat([Buffer.from("WebPush: info\0"), point, sender]), 32);
    const key = Buffer.from(hkdfSync("sha256", Buffer.from(secret), salt, "Content-Encoding: aes128gcm\0", 16));
    const nonce = Buffer.from(hkdfSync("sha256", Buffer.from(secret), salt, "Content-Encoding: nonce\0", 12));
    const decipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(sealed.subarray(-16));
    const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    return JSON.parse(text.subarray(0, text.lastIndexOf(2)).toString());
  };
  return {
    subscription: {
      endpoint: `${url}/push/${name}`,
      keys: { p256dh: point.toString("base64url"), auth: auth.toString("base64url") },
      device: `Browser ${name}`,
    },
    messages: () => pushed.filter(({ path }) => path === `/push/${name}`).map(({ body }) => open(body) as Record<string, string>),
  };
}
