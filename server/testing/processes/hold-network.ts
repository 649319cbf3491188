import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { boxedProgram, furtherStreams } from "@/server/capabilities/sandbox/boxed-program";
import { callNetwork } from "@/server/capabilities/sandbox/network/conversation-network";
import { noOpenings } from "@/server/capabilities/sandbox/openings";
import { env } from "@/server/platform/env";

/**
 * A server with the network of one conversation, in its own process, which a test runs as another user or kills.
 * Arguments: a granted host, and a command, which runs in the sandbox with the host and without. Prints one line with
 * both results, and then holds the network.
 */
const [place = "", command = "true"] = process.argv.slice(2);
const root = path.join(env().dataDir, "workspaces", "held");
mkdirSync(root, { recursive: true });

async function run(hosts: readonly string[]): Promise<string> {
  const network = async (id: string, needed: { isNeeded: boolean }) => {
    const made = await callNetwork(id, needed);
    return made && { enter: made.enter, proxy: () => made.proxy(hosts, { privateHosts: hosts }) };
  };
  const program = await boxedProgram(["/bin/sh", "-c", command], {
    root,
    conversationId: "held",
    network,
    openings: { ...noOpenings, hosts },
  });
  const child = spawn(program.command, program.args, {
    env: program.env as NodeJS.ProcessEnv,
    cwd: "/",
    stdio: ["ignore", "pipe", "inherit", ...furtherStreams(program.descriptors)],
  });
  program.started();
  const [output] = await Promise.all([child.stdout ? text(child.stdout) : "", once(child, "close")]);
  await program.release();
  return output;
}

const granted = await run([place]);
const notGranted = await run([]);
const held = await callNetwork("held", { isNeeded: false });
console.log(JSON.stringify({ enter: held?.enter ?? [], granted, notGranted }));
process.stdin.resume().once("end", () => process.exit(0));
