import { expect, test } from "vitest";
import { describeEffect } from "./describe-effect";
import { makeEffect } from "./make-effect";

type Parts = Parameters<typeof makeEffect>[0];

test.each<[text: string, tone: string, parts: Parts]>([
  ["Reads src/app.ts", "unavailable", { kind: "read", path: "src/app.ts" }],
  ["Reads ../notes.txt, outside the folder", "ask", { kind: "read", where: "outside", path: "../notes.txt" }],
  ["Reads /etc/passwd, a system file", "ask", { kind: "read", where: "outside", path: "/etc/passwd", class: "system" }],
  [
    "Reads ~/.ssh/id_rsa, outside the folder, may hold secrets",
    "ask",
    { kind: "read", where: "outside", path: "~/.ssh/id_rsa", class: "sensitive" },
  ],
  ["Reads .env, may hold secrets", "ask", { kind: "read", path: ".env", class: "sensitive" }],
  ["Reads $FILE, target decided when it runs", "ask", { kind: "read", where: "not_known", path: "$FILE" }],
  ["Reads files, target decided when it runs", "ask", { kind: "read", where: "not_known" }],
  ["Reads files in the folder", "unavailable", { kind: "read" }],
  ["Reads files outside the folder", "ask", { kind: "read", where: "outside" }],
  ["Lists the folder", "unavailable", { kind: "read", path: ".", namesOnly: true }],
  ["Lists src and everything in it", "unavailable", { kind: "read", path: "src", namesOnly: true, recursive: true }],
  ["Reads /tmp/log, a temporary file", "unavailable", { kind: "read", where: "outside", path: "/tmp/log", class: "temporary" }],
  ["Writes out.txt", "unavailable", { kind: "write", path: "out.txt" }],
  ["Writes .git/config, a file that runs by itself", "ask", { kind: "write", path: ".git/config", class: "runs_by_itself" }],
  ["Writes /dev/sda, a device", "deny", { kind: "write", where: "outside", path: "/dev/sda", class: "device" }],
  ["Writes /etc/hosts, a system file", "deny", { kind: "write", where: "outside", path: "/etc/hosts", class: "system" }],
  ["Writes the folder, cannot be undone", "deny", { kind: "write", path: ".", irreversible: true }],
  ["Deletes dist and everything in it", "deny", { kind: "delete", path: "dist", recursive: true }],
  [
    "Deletes node_modules and everything in it, can be rebuilt",
    "unavailable",
    { kind: "delete", path: "node_modules", recursive: true, class: "rebuildable" },
  ],
  ["Deletes a.txt, made in this conversation", "unavailable", { kind: "delete", path: "a.txt", class: "made_here" }],
  ["Deletes a.txt", "ask", { kind: "delete", path: "a.txt" }],
  ["Deletes ../old, outside the folder", "deny", { kind: "delete", where: "outside", path: "../old" }],
  [
    "Deletes $DIR and everything in it, target decided when it runs",
    "deny",
    { kind: "delete", where: "not_known", path: "$DIR", recursive: true },
  ],
  ["Deletes main, cannot be undone", "deny", { kind: "delete", path: "main", irreversible: true }],
  [
    "Deletes or overwrites data kept outside the folder (git), cannot be undone",
    "deny",
    { kind: "delete", where: "outside", program: "git", irreversible: true },
  ],
  ["Deletes or overwrites data in the folder (git), cannot be undone", "deny", { kind: "delete", program: "git", irreversible: true }],
  ["Deletes the folder and everything in it", "deny", { kind: "delete", path: ".", recursive: true }],
  ["Connects to registry.npmjs.org", "ask", { kind: "connect", where: "outside", host: "registry.npmjs.org" }],
  ["Connects to localhost:3000", "unavailable", { kind: "connect", host: "localhost:3000" }],
  ["Connects to 10.0.0.5:80, a private address", "ask", { kind: "connect", where: "outside", host: "10.0.0.5:80", class: "private" }],
  [
    "Connects to 169.254.169.254, the cloud metadata address",
    "deny",
    { kind: "connect", where: "outside", host: "169.254.169.254", class: "metadata" },
  ],
  ["Connects to $HOST, target decided when it runs", "ask", { kind: "connect", where: "not_known", host: "$HOST" }],
  ["Connects to an unknown host", "ask", { kind: "connect", where: "not_known" }],
  ["Sends data to the host of git's remote x", "ask", { kind: "send", where: "not_known", program: "git remote x" }],
  ["Connects to the network", "ask", { kind: "connect", where: "outside" }],
  ["Connects to a server of this conversation", "unavailable", { kind: "connect" }],
  ["Sends data to api.example.com", "ask", { kind: "send", where: "outside", host: "api.example.com" }],
  ["Sends report.pdf", "ask", { kind: "send", path: "report.pdf" }],
  ["Runs npm", "unavailable", { kind: "execute", program: "npm" }],
  ["Runs ./build.sh", "unavailable", { kind: "execute", path: "./build.sh" }],
  ["Runs a program", "unavailable", { kind: "execute" }],
  ["Runs docker, outside the folder", "ask", { kind: "execute", where: "outside", program: "docker" }],
  ["Runs code that is not inspected (python3)", "ask", { kind: "execute", where: "not_known", program: "python3" }],
  ["Runs code that is not inspected", "ask", { kind: "execute", where: "not_known" }],
  ["Runs as another user (sudo)", "deny", { kind: "elevate", where: "outside", program: "sudo" }],
  ["Signals other processes (kill)", "ask", { kind: "signal", where: "outside", program: "kill" }],
  ["Schedules a program to run later (crontab)", "ask", { kind: "schedule", where: "outside", program: "crontab" }],
  ["Schedules work for later", "ask", { kind: "schedule" }],
  ["Queries a database (psql)", "unavailable", { kind: "query", program: "psql" }],
  [
    "Queries a database (orders.db), cannot be undone",
    "deny",
    { kind: "query", path: "orders.db", program: "sqlite3", irreversible: true },
  ],
])("%s (%s)", (text, tone, parts) => {
  expect(describeEffect(makeEffect(parts))).toMatchObject({ text, tone });
});

test("a sentence is put together from its three parts, so that the machine's word can be framed", () => {
  const { before, target, after } = describeEffect(makeEffect({ kind: "delete", path: "dist", recursive: true }));
  expect([before, target, after]).toEqual(["Deletes ", "dist", " and everything in it"]);
});

test("a name of thousands of characters keeps its beginning and its end", () => {
  const { target } = describeEffect(makeEffect({ kind: "read", path: `start${"x".repeat(5_000)}end` }));
  expect(target).toHaveLength(161);
  expect(target).toMatch(/^startx+…x+end$/);
});
