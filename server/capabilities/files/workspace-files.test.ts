import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "@/server/testing/tool-context";
import type { SearchQuery } from "../search/search-folder";
import { workspaceFiles } from "./workspace-files";

function workspace() {
  const outside = temporaryFolder();
  const root = path.join(outside, "workspaces", "one");
  mkdirSync(root, { recursive: true });
  writeFileSync(path.join(outside, "secret.txt"), "secret");
  const files = workspaceFiles(root);
  return {
    root,
    outside,
    files,
    at: (name: string) => path.join(root, name),
    write: (name: string, text: string) => files.writeBytes(name, Buffer.from(text)),
    append: (name: string, text: string) => files.writeBytes(name, Buffer.from(text), { append: true }),
    read: async (name: string) => Buffer.from(await files.readBytes(name)).toString(),
    find: (query: Partial<SearchQuery> = {}) => files.searchNames({ ...everything(), ...query }),
  };
}

const everything = (): SearchQuery => ({
  text: "",
  regex: false,
  ignoreCase: false,
  path: ".",
  globs: [],
  includeIgnored: false,
  limit: 100,
  signal: new AbortController().signal,
});

const code = (code: string) => expect.objectContaining({ code });

describe("a workspace", () => {
  test("is created for its owner alone when it is first used", async () => {
    const root = path.join(temporaryFolder(), "a", "b");
    await workspaceFiles(root).writeBytes("note.txt", Buffer.from("hello"));
    expect(statSync(root).mode & 0o777).toBe(0o700);
    expect(readFileSync(path.join(root, "note.txt"), "utf8")).toBe("hello");
  });

  test("gives back what was written, in folders that are made on the way", async () => {
    const { write, read } = workspace();
    expect(await write("notes/2026/today.md", "héllo\r\n")).toEqual({ created: true, bytesWritten: 8 });
    expect(await read("notes/2026/today.md")).toBe("héllo\r\n");
    expect(await write("./notes//2026/../2026/today.md", "again")).toEqual({ created: false, bytesWritten: 5 });
    expect(await read("notes/2026/today.md")).toBe("again");
  });

  test("takes an absolute path that lies inside", async () => {
    const { write, read, at } = workspace();
    await write(at("a.txt"), "inside");
    expect(await read(at("./a.txt"))).toBe("inside");
  });

  test("adds to the end of a file, or begins it", async () => {
    const { append, read } = workspace();
    expect(await append("log/x.txt", "one\n")).toEqual({ created: true, bytesWritten: 4 });
    expect(await append("log/x.txt", "two\n")).toEqual({ created: false, bytesWritten: 4 });
    expect(await read("log/x.txt")).toBe("one\ntwo\n");
  });

  test("keeps a file's mode when the file is replaced, and leaves nothing else behind", async () => {
    const { write, at, root } = workspace();
    writeFileSync(at("run.sh"), "old");
    chmodSync(at("run.sh"), 0o750);
    await write("run.sh", "new");
    expect(statSync(at("run.sh")).mode & 0o777).toBe(0o750);
    expect(readdirSync(root)).toEqual(["run.sh"]);
  });

  test("says of each path whether it is a file or a folder", async () => {
    const { write, files } = workspace();
    await write("a/b.txt", "12345");
    expect(await files.stat("a/b.txt")).toMatchObject({ kind: "file", bytes: 5 });
    expect(await files.stat("a")).toMatchObject({ kind: "folder" });
    expect(await files.stat(".")).toMatchObject({ kind: "folder" });
    await expect(files.stat("c")).rejects.toEqual(code("not_found"));
  });
});

describe("nothing leaves the workspace:", () => {
  test.each(["../secret.txt", "../../secret.txt", "a/../../../secret.txt", "/etc/passwd", "/", "..", "~", "~/x", "a/../.."])(
    "%s is refused, for reading and for writing",
    async (given) => {
      const { files, read, write, append, find, outside, at } = workspace();
      mkdirSync(at("a"));
      for (const attempt of [
        () => read(given),
        () => write(given, "x"),
        () => append(given, "x"),
        () => files.stat(given),
        () => find({ path: given }),
        () => files.searchLines({ ...everything(), text: "secret", path: given, contextLines: 0 }),
      ]) {
        await expect(attempt()).rejects.toEqual(code("forbidden"));
      }
      expect(readdirSync(outside).sort()).toEqual(["secret.txt", "workspaces"]);
      expect(readFileSync(path.join(outside, "secret.txt"), "utf8")).toBe("secret");
    },
  );

  test("a `..` behind a link takes back the link, as the path is written, and not the folder that it leads to", async () => {
    const { at, read, write } = workspace();
    await write(".git/hooks/sample", "hook");
    await write(".git/config", "settings");
    symlinkSync(".git/hooks", at("link"));
    await write("link/../config", "mine");
    expect(await read("config")).toBe("mine");
    expect(await read(".git/config")).toBe("settings");
    await expect(read("link/../../x")).rejects.toEqual(code("forbidden"));
  });

  test("a folder whose name merely begins like the workspace's is outside", async () => {
    const { root, read } = workspace();
    mkdirSync(`${root}-two`);
    writeFileSync(`${root}-two/x.txt`, "other");
    await expect(read(`${root}-two/x.txt`)).rejects.toEqual(code("forbidden"));
  });

  test("a link to a file outside is neither read nor written through", async () => {
    const { at, outside, read, write, append } = workspace();
    symlinkSync(path.join(outside, "secret.txt"), at("absolute"));
    symlinkSync("../../secret.txt", at("relative"));
    for (const name of ["absolute", "relative"]) {
      await expect(read(name)).rejects.toEqual(code("forbidden"));
      await expect(write(name, "x")).rejects.toEqual(code("forbidden"));
      await expect(append(name, "x")).rejects.toEqual(code("forbidden"));
    }
    expect(readFileSync(path.join(outside, "secret.txt"), "utf8")).toBe("secret");
  });

  test("a link in the middle of a path does not lead outside", async () => {
    const { at, outside, read, write, find } = workspace();
    symlinkSync(outside, at("door"));
    await expect(read("door/secret.txt")).rejects.toEqual(code("forbidden"));
    await expect(write("door/new/x.txt", "x")).rejects.toEqual(code("forbidden"));
    await expect(find({ path: "door" })).rejects.toEqual(code("forbidden"));
    expect(existsSync(path.join(outside, "new"))).toBe(false);
  });

  test("a dangling link to a place outside creates nothing there", async () => {
    const { at, outside, write, append } = workspace();
    symlinkSync(path.join(outside, "created.txt"), at("dangling"));
    await expect(write("dangling", "x")).rejects.toEqual(code("forbidden"));
    await expect(append("dangling", "x")).rejects.toEqual(code("forbidden"));
    expect(existsSync(path.join(outside, "created.txt"))).toBe(false);
  });

  test("a workspace folder that was swapped for a link is not entered", async () => {
    const { root, outside, read } = workspace();
    renameSync(root, `${root}-moved`);
    symlinkSync(outside, root);
    await expect(read("secret.txt")).rejects.toMatchObject({ code: expect.stringMatching(/conflict|invalid/) });
  });

  test.each([
    ["a folder on the way", "door/secret.txt", { real: "real", outside: "." }],
    ["the file itself", "door", { real: "real/secret.txt", outside: "secret.txt" }],
  ])("swapping %s for a link again and again lets nothing through", async (_what, given, swapped) => {
    const { root, at, outside, read, write } = workspace();
    mkdirSync(at("real"));
    writeFileSync(at("real/secret.txt"), "harmless");
    renameSync(at(swapped.real), at("door"));
    const swapping = swapForever(root, swapped.real, path.join(outside, swapped.outside));
    try {
      const seen = new Set<string>();
      for (let round = 0; round < 300 || (seen.size < 2 && round < 20_000); round += 1) {
        seen.add(await read(given).catch((error) => error.code));
        if (round % 5 === 0) await write(given, "harmless").catch(() => {});
      }
      expect([...seen].filter((answer) => !["harmless", "forbidden", "not_found", "conflict", "invalid"].includes(answer))).toEqual([]);
      expect(seen).toContain("forbidden");
      expect(readFileSync(path.join(outside, "secret.txt"), "utf8")).toBe("secret");
      expect(readdirSync(outside).sort()).toEqual(["secret.txt", "workspaces"]);
    } finally {
      swapping.kill("SIGKILL");
    }
  });
});

/** Starts a process that turns `door` from the real folder into a link to the outside and back, as fast as it can. */
function swapForever(folder: string, real: string, outside: string) {
  const program = `
    const { renameSync, rmSync, symlinkSync } = require("node:fs");
    const [folder, real, outside] = process.argv.slice(1);
    process.chdir(folder);
    const attempt = (step) => { try { step(); } catch {} };
    for (;;) {
      attempt(() => renameSync("door", real));
      attempt(() => symlinkSync(outside, "door"));
      attempt(() => rmSync("door", { recursive: true }));
      attempt(() => renameSync(real, "door"));
    }`;
  return spawn(process.execPath, ["-e", program, folder, real, outside], { stdio: "ignore" });
}

describe("links that stay inside", () => {
  test("are followed, whatever way they are written", async () => {
    const { at, write, read } = workspace();
    await write("v2/app/main.txt", "two");
    symlinkSync("v2", at("current"));
    symlinkSync(at("v2/app"), at("absolute"));
    symlinkSync("../../v2/app/main.txt", at("v2/app/self"));
    expect(await read("current/app/main.txt")).toBe("two");
    expect(await read("absolute/main.txt")).toBe("two");
    expect(await read("v2/app/self")).toBe("two");
    await write("current/app/main.txt", "three");
    expect(await read("v2/app/main.txt")).toBe("three");
    expect(lstatSync(at("current")).isSymbolicLink()).toBe(true);
  });

  test("may name a file that does not exist yet", async () => {
    const { at, write, read } = workspace();
    mkdirSync(at("logs"));
    symlinkSync("logs/today.txt", at("latest"));
    await write("latest", "new");
    expect(await read("logs/today.txt")).toBe("new");
    expect(lstatSync(at("latest")).isSymbolicLink()).toBe(true);
  });

  test("that go in circles are refused", async () => {
    const { at, read } = workspace();
    symlinkSync("b", at("a"));
    symlinkSync("a", at("b"));
    await expect(read("a")).rejects.toEqual(code("invalid"));
  });
});

describe("what is not a file", () => {
  test("a pipe is refused at once, for reading and for writing", async () => {
    const { at, read, write, append, files } = workspace();
    execFileSync("mkfifo", [at("pipe")]);
    for (const attempt of [() => read("pipe"), () => write("pipe", "x"), () => append("pipe", "x"), () => files.stat("pipe")]) {
      await expect(attempt()).rejects.toMatchObject({ code: "invalid", message: expect.stringContaining("pipe") });
    }
  });

  test("a socket is refused", async () => {
    const { at, read } = workspace();
    const server = createServer().listen(at("socket"));
    await new Promise((resolve) => server.once("listening", resolve));
    await expect(read("socket")).rejects.toEqual(code("invalid"));
    server.close();
  });

  test("a folder is neither read nor overwritten", async () => {
    const { at, read, write, append } = workspace();
    mkdirSync(at("folder"));
    for (const attempt of [() => read("folder"), () => write("folder", "x"), () => append("folder", "x"), () => write(".", "x")]) {
      await expect(attempt()).rejects.toMatchObject({ code: "invalid", message: expect.stringContaining("folder") });
    }
  });

  test("a file is not used as a folder", async () => {
    const { write } = workspace();
    await write("file", "x");
    await expect(write("file/inner", "x")).rejects.toMatchObject({ code: "invalid", message: expect.stringContaining("file") });
  });
});

describe("paths that cannot be", () => {
  test.each([
    ["empty", ""],
    ["with a NUL", "a\0b"],
    ["with half a character", "a\ud800"],
    ["with an over-long name", "x".repeat(300)],
    ["over-long altogether", "x/".repeat(3_000)],
  ])("%s are refused with a sentence", async (_what, given) => {
    const { read, write } = workspace();
    await expect(read(given)).rejects.toEqual(code("invalid"));
    await expect(write(given, "x")).rejects.toEqual(code("invalid"));
  });
});

describe("sizes", () => {
  test("a file over the limit is not read, and its size is said", async () => {
    const { write, files } = workspace();
    await write("big.txt", "x".repeat(2_000));
    await expect(files.readBytes("big.txt", { maxBytes: 1_000 })).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringContaining("2,000"),
    });
    expect((await files.readBytes("big.txt", { maxBytes: 2_000 })).byteLength).toBe(2_000);
  });

  test("a sparse file of a terabyte costs nothing to look at and is not swallowed", async () => {
    const { at, files } = workspace();
    writeFileSync(at("huge"), "");
    truncateSync(at("huge"), 2 ** 40);
    expect(await files.stat("huge")).toMatchObject({ bytes: 2 ** 40 });
    await expect(files.readBytes("huge", { maxBytes: 1_048_576 })).rejects.toEqual(code("too_large"));
    for await (const chunk of files.readChunks("huge")) {
      expect(chunk.byteLength).toBeLessThanOrEqual(1_048_576);
      break;
    }
  });

  test("a download that grows over its limit, or breaks off, leaves the old file as it was", async () => {
    const { write, read, files, root } = workspace();
    await write("data.bin", "old");
    const endless = async function* () {
      while (true) yield Buffer.alloc(1_000);
    };
    await expect(files.writeChunks("data.bin", endless(), { maxBytes: 10_000 })).rejects.toEqual(code("too_large"));
    const broken = async function* () {
      yield Buffer.from("new");
      throw new Error("the line went dead");
    };
    await expect(files.writeChunks("data.bin", broken())).rejects.toThrow("the line went dead");
    expect(await read("data.bin")).toBe("old");
    expect(readdirSync(root)).toEqual(["data.bin"]);
  });

  test("a reader beside a writer sees a whole file, the old one or the new one", async () => {
    const { write, read } = workspace();
    const versions = ["a".repeat(500_000), "b".repeat(500_000)];
    await write("shared.txt", versions[0] ?? "");
    let isWriting = true;
    const writing = (async () => {
      for (let round = 0; round < 30; round += 1) await write("shared.txt", versions[round % 2] ?? "");
      isWriting = false;
    })();
    const seen = new Set<string>();
    while (isWriting) seen.add(await read("shared.txt"));
    await writing;
    for (const text of seen) expect(versions.includes(text)).toBe(true);
  });
});

describe("searching", () => {
  test("finds every file in name order, and follows no link", async () => {
    const { write, find, files, at, outside } = workspace();
    await write("b.txt", "secret");
    await write("a/z.txt", "secret");
    await write("a/deep/y.txt", "secret");
    await write("node_modules/x.js", "secret");
    symlinkSync(outside, at("a/door"));
    symlinkSync("..", at("a/up"));
    symlinkSync("../b.txt", at("a/b-link"));
    execFileSync("mkfifo", [at("a/pipe")]);
    const paths = ["a/deep/y.txt", "a/z.txt", "b.txt"];
    expect(await find()).toEqual({ results: paths.map((path) => ({ path })), hasMore: false, isTimedOut: false });
    const { results } = await files.searchLines({ ...everything(), text: "secret", contextLines: 0 });
    expect(results.map(({ path }) => path)).toEqual(paths);
    expect((await find({ path: "a/deep" })).results).toEqual([{ path: "a/deep/y.txt" }]);
    expect((await find({ path: "b.txt" })).results).toEqual([{ path: "b.txt" }]);
    await expect(find({ path: "nowhere" })).rejects.toEqual(code("not_found"));
  });

  test("an empty workspace has no files", async () => {
    expect((await workspace().find()).results).toEqual([]);
  });

  test("sees no folder outside, also where one of its own is swapped for a link again and again meanwhile", async () => {
    const { write, files, at, outside } = workspace();
    for (let index = 0; index < 300; index += 1) await write(`many/${index}.txt`, "mine\n");
    mkdirSync(path.join(outside, "other"));
    for (let index = 0; index < 300; index += 1) writeFileSync(path.join(outside, "other", `${index}.txt`), "secret\n");
    const swap = `while :; do mv many kept; ln -s ${path.join(outside, "other")} many; rm many; mv kept many; done`;
    const swapping = spawn("/bin/sh", ["-c", swap], { cwd: at("."), stdio: "ignore" });
    onTestFinished(() => void swapping.kill("SIGKILL"));
    for (let round = 0; round < 12; round += 1) {
      const { results } = await files.searchLines({ ...everything(), text: "secret", contextLines: 0 });
      expect(results).toEqual([]);
    }
  });

  test("stops when it is told to, and leaves no process behind", async () => {
    const { write, find } = workspace();
    await write("a.txt", "x");
    const stop = new AbortController();
    const searching = find({ signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(searching).rejects.toThrow("enough");
  });

  test("keeps no folder open", async () => {
    const { write, find, read } = workspace();
    const openFiles = () => readdirSync("/proc/self/fd").length;
    await write("a/b/c.txt", "x");
    await find();
    const before = openFiles();
    for (let round = 0; round < 20; round += 1) {
      await find();
      await read("a/b/c.txt");
      await read("a/../../x").catch(() => {});
      await write("a/b/c.txt/d", "x").catch(() => {});
    }
    expect(openFiles()).toBeLessThanOrEqual(before + 1);
  });
});
