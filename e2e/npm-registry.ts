import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

/** The only package of the stand-in: `add(1, 2)`. */
export const packageName = "tiny-adder";

export type NpmRegistry = {
  port: number;
  /** Paths that were asked for, in order. */
  requests: string[];
  close: () => Promise<void>;
};

/** A stand-in for an npm registry on one address of this machine, with one package. */
export async function startNpmRegistry(address: string): Promise<NpmRegistry> {
  const tarball = packTarball();
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const asked = request.url ?? "";
    requests.push(asked);
    if (asked === `/${packageName}`) {
      const dist = { tarball: `http://${request.headers.host}/${packageName}/-/${packageName}-1.0.0.tgz`, integrity };
      const version = { name: packageName, version: "1.0.0", main: "index.js", dist };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ name: packageName, "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } }));
    } else if (asked === `/${packageName}/-/${packageName}-1.0.0.tgz`) {
      response.setHeader("content-type", "application/octet-stream");
      response.end(tarball);
    } else {
      response.statusCode = 404;
      response.end("{}");
    }
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, address, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function packTarball(): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), "handrail-package-"));
  try {
    mkdirSync(path.join(folder, "package"));
    writeFileSync(path.join(folder, "package/package.json"), JSON.stringify({ name: packageName, version: "1.0.0", main: "index.js" }));
    writeFileSync(path.join(folder, "package/index.js"), "exports.add = (a, b) => a + b;\n");
    const { status, stderr } = spawnSync("tar", ["-czf", "package.tgz", "package"], { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(`tar could not pack the package: ${stderr}`);
    return readFileSync(path.join(folder, "package.tgz"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
