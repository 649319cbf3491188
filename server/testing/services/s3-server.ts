import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { S3Settings } from "@/server/capabilities/blobs/s3-client";

export const s3Bucket = "handrail-test";

/**
 * Starts an S3-compatible server in its own process, with its objects as files in a folder. Resolves when the server
 * listens. The server checks signatures and knows one key. The caller ends the process.
 */
export async function startS3Server(folder: string, port: number): Promise<ChildProcess> {
  const script = 'require("@20minutes/s3rver/lib/cli").parseAsync()';
  const options = ["-d", folder, "-a", "127.0.0.1", "-p", `${port}`, "--silent", "--configure-bucket", s3Bucket];
  const child = spawn(process.execPath, ["-e", script, "s3rver", ...options], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on("data", (text: Buffer) => `${text}`.includes("listening") && resolve());
    child.once("exit", () => reject(new Error("The S3 server did not start")));
  });
  return child;
}

export async function stopS3Server(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

export const s3SettingsAt = (port: number, rest: Partial<S3Settings> = {}): S3Settings => ({
  endpoint: `http://127.0.0.1:${port}`,
  region: "us-east-1",
  bucket: s3Bucket,
  accessKeyId: "S3RVER",
  secretAccessKey: "S3RVER",
  forcePathStyle: true,
  ...rest,
});
