import "server-only";
import { sha256 } from "@/server/platform/crypto";
import { env } from "@/server/platform/env";
import { AppError } from "@/server/platform/errors";
import { connectFiles, connectScript } from "./connect-script";

const text = (body: string, type: string): Response =>
  new Response(body, {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": "no-store",
      digest: `sha-256=${Buffer.from(sha256(body), "hex").toString("base64")}`,
    },
  });

/** Serves the script that connects a machine. */
export async function serveConnectScript(): Promise<Response> {
  return text(connectScript(env().publicUrl.replace(/\/+$/, "")), "text/x-shellscript");
}

/** Serves a file of the connection with its digest. @throws AppError `not_found` */
export async function serveConnectFile(name: string): Promise<Response> {
  const body = Object.hasOwn(connectFiles, name) ? connectFiles[name] : undefined;
  if (body === undefined)
    throw new AppError("not_found", `There is no file of this name. There are ${Object.keys(connectFiles).join(", ")}.`);
  return text(body, "text/javascript");
}
