import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { connects, fetches, sends, writes } from "../effects/declare-effects";
import { analyzeCall } from "./analyzed-call";
import { computeCallShape } from "./call-shape";
import type { GuardedTool, GuardRequest } from "./guard-request";

const shell: GuardedTool = {
  name: "shell_execute",
  source: "builtin",
  sourceRef: null,
  effect: "destroy",
  surface: "natural",
  needs: ["shell"],
  primaryArgument: "command",
};
const request = (tool: GuardedTool, args: JsonObject): GuardRequest => ({ tool, arguments: args, context: { interactive: true } });
const shapeOf = (tool: GuardedTool, args: JsonObject) => computeCallShape(request(tool, args), analyzeCall(request(tool, args)));

describe("the shape of a command", () => {
  test.each([
    ["npm install left-pad@1.3.0", "npm install …"],
    ["npm ci", "npm ci"],
    ["npm frobnicate now", "npm frobnicate …"],
    ["npm --weird now", "npm …"],
    ["git -C packages/a commit -m 'token ghp_x'", "git commit …"],
    ["gh pr create --title x", "gh pr create …"],
    ["rm -rf build", "rm …"],
    ["sudo npm install x", "sudo npm install …"],
    ["make; make; ls -la src", "make; ls …"],
    ["echo secret > notes.txt", "echo … > …"],
    ["$TOOL run", "… …"],
    ["$SHELL -c ls", "… …"],
    ["sudo $TOOL", "sudo …"],
  ])("%s is %s", (command, shape) => expect(shapeOf(shell, { command })).toBe(shape));

  test("a command that is too much to be read has the tool's name", () => {
    expect(computeCallShape(request(shell, { command: "x" }), null)).toBe("shell_execute");
  });
});

describe("the shape of another call", () => {
  const files: GuardedTool = {
    ...shell,
    name: "write_file",
    needs: ["files"],
    primaryArgument: "path",
    effects: ({ path }) => [writes("/path", String(path))],
  };
  const web: GuardedTool = {
    ...shell,
    name: "url_fetch",
    needs: ["http"],
    primaryArgument: "url",
    effects: ({ url, method }) => [method === "GET" ? fetches("/url", String(url)) : sends("/url", String(url))],
  };
  test.each([
    [files, { path: "src/app/a.ts", content: "x" }, "write src/app/…"],
    [files, { path: "README.md" }, "write …"],
    [web, { url: "https://api.example.com/v1/users?id=7", method: "POST" }, "POST api.example.com"],
    [web, { url: "https://user:pw@example.com:8443/", method: "GET" }, "GET example.com:8443"],
    [web, { url: "nonsense" }, "send …"],
    [{ ...web, effects: () => [connects("", "db.example.com")] }, {}, "connect db.example.com"],
    [{ ...web, effects: () => [{ kind: "send" as const, argument: "" }] }, {}, "url_fetch"],
    [{ ...shell, name: "crm__delete", needs: [], primaryArgument: null }, { id: 7 }, "crm__delete"],
  ] as const)("%o", (tool, args, shape) => expect(shapeOf(tool, args)).toBe(shape));
});
